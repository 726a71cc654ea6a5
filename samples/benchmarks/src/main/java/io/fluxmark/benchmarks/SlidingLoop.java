package io.fluxmark.benchmarks;

/** Sliding windows over panes of one slide, in tables of primitives: a window that fires merges its panes. */
final class SlidingLoop extends ReferenceLoop {

    private final PrimitivePanes panes = new PrimitivePanes();
    private final PrimitiveTable window = new PrimitiveTable();
    private final long size;
    private final long slide;
    private long next = Long.MIN_VALUE;

    /** {@code size} is a multiple of {@code slide}. */
    SlidingLoop(Generator generator, long size, long slide) {
        super(generator);
        this.size = size;
        this.slide = slide;
    }

    @Override
    boolean add(long key, long value, long timestamp) {
        long pane = timestamp - timestamp % slide;
        if (isClosed(pane + size)) {
            return false;
        }
        panes.get(pane).add(key, 1, value, value);
        return true;
    }

    @Override
    void fire() {
        for (PrimitiveTable first = panes.first(); first != null; first = panes.first()) {
            long start = Math.max(next, first.start - size + slide);
            if (!isClosed(start + size)) {
                return;
            }
            window.clear();
            for (PrimitiveTable pane : panes.between(start, start + size)) {
                pane.addTo(window);
            }
            window.addTo(tally, start);
            next = start + slide;
            if (first.start < next) {
                panes.drop(first);
            }
        }
    }
}
