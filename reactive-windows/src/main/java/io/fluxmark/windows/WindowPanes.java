package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * The open tumbling windows of one lane and the watermarks at which something is due. Fired and unfired windows are told
 * apart by the watermark alone: a window is fired when the watermark of the last finished advance closes it.
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

    /** The start of the window that holds {@code timestamp}. */
    long startOf(long timestamp) {
        Pane<K, A> pane = recent;
        if (pane != null && holds(pane, timestamp)) {
            return pane.start();
        }
        pane = previous;
        return pane != null && holds(pane, timestamp) ? pane.start() : windows.startOf(timestamp);
    }

    private boolean holds(Pane<K, A> pane, long timestamp) {
        long into = timestamp - pane.start();
        return into >= 0 && into < windows.sizeMillis();
    }

    /** The pane of the window that starts at {@code start}, made when it does not exist. */
    Pane<K, A> open(long start, long watermark) {
        Pane<K, A> pane = recent;
        if (pane != null && pane.start() == start) {
            return pane;
        }
        pane = previous;
        if (pane != null && pane.start() == start) {
            return pane;
        }
        pane = store.open(start);
        due = Math.min(due, nextDue(start, watermark));
        previous = recent;
        recent = pane;
        return pane;
    }

    private long nextDue(long start, long watermark) {
        long end = windows.endOf(start);
        return Watermark.closes(watermark, end)
                ? Watermark.expiry(end, windows.allowedLatenessMillis())
                : Watermark.closing(end);
    }

    /** The earliest window that closed at {@code watermark} but not yet at {@code before}, or null. */
    @Nullable
    Pane<K, A> nextToFire(long before, long watermark, @Nullable Pane<K, A> fired) {
        Pane<K, A> pane;
        if (fired != null) {
            pane = store.after(fired.start());
        } else if (before == Watermark.NONE) {
            pane = store.first();
        } else {
            pane = store.after(lastStartClosedAt(before));
        }
        return pane != null && Watermark.closes(watermark, windows.endOf(pane.start())) ? pane : null;
    }

    /** The start of the last window, existing or not, that {@code watermark} closes; saturates at the far end. */
    private long lastStartClosedAt(long watermark) {
        return Watermark.before(watermark, windows.sizeMillis() - 1);
    }

    /** Drops what {@code watermark} expires and finds out what is due next. */
    void finishAdvance(long watermark) {
        long lateness = windows.allowedLatenessMillis();
        for (Pane<K, A> pane = store.first();
                pane != null && Watermark.expires(watermark, windows.endOf(pane.start()), lateness);
                pane = store.first()) {
            store.drop(pane);
        }
        recent = null;
        previous = null;
        schedule(watermark);
    }

    private void schedule(long watermark) {
        due = Watermark.END;
        Pane<K, A> first = store.first();
        if (first != null) {
            due = nextDue(first.start(), watermark);
            Pane<K, A> unfired = watermark == Watermark.NONE ? first : store.after(lastStartClosedAt(watermark));
            if (unfired != null) {
                due = Math.min(due, nextDue(unfired.start(), watermark));
            }
        }
    }

    void flush(StateTransaction transaction) {
        store.flush(transaction);
    }

    long entries() {
        return store.entryCount();
    }
}
