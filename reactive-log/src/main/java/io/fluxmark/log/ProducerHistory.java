package io.fluxmark.log;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The sequences one producer stored in one partition, in constant memory: the recent ones exactly, of the older ones sparse
 * marks between which the log is searched. Sequences and offsets both rise. Confined to the writer thread.
 */
final class ProducerHistory {

    /** The answer when a sequence was not stored. */
    static final long NOT_STORED = -1;

    /** The answer when the records that could tell are deleted. */
    static final long DELETED = -2;

    private static final int RECENT = 512;
    private static final int MARKS = 512;
    private static final int MAX_NUMBER_BYTES = 10;

    private long[] recentSequences = new long[8];
    private long[] recentOffsets = new long[8];
    private final SequenceRun marks = new SequenceRun();
    private long count;
    private long spacing = RECENT / 2;

    /** The sequence stored last, -1 if none. */
    long highest() {
        return count == 0 ? -1 : recentSequences[slot(count - 1)];
    }

    void add(long sequence, long offset) {
        if (count % spacing == 0) {
            mark(sequence, offset);
        }
        if (count == recentSequences.length && recentSequences.length < RECENT) {
            recentSequences = Arrays.copyOf(recentSequences, 2 * recentSequences.length);
            recentOffsets = Arrays.copyOf(recentOffsets, 2 * recentOffsets.length);
        }
        recentSequences[slot(count)] = sequence;
        recentOffsets[slot(count)] = offset;
        count++;
    }

    /** Whether the recent sequences reach back to this one, so that {@link #recentOffset} knows. */
    boolean isRecent(long sequence) {
        return count > 0 && (oldestRecent() == 0 || sequence >= recentSequences[slot(oldestRecent())]);
    }

    /** The offset of a recent sequence, or {@link #NOT_STORED}. */
    long recentOffset(long sequence) {
        long low = oldestRecent();
        long high = count - 1;
        while (low <= high) {
            long middle = (low + high) >>> 1;
            long found = recentSequences[slot(middle)];
            if (found == sequence) {
                return recentOffsets[slot(middle)];
            }
            if (found < sequence) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return NOT_STORED;
    }

    /** Where to begin searching the log for a sequence that is not recent; {@link #NOT_STORED} if it precedes all. */
    long searchFrom(long sequence) {
        int i = marks.floorIndex(sequence);
        return i < 0 ? NOT_STORED : marks.offsetAt(i);
    }

    /** Where to end that search. */
    long searchTo(long sequence) {
        int i = marks.floorIndex(sequence) + 1;
        long recent = recentOffsets[slot(oldestRecent())];
        return i < marks.size() ? Math.min(recent, marks.offsetAt(i)) : recent;
    }

    /** The most {@link #writeTo} writes. */
    int maxBytes() {
        return MAX_NUMBER_BYTES * (4 + 2 * (recentSequences.length + marks.size()));
    }

    /** Writes all that is known, as varints; of sequences and offsets what they rise by. */
    void writeTo(ByteBuffer target) {
        Varints.put(target, count);
        Varints.put(target, spacing);
        Varints.put(target, count - oldestRecent());
        long sequence = 0;
        long offset = 0;
        for (long i = oldestRecent(); i < count; i++) {
            Varints.put(target, recentSequences[slot(i)] - sequence);
            Varints.put(target, recentOffsets[slot(i)] - offset);
            sequence = recentSequences[slot(i)];
            offset = recentOffsets[slot(i)];
        }
        Varints.put(target, marks.size());
        sequence = 0;
        offset = 0;
        for (int i = 0; i < marks.size(); i++) {
            Varints.put(target, marks.sequenceAt(i) - sequence);
            Varints.put(target, marks.offsetAt(i) - offset);
            sequence = marks.sequenceAt(i);
            offset = marks.offsetAt(i);
        }
    }

    /**
     * What {@link #writeTo} wrote.
     *
     * @throws MalformedBatchException if it is something else
     */
    static ProducerHistory readFrom(ByteBuffer source) {
        ProducerHistory history = new ProducerHistory();
        history.count = Varints.getLong(source);
        history.spacing = Varints.getLong(source);
        long recent = Varints.getLong(source);
        int length = history.recentSequences.length;
        while (length < Math.min(history.count, RECENT)) {
            length *= 2;
        }
        if (history.count < 1 || history.spacing < 1 || recent != Math.min(history.count, length)) {
            throw new MalformedBatchException("counts of a producer do not match");
        }
        history.recentSequences = new long[length];
        history.recentOffsets = new long[length];
        long sequence = 0;
        long offset = 0;
        for (long i = history.oldestRecent(); i < history.count; i++) {
            sequence += Varints.getLong(source);
            offset += Varints.getLong(source);
            history.recentSequences[history.slot(i)] = sequence;
            history.recentOffsets[history.slot(i)] = offset;
        }
        int marked = Varints.getInt(source);
        sequence = 0;
        offset = 0;
        for (int i = 0; i < marked; i++) {
            sequence += Varints.getLong(source);
            offset += Varints.getLong(source);
            history.marks.add(sequence, offset);
        }
        return history;
    }

    private long oldestRecent() {
        return Math.max(0, count - recentSequences.length);
    }

    private int slot(long index) {
        return (int) (index % recentSequences.length);
    }

    private void mark(long sequence, long offset) {
        if (marks.size() == MARKS) {
            marks.keepEverySecond();
            spacing *= 2;
            if (count % spacing != 0) {
                return;
            }
        }
        marks.add(sequence, offset);
    }
}
