package io.fluxmark.log;

import java.util.Arrays;

/** Pairs of sequence and offset, both rising. Not thread-safe. */
final class SequenceRun {

    private long[] sequences = new long[8];
    private long[] offsets = new long[8];
    private int size;

    int size() {
        return size;
    }

    void add(long sequence, long offset) {
        if (size == sequences.length) {
            sequences = Arrays.copyOf(sequences, 2 * size);
            offsets = Arrays.copyOf(offsets, 2 * size);
        }
        sequences[size] = sequence;
        offsets[size] = offset;
        size++;
    }

    void removeLast() {
        size--;
    }

    long firstSequence() {
        return sequences[0];
    }

    long lastSequence() {
        return sequences[size - 1];
    }

    long sequenceAt(int index) {
        return sequences[index];
    }

    long offsetAt(int index) {
        return offsets[index];
    }

    /** The index of the last sequence at or below the given one, -1 if there is none. */
    int floorIndex(long sequence) {
        int i = Arrays.binarySearch(sequences, 0, size, sequence);
        return i < 0 ? -i - 2 : i;
    }

    /** The offset of exactly this sequence, or {@link ProducerHistory#NOT_STORED}. */
    long offsetOf(long sequence) {
        int i = Arrays.binarySearch(sequences, 0, size, sequence);
        return i < 0 ? ProducerHistory.NOT_STORED : offsets[i];
    }

    void keepEverySecond() {
        int kept = 0;
        for (int i = 0; i < size; i += 2) {
            sequences[kept] = sequences[i];
            offsets[kept] = offsets[i];
            kept++;
        }
        size = kept;
    }
}
