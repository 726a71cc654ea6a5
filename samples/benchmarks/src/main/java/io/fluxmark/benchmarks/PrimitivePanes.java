package io.fluxmark.benchmarks;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reused tables of primitives by the start of their span. */
final class PrimitivePanes {

    private final TreeMap<Long, PrimitiveTable> open = new TreeMap<>();
    private final ArrayDeque<PrimitiveTable> free = new ArrayDeque<>();

    /** The two tables used last. */
    private @Nullable PrimitiveTable recent;

    private @Nullable PrimitiveTable previous;

    PrimitiveTable get(long start) {
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

    @Nullable
    PrimitiveTable first() {
        Map.Entry<Long, PrimitiveTable> first = open.firstEntry();
        return first == null ? null : first.getValue();
    }

    /** The tables that start in {@code [start, end)}. */
    Collection<PrimitiveTable> between(long start, long end) {
        return open.subMap(start, end).values();
    }

    void drop(PrimitiveTable table) {
        open.remove(table.start);
        table.clear();
        free.push(table);
        recent = null;
        previous = null;
    }
}
