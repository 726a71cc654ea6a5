package io.fluxmark.quickstart.plain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Walks the partitions in file order and notes, for each airport and window, when its first result comes out. */
final class Waits {

    private final List<Map<Cell, Long>> endsOfOpenWindows = new ArrayList<>();
    private final long[] highest;
    private final Set<Cell> emitted = new HashSet<>();
    private final List<Long> waits = new ArrayList<>();
    private final PlainPartitions partitions;
    private final long delayMillis;
    private final long sizeMillis;

    Waits(PlainPartitions partitions, long delayMillis, long sizeMillis) {
        this.partitions = partitions;
        this.delayMillis = delayMillis;
        this.sizeMillis = sizeMillis;
        this.highest = new long[partitions.count()];
        Arrays.fill(highest, Long.MIN_VALUE);
        for (int p = 0; p < highest.length; p++) {
            endsOfOpenWindows.add(new HashMap<>());
        }
    }

    /** Takes the next flight of the file. */
    void add(Flight flight, Verdict verdict) {
        long start = flight.eventMillis() - Math.floorMod(flight.eventMillis(), sizeMillis);
        Cell cell = new Cell(flight.origin(), start);
        int partition = partitions.of(flight.origin());
        if (verdict == Verdict.ON_TIME) {
            endsOfOpenWindows.get(partition).put(cell, start + sizeMillis);
        } else if (verdict == Verdict.REFIRED && emitted.add(cell)) {
            waits.add(flight.arrivalMillis() - start - sizeMillis);
        }
        advance(partition, flight);
    }

    /** The waits so far, in ascending order. */
    long[] sorted() {
        return waits.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    private void advance(int partition, Flight flight) {
        long before = highest[partition];
        if (flight.eventMillis() <= before) {
            return;
        }
        highest[partition] = flight.eventMillis();
        long watermark = flight.eventMillis() - delayMillis - 1;
        // Only a watermark that passes a window's end can close one: this saves looking through the open ones.
        if (before == Long.MIN_VALUE || windowOf(watermark + 1) > windowOf(before - delayMillis)) {
            fire(endsOfOpenWindows.get(partition), watermark, flight.arrivalMillis());
        }
    }

    private long windowOf(long millis) {
        return Math.floorDiv(millis, sizeMillis);
    }

    private void fire(Map<Cell, Long> open, long watermark, long now) {
        open.entrySet().removeIf(window -> {
            if (watermark < window.getValue() - 1) {
                return false;
            }
            emitted.add(window.getKey());
            waits.add(now - window.getValue());
            return true;
        });
    }
}
