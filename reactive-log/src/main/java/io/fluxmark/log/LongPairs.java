package io.fluxmark.log;

import java.util.Arrays;

/** Pairs of longs in the order they were added. Not thread-safe. */
final class LongPairs {

    private long[] firsts = new long[16];
    private long[] seconds = new long[16];
    private int size;

    int size() {
        return size;
    }

    void add(long first, long second) {
        if (size == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * size);
            seconds = Arrays.copyOf(seconds, 2 * size);
        }
        firsts[size] = first;
        seconds[size] = second;
        size++;
    }

    void keepEverySecond() {
        int kept = 0;
        for (int i = 0; i < size; i += 2) {
            firsts[kept] = firsts[i];
            seconds[kept] = seconds[i];
            kept++;
        }
        size = kept;
    }

    void removeLast() {
        size--;
    }

    long first(int index) {
        return firsts[index];
    }

    long second(int index) {
        return seconds[index];
    }

    long lastFirst() {
        return firsts[size - 1];
    }

    long lastSecond() {
        return seconds[size - 1];
    }

    /** Whether both numbers rise from {@code index - 1} to {@code index}; of the first pair always. */
    boolean risesAt(int index) {
        return index == 0 || (firsts[index] > firsts[index - 1] && seconds[index] > seconds[index - 1]);
    }

    /** Of pairs whose first numbers rise, the index of the last with a first number at or below the given one; -1 if there is none. */
    int floorIndex(long first) {
        int i = Arrays.binarySearch(firsts, 0, size, first);
        return i < 0 ? -i - 2 : i;
    }
}
