package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;

/** A part of a transaction that takes nothing but longs. */
final class LongsPart implements StateTransaction {

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(String operator, String name, long[] values) {}

    private final long id;
    private final List<Entry> entries = new ArrayList<>();

    LongsPart(long id) {
        this.id = id;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public void longs(String operator, String name, long[] values) {
        entries.add(new Entry(operator, name, values.clone()));
    }

    void addTo(StateTransaction whole) {
        entries.forEach(entry -> whole.longs(entry.operator, entry.name, entry.values));
    }
}
