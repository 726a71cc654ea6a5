package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * Where timers are stored: in panes of event time, of three widths, about 1 second, 4 minutes and 19 hours. The start
 * of a pane tells its width too, in the bits that are 0 in the start of its bucket.
 *
 * <p>A timer goes into the widest bucket that has not begun yet: one far ahead shares a pane with many, and one near lies in
 * a pane with few. A bucket that has begun takes no more timers, but for the narrowest ones. So there are never many panes,
 * and a walk over one that has begun misses none.
 */
final class TimerBuckets<K> {

    private static final int[] WIDTH_BITS = {10, 18, 26};
    private static final long LEVELS_MASK = (1L << WIDTH_BITS[0]) - 1;

    private final PaneStore<TimerKey<K>, Long> store;

    /** Of each width the bucket that was looked for last, if it exists. */
    private final @Nullable Pane<TimerKey<K>, Long>[] recent = newRecent();

    TimerBuckets(PaneStore<TimerKey<K>, Long> store) {
        this.store = store;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static <K> @Nullable Pane<TimerKey<K>, Long>[] newRecent() {
        return new Pane[WIDTH_BITS.length];
    }

    /** The first instant of a pane's bucket. */
    static long begin(Pane<?, ?> pane) {
        return pane.start() & ~LEVELS_MASK;
    }

    /** The first instant behind it. */
    static long end(Pane<?, ?> pane) {
        long begin = begin(pane);
        long end = begin + (1L << WIDTH_BITS[(int) (pane.start() & LEVELS_MASK)]);
        return end < begin ? Watermark.END : end;
    }

    /** Whether it is one of the narrowest, which take timers also when they have begun. */
    static boolean isNarrowest(Pane<?, ?> pane) {
        return (pane.start() & LEVELS_MASK) == 0;
    }

    private static long begin(long time, int level) {
        return time & (-1L << WIDTH_BITS[level]);
    }

    /** Stores a timer; returns the bucket, which has begun at {@code reached} only if it is one of the narrowest. */
    Pane<TimerKey<K>, Long> add(TimerKey<K> timer, long reached) {
        int level = WIDTH_BITS.length - 1;
        while (level > 0 && Watermark.reaches(reached, begin(timer.time(), level))) {
            level--;
        }
        long start = begin(timer.time(), level) | level;
        Pane<TimerKey<K>, Long> pane = pane(start, level);
        if (pane == null) {
            pane = store.open(start);
            recent[level] = pane;
        }
        pane.update(timer);
        return pane;
    }

    private @Nullable Pane<TimerKey<K>, Long> pane(long start, int level) {
        Pane<TimerKey<K>, Long> pane = recent[level];
        if (pane == null || pane.start() != start) {
            pane = store.find(start);
            recent[level] = pane;
        }
        return pane;
    }

    /** The bucket that has a timer, or null. */
    @Nullable
    Pane<TimerKey<K>, Long> find(TimerKey<K> timer) {
        for (int level = 0; level < WIDTH_BITS.length; level++) {
            Pane<TimerKey<K>, Long> pane = pane(begin(timer.time(), level) | level, level);
            if (pane != null && pane.find(timer) != null) {
                return pane;
            }
        }
        return null;
    }

    /** Drops a bucket. */
    void drop(Pane<TimerKey<K>, Long> pane) {
        recent[(int) (pane.start() & LEVELS_MASK)] = null;
        store.drop(pane);
    }
}
