package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The windows of one key, by start; they do not overlap, so that they are in the order of their ends too.
 *
 * <p>This is itself the newest of them, and the others hang from it: mostly there is one and it is the newest that events
 * touch, and with many keys each object on the way to it costs more than all that is done with it. So a window may become
 * another object when one is inserted or removed.
 */
final class LiveWindows<K, A> extends LiveWindow<A> {

    /** No place in the index is known: after a restart, and when the state has left the heap. */
    static final long UNKNOWN = Long.MIN_VALUE;

    /** Whose they are; null only until they are asked for. */
    @Nullable
    K key;

    /**
     * Where the index holds the key, a lower bound of when its windows are due. Not part of the stored state: what is
     * unknown has a place at or before that time all the same.
     */
    long filed = UNKNOWN;

    /** Whether the key is noted for the next early result; not part of the stored state, the next event sets it again. */
    boolean awaitsEarly;

    private int size;

    /** The oldest, where it is not the newest too. */
    private @Nullable LiveWindow<A> first;

    LiveWindows() {
        super(0, 0, 0, null);
    }

    /** None, but the key is known: what it has has to be found. */
    static <K, A> LiveWindows<K, A> ofKey(K key) {
        LiveWindows<K, A> windows = new LiveWindows<>();
        windows.key = key;
        return windows;
    }

    /** They are those of {@code owner}. To write a reference that is there already costs more than to look. */
    void named(K owner) {
        if (key != owner) {
            key = owner;
        }
    }

    K key() {
        return Objects.requireNonNull(key, "key");
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    @Nullable
    LiveWindow<A> newest() {
        return size == 0 ? null : this;
    }

    @Nullable
    LiveWindow<A> oldest() {
        return size == 0 ? null : first == null ? this : first;
    }

    /** Begins the only window, of no events yet. */
    LiveWindow<A> begin(long first, long firstBehind, A empty) {
        size = 1;
        start = first;
        end = firstBehind;
        last = first;
        count = 0;
        late = 0;
        revision = -1;
        accumulator = empty;
        return this;
    }

    /** Puts {@code window} behind {@code before}, or as the oldest, and returns what it is from now on. */
    LiveWindow<A> insert(@Nullable LiveWindow<A> before, LiveWindow<A> window) {
        size++;
        if (size == 1) {
            become(window);
            return this;
        }
        if (before == this) {
            LiveWindow<A> moved = new LiveWindow<>(start, end, last, accumulator);
            moved.become(this);
            link(older, moved, this);
            become(window);
            return this;
        }
        link(before, window, before == null ? Objects.requireNonNull(oldest(), "oldest") : before.newer);
        return window;
    }

    /** Lets {@code window} take the place of those from {@code oldestGone} to {@code newestGone}; as {@link #insert}. */
    LiveWindow<A> replace(LiveWindow<A> oldestGone, LiveWindow<A> newestGone, LiveWindow<A> window) {
        for (LiveWindow<A> gone = oldestGone; gone != newestGone; gone = Objects.requireNonNull(gone.newer, "newer")) {
            remove(gone);
        }
        newestGone.become(window);
        return newestGone;
    }

    /** Removes {@code window}. */
    void remove(LiveWindow<A> window) {
        size--;
        if (window != this) {
            link(window.older, null, window.newer);
            return;
        }
        LiveWindow<A> next = older;
        if (next == null) {
            accumulator = null;
            emitted = List.of();
        } else {
            become(next);
            link(next.older, null, this);
        }
    }

    /** Makes {@code middle}, or nothing, stand between two neighbours; {@code right} is never older than the newest. */
    private void link(@Nullable LiveWindow<A> left, @Nullable LiveWindow<A> middle, @Nullable LiveWindow<A> right) {
        LiveWindow<A> ofRight = middle == null ? left : middle;
        LiveWindow<A> ofLeft = middle == null ? right : middle;
        if (middle != null) {
            middle.older = left;
            middle.newer = right;
        }
        if (right != null) {
            right.older = ofRight;
        }
        if (left == null) {
            first = ofLeft == this ? null : ofLeft;
        } else {
            left.newer = ofLeft;
        }
    }

    /** The newest window that starts before {@code end}, or null. */
    @Nullable
    LiveWindow<A> lastBefore(long end) {
        LiveWindow<A> window = newest();
        while (window != null && window.start >= end) {
            window = window.older;
        }
        return window;
    }

    /** The window with these bounds, or null. */
    @Nullable
    LiveWindow<A> find(long start, long end) {
        LiveWindow<A> window = newest();
        while (window != null && window.start > start) {
            window = window.older;
        }
        return window != null && window.start == start && window.end == end ? window : null;
    }
}
