package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * The open fixed windows of one lane, a pane each, and the watermarks at which something is due. Fired and unfired windows
 * are told apart by the watermark alone: a window is fired when the watermark of the last finished advance closes it. The
 * ends of windows rise with their starts, so that the order of panes is the order of firing.
 */
final class WindowPanes<K, A> {

    private final WindowSpec windows;
    private final PaneStore<K, A> store;

    /** The two windows used last: out-of-order events mostly fall into the newest two. */
    private @Nullable Pane<K, A> recent;

    private @Nullable Pane<K, A> previous;

    /** The earliest watermark at which a window closes or expires. */
    private long due = Watermark.END;

    WindowPanes(WindowSpec windows, PaneStore<K, A> store, long watermark) {
        this.windows = windows;
        this.store = store;
        schedule(watermark);
    }

    /** Whether an advance to {@code watermark} closes or expires a window. */
    boolean isDue(long watermark) {
        return Watermark.reaches(watermark, due);
    }

    /**
     * The start of the last window that holds {@code timestamp}. A pane that exists keeps the bounds that it was made with,
     * whatever the rules of its time zone have become since (S09).
     */
    long startOf(long timestamp) {
        Pane<K, A> pane = recent;
        if (pane != null && holds(pane, timestamp)) {
            return pane.start();
        }
        pane = previous;
        if (pane != null && holds(pane, timestamp)) {
            return pane.start();
        }
        if (windows.kind() == WindowSpec.Kind.CALENDAR) {
            pane = store.floor(timestamp);
            if (pane != null && holds(pane, timestamp)) {
                return pane.start();
            }
        }
        return windows.startOf(timestamp);
    }

    private static boolean holds(Pane<?, ?> pane, long timestamp) {
        return timestamp >= pane.start() && timestamp < pane.end();
    }

    /** The end of the window that starts at {@code start}, whether or not its pane exists. */
    long endOf(long start) {
        Pane<K, A> pane = recent;
        if (pane != null && pane.start() == start) {
            return pane.end();
        }
        if (windows.kind() == WindowSpec.Kind.CALENDAR) {
            pane = store.find(start);
            if (pane != null) {
                return pane.end();
            }
        }
        return windows.endOf(start);
    }

    /** The pane of the window {@code [start, end)}, made when it does not exist. */
    Pane<K, A> open(long start, long end, long watermark) {
        Pane<K, A> pane = recent;
        if (pane != null && pane.start() == start) {
            return pane;
        }
        pane = previous;
        if (pane != null && pane.start() == start) {
            return pane;
        }
        pane = store.open(start, end);
        due = Math.min(due, nextDue(pane, watermark));
        previous = recent;
        recent = pane;
        return pane;
    }

    private long nextDue(Pane<K, A> pane, long watermark) {
        return Watermark.closes(watermark, pane.end())
                ? Watermark.expiry(pane.end(), windows.allowedLatenessMillis())
                : Watermark.closing(pane.end());
    }

    /** The pane of the window that starts at {@code start}, or null. */
    @Nullable
    Pane<K, A> find(long start) {
        return store.find(start);
    }

    /** The first window that {@code before} has not closed, or null. */
    @Nullable
    Pane<K, A> firstUnfired(long before) {
        if (before == Watermark.NONE) {
            return store.first();
        }
        if (windows.kind() != WindowSpec.Kind.CALENDAR) {
            return store.after(Watermark.before(before, windows.sizeMillis() - 1));
        }
        Pane<K, A> pane = store.first(); // no more than the windows of one allowed lateness are walked over
        while (pane != null && Watermark.closes(before, pane.end())) {
            pane = store.after(pane.start());
        }
        return pane;
    }

    /** {@code pane} if {@code watermark} closes it, else null. */
    @Nullable
    Pane<K, A> closed(@Nullable Pane<K, A> pane, long watermark) {
        return pane != null && Watermark.closes(watermark, pane.end()) ? pane : null;
    }

    /** The pane behind {@code pane}, or null. */
    @Nullable
    Pane<K, A> after(Pane<K, A> pane) {
        return store.after(pane.start());
    }

    /** Drops what {@code watermark} expires and finds out what is due next; returns how many entries went. */
    long finishAdvance(long watermark) {
        long lateness = windows.allowedLatenessMillis();
        long gone = 0;
        for (Pane<K, A> pane = store.first();
                pane != null && Watermark.expires(watermark, pane.end(), lateness);
                pane = store.first()) {
            gone += pane.size();
            store.drop(pane);
        }
        recent = null;
        previous = null;
        schedule(watermark);
        return gone;
    }

    private void schedule(long watermark) {
        due = Watermark.END;
        Pane<K, A> first = store.first();
        if (first != null) {
            due = nextDue(first, watermark);
            Pane<K, A> unfired = firstUnfired(watermark);
            if (unfired != null) {
                due = Math.min(due, nextDue(unfired, watermark));
            }
        }
    }

    void flush(StateTransaction transaction) {
        store.flush(transaction);
    }

    long entries() {
        return store.entryCount();
    }

    WindowStatus status(long watermark) {
        Pane<K, A> unfired = firstUnfired(watermark);
        long open = 0;
        for (Pane<K, A> pane = unfired; pane != null; pane = store.after(pane.start())) {
            open++;
        }
        TimeWindow next = unfired == null ? null : new TimeWindow(unfired.start(), unfired.end());
        return new WindowStatus(watermark, open, entries(), next);
    }
}
