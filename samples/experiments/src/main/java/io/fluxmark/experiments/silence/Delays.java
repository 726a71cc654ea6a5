package io.fluxmark.experiments.silence;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * By how much windows come out later than without the silent partition.
 *
 * @param byEnd ms, by the end of the window
 */
record Delays(SortedMap<Long, Long> byEnd) {

    /** From two runs; a window that has come out of one only has no delay. */
    static Delays of(SortedMap<Long, Long> fired, SortedMap<Long, Long> reference) {
        SortedMap<Long, Long> delays = new TreeMap<>();
        for (Map.Entry<Long, Long> window : fired.entrySet()) {
            Long expected = reference.get(window.getKey());
            if (expected != null) {
                delays.put(window.getKey(), window.getValue() - expected);
            }
        }
        return new Delays(delays);
    }

    /** The longest, ms; 0 where none is later. */
    long longest() {
        return byEnd.values().stream()
                .mapToLong(delay -> Math.max(0, delay))
                .max()
                .orElse(0);
    }

    /** How many windows are more than {@code millis} late. */
    long later(long millis) {
        return byEnd.values().stream().filter(delay -> delay > millis).count();
    }

    /** The end of the first window that is more than {@code millis} late, or -1. */
    long firstLater(long millis) {
        return byEnd.entrySet().stream()
                .filter(window -> window.getValue() > millis)
                .mapToLong(Map.Entry::getKey)
                .findFirst()
                .orElse(-1);
    }
}
