package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/** The windows of one key, by start; they do not overlap, so that they are in the order of their ends too. */
final class LiveWindows<A> {

    /** No place in the index is known: after a restart, and when the state has left the heap. */
    static final long UNKNOWN = Long.MIN_VALUE;

    @Nullable
    LiveWindow<A> newest;

    @Nullable
    LiveWindow<A> oldest;

    /**
     * Where the index holds the key, a lower bound of when its windows are due. Not part of the stored state: what is
     * unknown has a place at or before that time all the same.
     */
    long filed = UNKNOWN;

    /** Whether the key is noted for the next early result; not part of the stored state, the next event sets it again. */
    boolean awaitsEarly;

    boolean isEmpty() {
        return newest == null;
    }

    /** Links {@code window} in behind {@code older}, or as the oldest. */
    void insert(@Nullable LiveWindow<A> older, LiveWindow<A> window) {
        LiveWindow<A> newer = older == null ? oldest : older.newer;
        window.older = older;
        window.newer = newer;
        if (older == null) {
            oldest = window;
        } else {
            older.newer = window;
        }
        if (newer == null) {
            newest = window;
        } else {
            newer.older = window;
        }
    }

    /** Unlinks {@code window}, which keeps its own links. */
    void remove(LiveWindow<A> window) {
        LiveWindow<A> older = window.older;
        LiveWindow<A> newer = window.newer;
        if (older == null) {
            oldest = newer;
        } else {
            older.newer = newer;
        }
        if (newer == null) {
            newest = older;
        } else {
            newer.older = older;
        }
    }

    /** The newest window that starts before {@code end}, or null. */
    @Nullable
    LiveWindow<A> lastBefore(long end) {
        LiveWindow<A> window = newest;
        while (window != null && window.start >= end) {
            window = window.older;
        }
        return window;
    }

    /** The window with these bounds, or null. */
    @Nullable
    LiveWindow<A> find(long start, long end) {
        LiveWindow<A> window = newest;
        while (window != null && window.start > start) {
            window = window.older;
        }
        return window != null && window.start == start && window.end == end ? window : null;
    }
}
