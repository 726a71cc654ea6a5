package io.fluxmark.windows;

/** What one pane, a span of event time that windows share, holds for each slot. */
final class SlotPane<A> extends SlotTable<A> {

    /** The first instant of the pane. */
    final long start;

    /** The starts of the first and of the last window over the pane, and how many there are. */
    final long firstWindow;

    final long lastWindow;
    final int windowCount;

    /** The watermark that closes the first of them. */
    private final long closing;

    SlotPane(long start, long firstWindow, WindowSpec windows, boolean counting, int expected, int slotBound) {
        super(counting, expected, slotBound);
        this.start = start;
        this.firstWindow = firstWindow;
        this.lastWindow = windows.startOf(start);
        this.windowCount = (int) ((lastWindow - firstWindow) / windows.slideMillis()) + 1;
        this.closing = Watermark.closing(windows.endOf(firstWindow));
    }

    /** Whether {@code watermark} closes a window over the pane. */
    boolean isClosedAt(long watermark) {
        return Watermark.reaches(watermark, closing);
    }
}
