package io.fluxmark.log;

import java.util.List;
import reactor.core.publisher.MonoSink;

/**
 * One append: its records, and where they went. Built by the caller's thread, then confined to the writer thread, which completes it
 * once.
 */
final class AppendRequest implements LogCommand {

    private final List<PreparedRecord> records;
    private final List<PartitionLog> targets;
    private final long bytes;
    private final MonoSink<List<AppendResult>> sink;
    private final AppendResult[] results;

    /**
     * @param targets the partition of each record
     */
    AppendRequest(
            List<PreparedRecord> records, List<PartitionLog> targets, long bytes, MonoSink<List<AppendResult>> sink) {
        this.records = records;
        this.targets = targets;
        this.bytes = bytes;
        this.sink = sink;
        this.results = new AppendResult[records.size()];
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
        Completions.run(() -> sink.success(List.of(results)));
    }

    @Override
    public void refuse(RuntimeException why) {
        Completions.run(() -> sink.error(why));
    }
}
