package io.fluxmark.log;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One append: its records, and where they went. Built by the caller's thread, then confined to the writer thread until its answer
 * is told what has become of it, which happens once.
 */
final class AppendRequest implements LogCommand {

    private final List<PreparedRecord> records;
    private final List<PartitionLog> targets;
    private final long bytes;
    private final Answer answer;
    private final long[] offsets;
    private @Nullable BitSet duplicates;

    /**
     * @param targets the partition of each record
     */
    AppendRequest(List<PreparedRecord> records, List<PartitionLog> targets, long bytes, Answer answer) {
        this.records = records;
        this.targets = targets;
        this.bytes = bytes;
        this.answer = answer;
        this.offsets = new long[records.size()];
    }

    /**
     * Is told, once, what has become of the append, on the writer thread. What is to run subscribers' code it answers, to be run
     * elsewhere; null if there is nothing to run.
     */
    interface Answer {

        /** The records are stored; {@link AppendRequest#results()} says where. */
        @Nullable
        Runnable appended();

        @Nullable
        Runnable refused(Throwable why);
    }

    int size() {
        return offsets.length;
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
        offsets[index] = offset;
        if (duplicate) {
            BitSet known = duplicates;
            if (known == null) {
                known = new BitSet(size());
                duplicates = known;
            }
            known.set(index);
        }
    }

    /** The offset given to a record. */
    long offset(int index) {
        return offsets[index];
    }

    /** Where a record is. Made when it is asked for: most are asked for once, by another thread than the writer. */
    AppendResult result(int index) {
        BitSet known = duplicates;
        return new AppendResult(targets.get(index).view().id(), offsets[index], known != null && known.get(index));
    }

    /** One for each record, in order; unmodifiable. */
    List<AppendResult> results() {
        AppendResult[] all = new AppendResult[size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = result(i);
        }
        return List.of(all);
    }

    /** Answers what is to be run elsewhere, or null. */
    @Nullable
    Runnable complete() {
        return answer.appended();
    }

    @Override
    public void refuse(RuntimeException why) {
        Runnable signal = answer.refused(why);
        if (signal != null) {
            Completions.run(signal);
        }
    }
}
