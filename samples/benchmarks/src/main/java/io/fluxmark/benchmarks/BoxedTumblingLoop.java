package io.fluxmark.benchmarks;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/** Tumbling windows with hash maps and boxed keys: what straightforward hand-written code does. */
final class BoxedTumblingLoop extends ReferenceLoop {

    private final TreeMap<Long, HashMap<Long, Accumulator>> open = new TreeMap<>();
    private final long size;

    BoxedTumblingLoop(Generator generator, long size) {
        super(generator);
        this.size = size;
    }

    @Override
    boolean add(long key, long value, long timestamp) {
        long start = timestamp - timestamp % size;
        if (isClosed(start + size)) {
            return false;
        }
        open.computeIfAbsent(start, s -> new HashMap<>())
                .computeIfAbsent(key, k -> new Accumulator())
                .add(value);
        return true;
    }

    @Override
    void fire() {
        Iterator<Map.Entry<Long, HashMap<Long, Accumulator>>> windows =
                open.entrySet().iterator();
        while (windows.hasNext()) {
            Map.Entry<Long, HashMap<Long, Accumulator>> window = windows.next();
            if (!isClosed(window.getKey() + size)) {
                return;
            }
            window.getValue().forEach((key, a) -> tally.add(key, window.getKey(), a.count, a.sum, a.max));
            windows.remove();
        }
    }
}
