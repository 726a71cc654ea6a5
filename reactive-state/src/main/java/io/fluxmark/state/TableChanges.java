package io.fluxmark.state;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction changes in one table, by key. Changes come in the order of their keys as a rule, since windows fire in
 * the order of theirs: such changes are only packed one behind the other. Those that come out of order are kept in a tree beside
 * them. Arrays that are handed out are copies. Not thread-safe.
 */
final class TableChanges {

    // What an entry costs beside its bytes: array headers, tree node, page slot. A rough figure for bounds.
    static final int OVERHEAD = 96;

    /** Receives a change: a frame, or null for a removal. */
    interface Visitor {
        void change(byte[] key, byte @Nullable [] frame);
    }

    /** A frame, or none for a removal; a tree's values cannot say that without a holder. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Change(byte @Nullable [] frame) {}

    /** Rising keys, and what they become. */
    private final PackedEntries risen = new PackedEntries();

    /** Keys that came out of order, none of them among the rising ones. */
    private final NavigableMap<byte[], Change> others = new TreeMap<>(Arrays::compareUnsigned);

    private long bytes;

    /** How many keys are changed. */
    int size() {
        return risen.size() + others.size();
    }

    /** About what they occupy on the heap. */
    long bytes() {
        return bytes;
    }

    /** Sets or replaces the change of a key; a null frame removes the entry. */
    void put(byte[] key, byte @Nullable [] frame) {
        int at = risen.find(key);
        if (at >= 0) {
            bytes += length(frame) - (long) risen.valueLength(at);
            risen.set(at, frame);
        } else if (-at - 1 == risen.size() && isAboveOthers(key)) {
            risen.append(key, frame);
            bytes += size(key, frame);
        } else {
            Change previous = others.put(key, new Change(frame));
            bytes += previous == null ? size(key, frame) : length(frame) - (long) length(previous.frame());
        }
    }

    /** Sets or replaces a row; the key is copied where it is kept. */
    void putRow(byte[] key, int lane, long transaction, byte[] value) {
        if (risen.find(key) == -risen.size() - 1 && isAboveOthers(key)) {
            risen.appendRow(key, lane, transaction, value);
            bytes += (long) OVERHEAD + key.length + ValueFrame.rowLength(value);
        } else {
            put(key.clone(), ValueFrame.ofRow(key, lane, transaction, value));
        }
    }

    /** Others can be above all rising keys where the last of these have been forgotten. */
    private boolean isAboveOthers(byte[] key) {
        return others.isEmpty() || KeyBytes.compare(key, others.lastKey()) > 0;
    }

    /** Whether a key is changed. */
    boolean holds(byte[] key) {
        return risen.find(key) >= 0 || others.containsKey(key);
    }

    /** The change of a key that {@linkplain #holds is} changed. */
    byte @Nullable [] frame(byte[] key) {
        int at = risen.find(key);
        if (at >= 0) {
            return risen.value(at);
        }
        Change change = others.get(key);
        if (change == null) {
            throw new IllegalStateException("The key is not changed");
        }
        return change.frame();
    }

    /** Whether any key of {@code [from, to)} is changed. */
    boolean holdsAny(byte[] from, byte[] to) {
        return place(from) < place(to) || !others.subMap(from, true, to, false).isEmpty();
    }

    /** Forgets the changes of {@code [from, to)}. */
    void forget(byte[] from, byte[] to) {
        int begin = place(from);
        int end = place(to);
        for (int i = begin; i < end; i++) {
            bytes -= (long) OVERHEAD + risen.keyLength(i) + risen.valueLength(i);
        }
        risen.remove(begin, end);
        NavigableMap<byte[], Change> range = others.subMap(from, true, to, false);
        range.forEach((key, change) -> bytes -= size(key, change.frame()));
        range.clear();
    }

    /** How many rising keys are below this one. */
    private int place(byte[] key) {
        int at = risen.find(key);
        return at >= 0 ? at : -at - 1;
    }

    /** The lowest key; there must be one. */
    byte[] firstKey() {
        if (risen.size() == 0) {
            return others.firstKey();
        }
        return others.isEmpty() || risen.compare(0, others.firstKey()) < 0 ? risen.key(0) : others.firstKey();
    }

    /** The highest key; there must be one. */
    byte[] lastKey() {
        int last = risen.size() - 1;
        if (last < 0) {
            return others.lastKey();
        }
        return others.isEmpty() || risen.compare(last, others.lastKey()) > 0 ? risen.key(last) : others.lastKey();
    }

    /** Hands out all changes in the order of keys. */
    void forEach(Visitor visitor) {
        int next = 0;
        for (Map.Entry<byte[], Change> other : others.entrySet()) {
            for (; next < risen.size() && risen.compare(next, other.getKey()) < 0; next++) {
                visitor.change(risen.key(next), risen.value(next));
            }
            visitor.change(other.getKey(), other.getValue().frame());
        }
        for (; next < risen.size(); next++) {
            visitor.change(risen.key(next), risen.value(next));
        }
    }

    private static int length(byte @Nullable [] frame) {
        return frame == null ? 0 : frame.length;
    }

    private static long size(byte[] key, byte @Nullable [] frame) {
        return (long) OVERHEAD + key.length + length(frame);
    }
}
