package io.fluxmark.benchmarks;

/** Tumbling windows in reused tables of primitives: about what one thread can do at all. */
final class TumblingLoop extends ReferenceLoop {

    private final PrimitivePanes panes = new PrimitivePanes();
    private final long size;

    TumblingLoop(Generator generator, long size) {
        super(generator);
        this.size = size;
    }

    @Override
    boolean add(long key, long value, long timestamp) {
        long start = timestamp - timestamp % size;
        if (isClosed(start + size)) {
            return false;
        }
        panes.get(start).add(key, 1, value, value);
        return true;
    }

    @Override
    void fire() {
        for (PrimitiveTable table = panes.first();
                table != null && isClosed(table.start + size);
                table = panes.first()) {
            table.addTo(tally, table.start);
            panes.drop(table);
        }
    }
}
