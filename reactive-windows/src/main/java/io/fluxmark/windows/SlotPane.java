package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/** What one pane, a span of event time that windows share, holds for each slot: the accumulator of a key's events. */
abstract class SlotPane<T, A> extends SlotTable {

    /** The first instant of the pane. */
    final long start;

    /** The starts of the first and of the last window over the pane, and how many there are. */
    final long firstWindow;

    final long lastWindow;
    final int windowCount;

    /** The watermark that closes the first of them. */
    private final long closing;

    SlotPane(long start, WindowSpec windows, int expected, int slotBound) {
        super(expected, slotBound);
        this.start = start;
        this.firstWindow = windows.firstStartOf(start);
        this.lastWindow = windows.startOf(start);
        this.windowCount = (int) ((lastWindow - firstWindow) / windows.slideMillis()) + 1;
        this.closing = Watermark.closing(windows.endOf(firstWindow));
    }

    /** Whether {@code watermark} closes a window over the pane. */
    final boolean isClosedAt(long watermark) {
        return Watermark.reaches(watermark, closing);
    }

    /** The accumulator of {@code slot}, for reading; null where there is none. */
    abstract @Nullable A get(int slot);

    /** Adds an event where {@code slot} has events already; else it returns false. */
    abstract boolean add(int slot, T event);

    /** Adds the first event of {@code slot}. */
    abstract void addFirst(int slot, T event, int slotBound);

    /** Takes back an event of {@code slot}, which has events; true where it was the last. */
    abstract boolean takeBack(int slot, T event);
}
