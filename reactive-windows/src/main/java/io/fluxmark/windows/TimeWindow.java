package io.fluxmark.windows;

import java.time.Instant;

/**
 * A half-open span of event time, {@code [start, end)}: an event at {@code start} is in, one at {@code end} is out (S02).
 *
 * @param start epoch ms, inclusive
 * @param end epoch ms, exclusive
 */
public record TimeWindow(long start, long end) implements Comparable<TimeWindow> {

    /** The timestamp of the window's result: its last instant, so that a second window of it nests (S46). */
    public long maxTimestamp() {
        return end - 1;
    }

    /** By end, then by start: the order in which windows fire. */
    @Override
    public int compareTo(TimeWindow other) {
        int byEnd = Long.compare(end, other.end);
        return byEnd != 0 ? byEnd : Long.compare(start, other.start);
    }

    @Override
    public String toString() {
        return "[" + Instant.ofEpochMilli(start) + ", " + Instant.ofEpochMilli(end) + ")";
    }
}
