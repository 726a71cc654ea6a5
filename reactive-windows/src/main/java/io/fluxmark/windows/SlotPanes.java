package io.fluxmark.windows;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The panes of one lane that the windows over them share, and the watermarks at which something is due. Every start and
 * every end of a window is the border of a pane: panes are as long as the greatest common divisor of size and slide.
 */
final class SlotPanes<T, A> {

    private static final int CACHED = 64;

    private final WindowSpec windows;
    private final PaneLayout<T, A, ?> layout;

    /** The length of a pane, ms. */
    private final long width;

    private final TreeMap<Long, SlotPane<T, A>> panes = new TreeMap<>();

    /** The two panes used last, and panes by their number, as far as one did not take the place of another. */
    private @Nullable SlotPane<T, A> recent;

    private @Nullable SlotPane<T, A> previous;

    private @Nullable SlotPane<T, A>[] cache = newCache();

    /** How many slots the pane that was dropped last held something for. */
    private int expected;

    /** The earliest watermark at which a window closes or a pane expires. */
    private long due = Watermark.END;

    SlotPanes(WindowSpec windows, PaneLayout<T, A, ?> layout) {
        this.windows = windows;
        this.layout = layout;
        this.width = width(windows);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static <T, A> @Nullable SlotPane<T, A>[] newCache() {
        return new SlotPane[CACHED];
    }

    /** The length of the panes of {@code windows}, ms. */
    static long width(WindowSpec windows) {
        long a = windows.sizeMillis();
        long b = windows.slideMillis();
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    /** Which pane, counted from the one at the offset, starts at {@code start}. */
    long number(long start) {
        return (start - windows.offsetMillis()) / width;
    }

    /** Where the pane of that number starts. */
    long startOf(long number) {
        return windows.offsetMillis() + number * width;
    }

    /** Whether an advance to {@code watermark} closes a window or expires a pane. */
    boolean isDue(long watermark) {
        return Watermark.reaches(watermark, due);
    }

    /** The pane that holds {@code timestamp}, if it is one of the two that were found last; else null. */
    @Nullable
    SlotPane<T, A> findRecent(long timestamp) {
        SlotPane<T, A> pane = recent;
        if (pane != null && holds(pane, timestamp)) {
            return pane;
        }
        pane = previous;
        return pane != null && holds(pane, timestamp) ? pane : null;
    }

    /** The pane that holds {@code timestamp}, or null. */
    @Nullable
    SlotPane<T, A> find(long timestamp) {
        SlotPane<T, A> pane = findRecent(timestamp);
        if (pane != null) {
            return pane; // with the two as they are: to swap them for each event would cost more than to look at both
        }
        long number = Math.floorDiv(timestamp - windows.offsetMillis(), width);
        int place = (int) number & (CACHED - 1);
        pane = cache[place];
        if (pane == null || !holds(pane, timestamp)) {
            pane = panes.get(startOf(number));
            if (pane == null) {
                return null;
            }
            cache[place] = pane;
        }
        previous = recent;
        recent = pane;
        return pane;
    }

    private boolean holds(SlotPane<T, A> pane, long timestamp) {
        return timestamp >= pane.start && timestamp < pane.start + width;
    }

    /** Makes the pane that holds {@code timestamp}; null where {@code watermark} has expired all windows over it. */
    @Nullable
    SlotPane<T, A> open(long timestamp, long watermark, int slotBound) {
        if (windows.startOf(timestamp) < earliestUnexpired(watermark)) {
            return null;
        }
        long start = timestamp - Math.floorMod(timestamp - windows.offsetMillis(), width);
        SlotPane<T, A> pane = layout.open(start, windows, expected, slotBound);
        panes.put(start, pane);
        due = Math.min(due, expiry(pane));
        long unfired = Math.max(pane.firstWindow, earliestUnfired(watermark));
        if (unfired <= pane.lastWindow) {
            due = Math.min(due, Watermark.closing(windows.endOf(unfired)));
        }
        return pane;
    }

    /** The earliest start of a window, whether or not there is anything in it, that {@code watermark} has not closed. */
    long earliestUnfired(long watermark) {
        return earliestAfter(watermark, windows.sizeMillis() - 1);
    }

    /** The same of a window that {@code watermark} has not expired. */
    long earliestUnexpired(long watermark) {
        return earliestAfter(watermark, windows.sizeMillis() - 1 + windows.allowedLatenessMillis());
    }

    /** The earliest start that comes after the watermark less {@code millis}. */
    private long earliestAfter(long watermark, long millis) {
        if (watermark == Watermark.END) {
            return Long.MAX_VALUE;
        }
        long last = Watermark.before(watermark, millis);
        return last == Watermark.NONE ? Long.MIN_VALUE : windows.startOf(last) + windows.slideMillis();
    }

    /** The first window over any pane that {@code watermark} has not closed, or null. */
    @Nullable
    TimeWindow firstUnfired(long watermark) {
        return firstFrom(earliestUnfired(watermark));
    }

    /** The first window behind the one that starts at {@code start}, or null. */
    @Nullable
    TimeWindow after(long start) {
        return firstFrom(start + windows.slideMillis());
    }

    /** The first window that starts at {@code earliest} or later and has a pane. */
    private @Nullable TimeWindow firstFrom(long earliest) {
        Map.Entry<Long, SlotPane<T, A>> pane = panes.ceilingEntry(earliest);
        if (pane == null) {
            return null;
        }
        long start = Math.max(earliest, pane.getValue().firstWindow);
        return new TimeWindow(start, windows.endOf(start));
    }

    /** The panes that start in {@code [start, end)}, the earliest first. */
    Collection<SlotPane<T, A>> between(long start, long end) {
        return panes.subMap(start, end).values();
    }

    Collection<SlotPane<T, A>> all() {
        return panes.values();
    }

    /** Takes out the earliest pane, if {@code watermark} has expired all windows over it. */
    @Nullable
    SlotPane<T, A> pollExpired(long watermark) {
        Map.Entry<Long, SlotPane<T, A>> first = panes.firstEntry();
        if (first == null || !Watermark.reaches(watermark, expiry(first.getValue()))) {
            return null;
        }
        panes.remove(first.getKey());
        expected = first.getValue().size();
        recent = null;
        previous = null;
        cache = newCache();
        return first.getValue();
    }

    private long expiry(SlotPane<T, A> pane) {
        return Watermark.expiry(windows.endOf(pane.lastWindow), windows.allowedLatenessMillis());
    }

    /** Finds out what is due next, once all that {@code watermark} closes and expires has fired and gone. */
    void schedule(long watermark) {
        due = panes.isEmpty() ? Watermark.END : expiry(panes.firstEntry().getValue());
        TimeWindow next = firstUnfired(watermark);
        if (next != null) {
            due = Math.min(due, Watermark.closing(next.end()));
        }
    }

    /** How many windows with a pane {@code watermark} has not closed. */
    long countUnfired(long watermark) {
        long from = earliestUnfired(watermark);
        long count = 0;
        for (SlotPane<T, A> pane : panes.values()) {
            long first = Math.max(from, pane.firstWindow);
            if (first <= pane.lastWindow) {
                count += (pane.lastWindow - first) / windows.slideMillis() + 1;
                from = pane.lastWindow + windows.slideMillis();
            }
        }
        return count;
    }
}
