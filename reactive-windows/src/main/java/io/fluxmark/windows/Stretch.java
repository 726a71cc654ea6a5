package io.fluxmark.windows;

import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive events of a stream that is split by key, with the watermark before each, or one control element. All key groups
 * come to its end before anything is handed on that follows from what is behind it. Immutable.
 *
 * <p>What a group emits has a place in the order that one lane would have emitted in: that of the event that caused it, or of the
 * event before which one lane would have come to the watermark that caused it.
 */
final class Stretch {

    /** The number of its first event, in the order of the stream. */
    private final long first;

    private final long[] before;
    private final int size;

    /** The watermark in force behind it. */
    final long after;

    /** Whether silence, and not an event, has moved it there. */
    final boolean byTimeout;

    /** What goes on behind all groups; null for events and watermarks. */
    final @Nullable StreamElement<?> control;

    /**
     * @param before the watermark before each event, never falling; the array is taken over, and may be longer
     * @param size how many events there are
     */
    Stretch(long first, long[] before, int size, long after, boolean byTimeout, @Nullable StreamElement<?> control) {
        this.first = first;
        this.before = before;
        this.size = size;
        this.after = after;
        this.byTimeout = byTimeout;
        this.control = control;
    }

    /** How many events it has. */
    int size() {
        return size;
    }

    /** The watermark before event {@code i}; behind the last event, the one in force then. */
    long watermark(int i) {
        return i < size ? before[i] : after;
    }

    /** The first event up to {@code to} before which {@code due} holds, which then holds on; it does before {@code to}. */
    int firstDue(int to, LongPredicate due) {
        int low = 0;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (due.test(watermark(middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return high;
    }

    /** The place of what event {@code i} causes. */
    long placeOf(int i) {
        return 2 * (first + i) + 1;
    }

    /** The place of what the watermark before event {@code i} causes. */
    long placeBefore(int i) {
        return 2 * (first + i);
    }
}
