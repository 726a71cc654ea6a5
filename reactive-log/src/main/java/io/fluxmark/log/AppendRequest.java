package io.fluxmark.log;

import java.util.List;

/**
 * One append: its records, and where they went. Built by the caller's thread, then confined to the writer thread, which completes it
 * once.
 */
final class AppendRequest implements LogCommand {

    private final List<PreparedRecord> records;
    private final List<PartitionLog> targets;
    private final long bytes;
    private final Answer answer;
    private final AppendResult[] results;

    /**
     * @param targets the partition of each record
     */
    AppendRequest(List<PreparedRecord> records, List<PartitionLog> targets, long bytes, Answer answer) {
        this.records = records;
        this.targets = targets;
        this.bytes = bytes;
        this.answer = answer;
        this.results = new AppendResult[records.size()];
    }

    /** Is told, once, what has become of the append. */
    interface Answer {

        /** One result for each record, in order. */
        void appended(List<AppendResult> results);

        void refused(Throwable why);
    }

    int size() {
        return records.size();
    }

    long bytes() {
        return bytes;
    }

    PreparedRecord record(int index) {
        return records.get(index);
    }

    PartitionLog target(int index) {
        return targets.get(index);
    }

    void place(int index, long offset, boolean duplicate) {
        results[index] = new AppendResult(targets.get(index).view().id(), offset, duplicate);
    }

    /** The offset given to a record. */
    long offset(int index) {
        return results[index].offset();
    }

    void complete() {
        Completions.run(() -> answer.appended(List.of(results)));
    }

    @Override
    public void refuse(RuntimeException why) {
        Completions.run(() -> answer.refused(why));
    }
}
