package io.fluxmark.log;

/** Pairs of sequence and offset, both rising. Not thread-safe. */
final class SequenceRun {

    private final LongPairs pairs = new LongPairs();

    int size() {
        return pairs.size();
    }

    void add(long sequence, long offset) {
        pairs.add(sequence, offset);
    }

    void removeLast() {
        pairs.removeLast();
    }

    long firstSequence() {
        return pairs.first(0);
    }

    long lastSequence() {
        return pairs.lastFirst();
    }

    long sequenceAt(int index) {
        return pairs.first(index);
    }

    long offsetAt(int index) {
        return pairs.second(index);
    }

    /** The index of the last sequence at or below the given one, -1 if there is none. */
    int floorIndex(long sequence) {
        return pairs.floorIndex(sequence);
    }

    /** The offset of exactly this sequence, or {@link ProducerHistory#NOT_STORED}. */
    long offsetOf(long sequence) {
        int i = pairs.floorIndex(sequence);
        return i < 0 || pairs.first(i) != sequence ? ProducerHistory.NOT_STORED : pairs.second(i);
    }

    void keepEverySecond() {
        pairs.keepEverySecond();
    }
}
