package io.fluxmark.windows;

/**
 * Progress of event time: no further event with a timestamp at or before {@link #timestamp} is expected.
 *
 * <p>The watermark is <em>inclusive</em> (S01). Every question about lateness, firing and cleanup is one of the static
 * methods here, so that the convention stands in one place. All values are epoch milliseconds; {@link #NONE} is "no
 * progress yet" and {@link #END} is the end of the stream and nothing else.
 *
 * <p>Watermarks may be conflated while there is no demand: only the newest counts.
 *
 * @param timestamp epoch milliseconds, inclusive
 * @param byTimeout whether silence, and not an event, is why it moved: what fires at it is marked so (S30)
 */
public record Watermark<T>(long timestamp, boolean byTimeout) implements StreamElement<T> {

    /** Progress that follows from events, or the end of the stream. */
    public Watermark(long timestamp) {
        this(timestamp, false);
    }

    /** The name under which a windowed operator commits its watermark with {@link StateTransaction#longs}. */
    public static final String STATE_NAME = "watermark";

    /** No progress yet: nothing is late. */
    public static final long NONE = Long.MIN_VALUE;

    /** End of stream: every window closes. */
    public static final long END = Long.MAX_VALUE;

    /** The watermark after {@code maxTimestamp} has been seen, events being at most {@code delay} ms out of order (S04). */
    public static long after(long maxTimestamp, long delay) {
        long watermark = maxTimestamp - delay - 1;
        return watermark > maxTimestamp ? NONE : watermark;
    }

    /** Whether an event at {@code timestamp} is behind the watermark (S01). */
    public static boolean isLate(long watermark, long timestamp) {
        return timestamp <= watermark;
    }

    /** Whether a window that ends, exclusively, at {@code end} is complete (S03). */
    public static boolean closes(long watermark, long end) {
        return watermark >= end - 1;
    }

    /**
     * Whether a window is past its allowed lateness: its state goes, and events for it are late (S13). A sum that
     * overflows means "only at the end of the stream".
     */
    public static boolean expires(long watermark, long end, long allowedLateness) {
        return watermark >= expiry(end, allowedLateness);
    }

    /** The watermark at which {@link #closes} first holds. */
    public static long closing(long end) {
        return end - 1;
    }

    /** The watermark at which {@link #expires} first holds. */
    public static long expiry(long end, long allowedLateness) {
        long expiry = end - 1 + allowedLateness;
        return expiry < end - 1 ? END : expiry;
    }

    /**
     * The watermark at which an entry is over that was last touched at {@code last} and lives {@code timeToLive} ms from
     * then (S43); a sum that overflows means "only at the end of the stream".
     */
    public static long deadline(long last, long timeToLive) {
        long deadline = last + timeToLive;
        return deadline < last ? END : deadline;
    }

    /** Whether the watermark has come to {@code due}, a closing or an expiry. */
    public static boolean reaches(long watermark, long due) {
        return watermark >= due;
    }

    /** The watermark {@code millis}, at least 0, before; saturates at {@link #NONE}. */
    public static long before(long watermark, long millis) {
        long earlier = watermark - millis;
        return earlier > watermark ? NONE : earlier;
    }

    /** Whether {@code candidate} is progress beyond {@code current}; a watermark never steps back (S24). */
    public static boolean advances(long current, long candidate) {
        return candidate > current;
    }

    /** Whether a watermark is more than {@code millis}, at least 0, ahead of another; any is of {@link #NONE} (S35). */
    public static boolean leads(long watermark, long other, long millis) {
        return before(watermark, millis) > other;
    }

    /** The later of two watermarks: what is in force where either says so. */
    public static long later(long watermark, long other) {
        return Math.max(watermark, other);
    }

    /** The earlier of two watermarks: what is in force where both have to say so. */
    public static long earlier(long watermark, long other) {
        return Math.min(watermark, other);
    }

    /** How far behind the watermark an event is, in ms, at least 0; saturates. */
    public static long lateBy(long watermark, long timestamp) {
        if (!isLate(watermark, timestamp)) {
            return 0;
        }
        long by = watermark - timestamp;
        return by < 0 ? Long.MAX_VALUE : by;
    }
}
