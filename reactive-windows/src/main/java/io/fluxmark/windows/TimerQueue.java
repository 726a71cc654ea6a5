package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The event-time timers of one function in a lane, called in the order of time and key. Confined to the lane.
 *
 * <p>Timers lie in buckets ({@link TimerBuckets}), in the backend's panes. When the watermark comes to the beginning of a
 * bucket, a walk over it begins, which is read on as the watermark moves on; its timers stay where they are, being over
 * because of their time alone, and go with the bucket. What is set for a bucket that has begun is held in memory beside, in
 * order: no more than the timers of about a second ahead.
 */
final class TimerQueue<K> {

    private static final String SIZE_NAME = "timers";

    private final String operator;
    private final PaneStore<TimerKey<K>, Long> store;
    private final TimerBuckets<K> buckets;
    private final Comparator<TimerKey<K>> order;

    /** The buckets that have begun and still have timers to come. */
    private final List<TimerWalk<K>> walks = new ArrayList<>();

    /** The start of the last pane that a walk has begun over, if there is one, and the beginning of the bucket behind it. */
    private long opened;

    private boolean hasOpened;

    private long nextBegin;

    /** Timers set for buckets that have begun. */
    private final TreeSet<TimerKey<K>> near;

    /** The watermark that timers are due by, and the one whose timers are all over. */
    private long reached;

    private long passed;

    /** While an advance is under way: the timer that was called last. */
    private @Nullable TimerKey<K> current;

    /** When there is something to do, at the earliest: a timer is due, a bucket begins, or one is over. */
    private long due;

    private long size;

    TimerQueue(String operator, StateBackend backend, StateHeader header, KeyCodec<K> keys, long watermark) {
        this.operator = operator;
        TimerKeyCodec<K> codec = new TimerKeyCodec<>(keys);
        this.store = backend.panes(operator, header, codec, Codec.longs(), null);
        this.buckets = new TimerBuckets<>(store);
        this.order = codec.order();
        this.near = new TreeSet<>(order);
        this.reached = watermark;
        this.passed = watermark;
        long[] stored = backend.longs(operator, SIZE_NAME);
        this.size = stored == null ? 0 : stored[0];
        findNext(store.first());
        this.due = nextBegin;
    }

    private void findNext(@Nullable Pane<TimerKey<K>, Long> pane) {
        nextBegin = pane == null ? Watermark.END : TimerBuckets.begin(pane);
    }

    /** Sets a timer; false where it is set already. One at or before the watermark is due at once. */
    boolean set(long time, K key) {
        TimerKey<K> timer = new TimerKey<>(time, key);
        if (near.contains(timer) || (!isOver(timer) && buckets.find(timer) != null)) {
            return false;
        }
        size++;
        if (Watermark.reaches(reached, time)) {
            near.add(timer); // it is called before the next barrier: there is nothing to store
            due = Math.min(due, time);
            return true;
        }
        Pane<TimerKey<K>, Long> pane = buckets.add(timer, reached);
        long begin = TimerBuckets.begin(pane);
        if (Watermark.reaches(reached, begin)) {
            near.add(timer);
            due = Math.min(due, time);
        } else {
            nextBegin = Math.min(nextBegin, begin);
            due = Math.min(due, begin);
        }
        return true;
    }

    /** Whether a stored timer has been called, or would have been. */
    private boolean isOver(TimerKey<K> timer) {
        TimerKey<K> last = current;
        return Watermark.reaches(passed, timer.time()) || (last != null && order.compare(timer, last) <= 0);
    }

    /** Deletes a timer; false where there is none. */
    boolean delete(long time, K key) {
        TimerKey<K> timer = new TimerKey<>(time, key);
        boolean wasNear = near.remove(timer);
        Pane<TimerKey<K>, Long> pane = isOver(timer) ? null : buckets.find(timer);
        if (pane != null) {
            pane.remove(timer);
            TimerWalk<K> walk = walkOver(pane);
            if (walk != null) {
                walk.skip(timer);
            }
        }
        if (!wasNear && pane == null) {
            return false;
        }
        size--;
        return true;
    }

    /** Whether there is something to do at {@code watermark}: to {@link #advance}, {@link #poll} and {@link #finish}. */
    boolean isDue(long watermark) {
        return Watermark.reaches(watermark, due);
    }

