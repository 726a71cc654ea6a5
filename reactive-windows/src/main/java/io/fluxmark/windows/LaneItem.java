package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * Something that a key group has emitted, with its place in the order of one lane: by place, and of what one watermark causes, by
 * when it was due, the end and the start of its window, and its key.
 *
 * @param value the value, or an {@link Aside}
 * @param before the watermark in force before it
 * @param place as {@link Stretch} has it, or {@link #AT_ONCE}
 * @param key of what a watermark causes; null of what an event does, whose place is that of one group alone
 */
record LaneItem(
        Object value,
        long timestamp,
        long before,
        int sign,
        long place,
        long due,
        long end,
        long start,
        @Nullable Object key) {

    /** Of what the clock causes: it has no place, and does not wait for the other groups. */
    static final long AT_ONCE = Long.MIN_VALUE;

    /** What goes to an output beside the stream, a late event or a failure, when its turn comes. */
    record Aside(Object value) {}
}
