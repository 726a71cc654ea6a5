package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The timers of one bucket in order, from when the bucket begins until all of them have been called. Confined to the lane. */
final class TimerWalk<K> {

    private static final int PAGE = 256;

    final Pane<TimerKey<K>, Long> pane;

    private final Pane.Walk<TimerKey<K>, Long> walk;
    private final List<PaneEntry<TimerKey<K>, Long>> page = new ArrayList<>();
    private int next;

    /** Timers that were deleted since the walk began, which may show them all the same. */
    private final TreeSet<TimerKey<K>> deleted;

    TimerWalk(Pane<TimerKey<K>, Long> pane, Comparator<TimerKey<K>> order) {
        this.pane = pane;
        this.walk = pane.walk();
        this.deleted = new TreeSet<>(order);
    }

    /** The next timer, or null when there are no more. */
    @Nullable
    TimerKey<K> head() {
        for (; ; ) {
            if (next == page.size()) {
                page.clear();
                next = 0;
                if (!walk.next(page, PAGE)) {
                    deleted.clear();
                    return null;
                }
            }
            TimerKey<K> head = page.get(next).key;
            if (deleted.isEmpty() || !deleted.remove(head)) {
                return head;
            }
            next++;
        }
    }

    /** Passes over the next timer, which {@link #head} has shown. */
    void pass() {
        next++;
    }

    /** Does not show a timer that was deleted; one that is set anew is somewhere else. */
    void skip(TimerKey<K> timer) {
        deleted.add(timer);
    }
}