    /** Moves on to {@code watermark}, at which there is nothing to do. */
    void pass(long watermark) {
        reached = watermark;
        passed = watermark;
    }

    /** Begins an advance to {@code watermark}: {@link #poll} hands out what that makes due. */
    void advance(long watermark) {
        reached = watermark;
    }

    /** The next timer that is due, which is over then; null where there is none. */
    @Nullable
    TimerKey<K> poll() {
        for (; ; ) {
            TimerWalk<K> walk = firstWalk();
            TimerKey<K> stored = walk == null ? null : walk.head();
            TimerKey<K> set = near.isEmpty() ? null : near.first();
            boolean isSet = set != null && (stored == null || order.compare(set, stored) <= 0);
            TimerKey<K> head = isSet ? set : stored;
            if (nextBegin != Watermark.END
                    && Watermark.reaches(reached, nextBegin)
                    && (head == null || nextBegin <= head.time())) {
                openNext();
            } else if (head == null || !Watermark.reaches(reached, head.time())) {
                return null;
            } else if (isSet) {
                near.pollFirst();
                return called(head);
            } else {
                if (walk != null) {
                    walk.pass();
                }
                if (!isOver(head)) {
                    return called(head);
                }
            }
        }
    }

    private TimerKey<K> called(TimerKey<K> timer) {
        size--;
        if (Watermark.advances(passed, reached)) {
            current = timer;
        }
        return timer;
    }

    private @Nullable TimerWalk<K> firstWalk() {
        TimerWalk<K> first = null;
        TimerKey<K> earliest = null;
        for (TimerWalk<K> walk : walks) {
            TimerKey<K> head = walk.head();
            if (head != null && (earliest == null || order.compare(head, earliest) < 0)) {
                first = walk;
                earliest = head;
            }
        }
        return first;
    }

    private @Nullable TimerWalk<K> walkOver(Pane<TimerKey<K>, Long> pane) {
        for (TimerWalk<K> walk : walks) {
            if (walk.pane == pane) {
                return walk;
            }
        }
        return null;
    }

    private void openNext() {
        Pane<TimerKey<K>, Long> pane = hasOpened ? store.after(opened) : store.first();
        if (pane == null) {
            nextBegin = Watermark.END;
            return;
        }
        opened = pane.start();
        hasOpened = true;
        walks.add(new TimerWalk<>(pane, order));
        findNext(store.after(opened));
    }

    /** An advance is through: buckets whose timers are all over go. */
    void finish() {
        passed = reached;
        current = null;
        due = near.isEmpty() ? nextBegin : Math.min(nextBegin, near.first().time());
        Pane<TimerKey<K>, Long> pane = store.first();
        while (pane != null && Watermark.reaches(passed, TimerBuckets.begin(pane))) {
            Pane<TimerKey<K>, Long> next = store.after(pane.start());
            if (isThrough(pane)) {
                drop(pane);
            } else {
                due = Math.min(due, Watermark.closing(TimerBuckets.end(pane)));
            }
            pane = next;
        }
        for (TimerWalk<K> walk : walks) {
            TimerKey<K> head = walk.head();
            due = head == null ? due : Math.min(due, head.time());
        }
    }

    private boolean isThrough(Pane<TimerKey<K>, Long> pane) {
        if (Watermark.closes(passed, TimerBuckets.end(pane))) {
            return true;
        }
        TimerWalk<K> walk = walkOver(pane);
        return walk != null && walk.head() == null && !TimerBuckets.isNarrowest(pane);
    }

    private void drop(Pane<TimerKey<K>, Long> pane) {
        walks.removeIf(walk -> walk.pane == pane);
        buckets.drop(pane);
    }

    /** Timers set and not called, with the watermark, go into the transaction of a passing barrier. */
    void flush(StateTransaction transaction) {
        store.flush(transaction);
        transaction.longs(operator, SIZE_NAME, new long[] {size});
    }

    /** How many timers are set. */
    long size() {
        return size;
    }

    /** The watermark below which none is due. */
    long due() {
        return due;
    }

    /** How many are stored, with those that are over and go with their bucket. */
    long stored() {
        return store.entryCount();
    }
}
