package io.fluxmark.state;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The dropped ranges whose entries are still in the file: per table disjoint ranges {@code [from, to)}. Immutable, so a
 * view keeps the index of its own commit.
 */
final class DropIndex {

    static final DropIndex EMPTY = new DropIndex(new EnumMap<>(StoreTable.class));

    /** The entries of {@code [from, to)}; never compared as a whole, so its arrays do no harm. */
    @SuppressWarnings("ArrayRecordComponent")
    record Range(StoreTable table, byte[] from, byte[] to) {}

    private final Map<StoreTable, NavigableMap<byte[], byte[]>> ranges;

    private DropIndex(Map<StoreTable, NavigableMap<byte[], byte[]>> ranges) {
        this.ranges = ranges;
    }

    /** The range that hides a key, or null if it is visible. */
    @Nullable
    Range covering(StoreTable table, byte[] key) {
        NavigableMap<byte[], byte[]> ofTable = ranges.get(table);
        if (ofTable == null) {
            return null;
        }
        Map.Entry<byte[], byte[]> candidate = ofTable.floorEntry(key);
        return candidate == null || KeyBytes.compare(key, candidate.getValue()) >= 0
                ? null
                : new Range(table, candidate.getKey(), candidate.getValue());
    }

    /** The first range that overlaps or touches {@code [from, to]}, or null. */
    @Nullable
    Range overlapping(StoreTable table, byte[] from, byte[] to) {
        NavigableMap<byte[], byte[]> ofTable = ranges.get(table);
        if (ofTable == null) {
            return null;
        }
        Map.Entry<byte[], byte[]> candidate = ofTable.floorEntry(to);
        return candidate == null || KeyBytes.compare(candidate.getValue(), from) < 0
                ? null
                : new Range(table, candidate.getKey(), candidate.getValue());
    }

    /** Any range, or null if there is none. */
    @Nullable
    Range first() {
        for (Map.Entry<StoreTable, NavigableMap<byte[], byte[]>> entry : ranges.entrySet()) {
            Map.Entry<byte[], byte[]> range = entry.getValue().firstEntry();
            return new Range(entry.getKey(), range.getKey(), range.getValue());
        }
        return null;
    }

    DropIndex plus(Range range) {
        NavigableMap<byte[], byte[]> ofTable = copy(range.table());
        ofTable.put(range.from(), range.to());
        return with(range.table(), ofTable);
    }

    DropIndex minus(Range range) {
        NavigableMap<byte[], byte[]> ofTable = copy(range.table());
        ofTable.remove(range.from());
        return with(range.table(), ofTable);
    }

    int size() {
        int size = 0;
        for (NavigableMap<byte[], byte[]> ofTable : ranges.values()) {
            size += ofTable.size();
        }
        return size;
    }

    private NavigableMap<byte[], byte[]> copy(StoreTable table) {
        NavigableMap<byte[], byte[]> copy = new TreeMap<>(Arrays::compareUnsigned);
        NavigableMap<byte[], byte[]> ofTable = ranges.get(table);
        if (ofTable != null) {
            copy.putAll(ofTable);
        }
        return copy;
    }

    private DropIndex with(StoreTable table, NavigableMap<byte[], byte[]> ofTable) {
        Map<StoreTable, NavigableMap<byte[], byte[]>> copy = new EnumMap<>(StoreTable.class);
        copy.putAll(ranges);
        if (ofTable.isEmpty()) {
            copy.remove(table);
        } else {
            copy.put(table, ofTable);
        }
        return new DropIndex(copy);
    }
}
