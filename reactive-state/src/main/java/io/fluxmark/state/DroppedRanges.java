package io.fluxmark.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.jspecify.annotations.Nullable;

/**
 * Range deletion in slices. The store has no range delete and removing a large pane entry by entry takes seconds, so a
 * drop is one record in its commit that hides the range at once; the entries go later, a bounded number per commit, and
 * the record with the last of them. Records survive a restart, so the removal goes on where it stopped.
 *
 * <p>Confined to the store thread, except {@link #index()}. Readers take the index <em>before</em> they look into a map:
 * ranges appear in it before anything is removed and shrink only after the new entry is in place, so an old index can
 * only hide an entry that was not there a moment ago.
 *
 * <pre>
 * key    table code (byte), from (rest)
 * value  to
 * </pre>
 */
final class DroppedRanges {

    // Puts into a hidden range split its record; beyond this many records ranges are emptied instead, so that the index
    // stays small.
    static final int MAX_RANGES = 1024;

    private static final int REMOVAL_RUN = 1024;

    /** How many entries were removed and where to go on; no place to go on means that the range is empty. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Removal(int count, byte @Nullable [] resume) {}

    private final StoreFile file;
    private volatile DropIndex index;

    DroppedRanges(StoreFile file) {
        this.file = file;
        DropIndex loaded = DropIndex.EMPTY;
        for (Map.Entry<byte[], byte[]> entry : file.drops().entrySet()) {
            byte[] key = entry.getKey();
            byte[] to = ValueFrame.open("drops", key, entry.getValue());
            loaded = loaded.plus(
                    new DropIndex.Range(StoreTable.ofCode(key[0]), Arrays.copyOfRange(key, 1, key.length), to));
        }
        index = loaded;
    }

    DropIndex index() {
        return index;
    }

    /** Hides all entries now in the range. */
    void drop(StoreTable table, byte[] from, byte[] to) {
        byte[] low = from;
        byte[] high = to;
        DropIndex next = index;
        DropIndex.Range other;
        while ((other = next.overlapping(table, low, high)) != null) {
            low = KeyBytes.compare(other.from(), low) < 0 ? other.from() : low;
            high = KeyBytes.compare(other.to(), high) > 0 ? other.to() : high;
            next = forget(next, other);
        }
        index = remember(next, new DropIndex.Range(table, low, high));
    }

    /** Puts an entry so that it is visible even where older ones are hidden. */
    void put(StoreTable table, byte[] key, byte[] frame) {
        MVMap<byte[], byte[]> map = file.table(table);
        DropIndex.Range range = index.covering(table, key);
        if (range != null && index.size() >= MAX_RANGES) {
            remove(map, range, Integer.MAX_VALUE);
            index = forget(index, range);
            range = null;
        }
        map.put(key, frame);
        if (range != null) {
            DropIndex next = forget(index, range);
            if (KeyBytes.compare(range.from(), key) < 0) {
                next = remember(next, new DropIndex.Range(table, range.from(), key));
            }
            byte[] after = KeyBytes.successor(key);
            if (KeyBytes.compare(after, range.to()) < 0) {
                next = remember(next, new DropIndex.Range(table, after, range.to()));
            }
            index = next;
        }
    }

    /** Removes at most this many hidden entries, or more where there are too many ranges to remember. */
    void removeSlice(int entries) {
        long left = entries;
        DropIndex.Range range;
        while ((left > 0 || index.size() > MAX_RANGES) && (range = index.first()) != null) {
            int quota = index.size() > MAX_RANGES ? Integer.MAX_VALUE : (int) left;
            Removal removal = remove(file.table(range.table()), range, quota);
            DropIndex next = forget(index, range);
            if (removal.resume() != null) {
                next = remember(next, new DropIndex.Range(range.table(), removal.resume(), range.to()));
            }
            index = next;
            left -= Math.max(1, removal.count());
        }
    }

    boolean pending() {
        return index.size() > 0;
    }

    private static Removal remove(MVMap<byte[], byte[]> map, DropIndex.Range range, int quota) {
        int count = 0;
        byte[] from = range.from();
        while (count < quota) {
            // Collected before removing: a cursor must not outlive changes of its map.
            List<byte[]> run = new ArrayList<>();
            int size = Math.min(quota - count, REMOVAL_RUN);
            Cursor<byte[], byte[]> cursor = map.cursor(from);
            while (run.size() < size && cursor.hasNext()) {
                byte[] key = cursor.next();
                if (KeyBytes.compare(key, range.to()) >= 0) {
                    break;
                }
                run.add(key);
            }
            run.forEach(map::remove);
            count += run.size();
            if (run.size() < size) {
                return new Removal(count, null);
            }
            from = KeyBytes.successor(run.get(run.size() - 1));
        }
        return new Removal(count, from);
    }

    private DropIndex remember(DropIndex to, DropIndex.Range range) {
        byte[] key = recordKey(range);
        file.drops().put(key, ValueFrame.of(key, range.to()));
        return to.plus(range);
    }

    private DropIndex forget(DropIndex from, DropIndex.Range range) {
        file.drops().remove(recordKey(range));
        return from.minus(range);
    }

    private static byte[] recordKey(DropIndex.Range range) {
        return KeyBytes.key().add(range.table().code()).addRaw(range.from()).toBytes();
    }
}
