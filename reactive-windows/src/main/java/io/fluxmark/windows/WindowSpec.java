package io.fluxmark.windows;

import java.time.Duration;

/**
 * Which windows there are, and for how long they take corrections. Immutable data without an element type: the same
 * definition runs in a pipeline and in plain batch.
 */
public final class WindowSpec {

    /** The largest size, offset and allowed lateness, and the largest distance of a timestamp from the epoch, in ms. */
    public static final long MAX_MILLIS = 1L << 60;

    private final long size;
    private final long offset;
    private final long allowedLateness;

    private WindowSpec(long size, long offset, long allowedLateness) {
        this.size = size;
        this.offset = offset;
        this.allowedLateness = allowedLateness;
    }

    /**
     * Windows of one size, side by side, aligned with the epoch.
     *
     * @param size at least 1 ms
     */
    public static WindowSpec tumbling(Duration size) {
        long millis = millis(size, "size");
        if (millis < 1) {
            throw new IllegalArgumentException("a window's size is at least 1 ms but was " + size);
        }
        return new WindowSpec(millis, 0, 0);
    }

    /** Windows that start at multiples of the size plus {@code offset}; more than -size and less than size (S05). */
    public WindowSpec offset(Duration offset) {
        long millis = millis(offset, "offset");
        if (millis <= -size || millis >= size) {
            throw new IllegalArgumentException("an offset lies between -size and size, exclusive, but was " + offset
                    + " at a size of " + size + " ms");
        }
        return new WindowSpec(size, millis, allowedLateness);
    }

    /**
     * For how long after a window is complete late events still correct its result (S13); 0, the default, means that
     * every event behind a fired window is late for good.
     */
    public WindowSpec allowedLateness(Duration lateness) {
        long millis = millis(lateness, "allowed lateness");
        if (millis < 0) {
            throw new IllegalArgumentException("an allowed lateness is at least 0 but was " + lateness);
        }
        return new WindowSpec(size, offset, millis);
    }

    static long millis(Duration duration, String what) {
        long millis;
        try {
            millis = duration.toMillis();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the " + what + " " + duration + " does not fit into milliseconds", e);
        }
        if (Math.abs(millis) > MAX_MILLIS) {
            throw new IllegalArgumentException("the " + what + " " + duration + " is beyond " + MAX_MILLIS + " ms");
        }
        return millis;
    }

    /** The size, ms. */
    public long sizeMillis() {
        return size;
    }

    /** The offset, ms. */
    public long offsetMillis() {
        return offset;
    }

    /** The allowed lateness, ms. */
    public long allowedLatenessMillis() {
        return allowedLateness;
    }

    /** The start of the window that holds {@code timestamp}, also before the epoch (S05). */
    public long startOf(long timestamp) {
        return timestamp - Math.floorMod(timestamp - offset, size);
    }

    /** The end, exclusive, of the window that starts at {@code start}. */
    public long endOf(long start) {
        return start + size;
    }

    /** The window that holds {@code timestamp}. */
    public TimeWindow windowOf(long timestamp) {
        long start = startOf(timestamp);
        return new TimeWindow(start, endOf(start));
    }

    @Override
    public String toString() {
        return "tumbling " + Duration.ofMillis(size)
                + (offset == 0 ? "" : " offset " + Duration.ofMillis(offset))
                + (allowedLateness == 0 ? "" : " allowed lateness " + Duration.ofMillis(allowedLateness));
    }
}
