package io.fluxmark.benchmarks;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/** With hash maps and boxed keys: what straightforward hand-written code does. */
final class BoxedLoop extends ReferenceLoop {

    private final TreeMap<Long, HashMap<Long, Accumulator>> open = new TreeMap<>();

    @Override
    void add(long start, long key, long value) {
        open.computeIfAbsent(start, s -> new HashMap<>())
                .computeIfAbsent(key, k -> new Accumulator())
                .add(value);
    }

    @Override
    void fire() {
        Iterator<Map.Entry<Long, HashMap<Long, Accumulator>>> windows =
                open.entrySet().iterator();
        while (windows.hasNext()) {
            Map.Entry<Long, HashMap<Long, Accumulator>> window = windows.next();
            if (!isClosed(window.getKey())) {
                return;
            }
            window.getValue().forEach((key, a) -> tally.add(key, window.getKey(), a.count, a.sum, a.max));
            windows.remove();
        }
    }
}
