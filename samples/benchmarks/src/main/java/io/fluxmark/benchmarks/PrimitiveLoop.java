package io.fluxmark.benchmarks;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** With reused tables of primitives: about what one thread can do at all. */
final class PrimitiveLoop extends ReferenceLoop {

    private final TreeMap<Long, PrimitiveTable> open = new TreeMap<>();
    private final ArrayDeque<PrimitiveTable> free = new ArrayDeque<>();

    /** The two tables used last. */
    private @Nullable PrimitiveTable recent;

    private @Nullable PrimitiveTable previous;

    @Override
    void add(long start, long key, long value) {
        table(start).add(key, 1, value, value);
    }

    private PrimitiveTable table(long start) {
        PrimitiveTable table = recent;
        if (table != null && table.start == start) {
            return table;
        }
        table = previous;
        if (table == null || table.start != start) {
            table = open.computeIfAbsent(start, this::newTable);
        }
        previous = recent;
        recent = table;
        return table;
    }

    private PrimitiveTable newTable(long start) {
        PrimitiveTable table = free.isEmpty() ? new PrimitiveTable() : free.pop();
        table.start = start;
        return table;
    }

    @Override
    void fire() {
        for (Map.Entry<Long, PrimitiveTable> first = open.firstEntry();
                first != null && isClosed(first.getKey());
                first = open.firstEntry()) {
            PrimitiveTable table = first.getValue();
            table.addTo(tally);
            table.clear();
            free.push(table);
            open.remove(first.getKey());
            recent = null;
            previous = null;
        }
    }
}
