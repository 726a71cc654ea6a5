package io.fluxmark.state;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/**
 * All tables as of one durable commit. While anyone holds it, the file space of that commit and of all later ones is not
 * reused; the last one to leave lets go. Thread-safe.
 */
final class StoreView {

    private final MVStore store;
    private final MVStore.TxCounter usage;
    private final long commit;
    private final DropIndex drops;
    private final MVMap<byte[], byte[]> meta;
    private final MVMap<byte[], byte[]> lanes;
    private final AheadIndex ahead;
    private final Map<StoreTable, MVMap<byte[], byte[]>> tables = new EnumMap<>(StoreTable.class);
    private final AtomicInteger holders = new AtomicInteger(1);
    private final AtomicInteger pinned;

    /** Taken on the store thread right after a commit, before anything is put. */
    StoreView(StoreFile file, long commit, DropIndex drops, AheadIndex ahead, AtomicInteger pinned) {
        this.store = file.store();
        this.commit = commit;
        this.drops = drops;
        this.ahead = ahead;
        this.pinned = pinned;
        usage = store.registerVersionUsage();
        long version = store.getCurrentVersion();
        meta = file.meta().openVersion(version);
        lanes = file.lanes().openVersion(version);
        for (StoreTable table : StoreTable.values()) {
            tables.put(table, file.table(table).openVersion(version));
        }
        pinned.incrementAndGet();
    }

    /** Joins the holders; false if the last one has left already. */
    boolean retain() {
        int count;
        do {
            count = holders.get();
            if (count == 0) {
                return false;
            }
        } while (!holders.compareAndSet(count, count + 1));
        return true;
    }

    void release() {
        if (holders.decrementAndGet() == 0) {
            store.deregisterVersionUsage(usage);
            pinned.decrementAndGet();
        }
    }

    /** The number of the commit. */
    long commit() {
        return commit;
    }

    MVMap<byte[], byte[]> meta() {
        return meta;
    }

    MVMap<byte[], byte[]> lanes() {
        return lanes;
    }

    List<StoreEntry> page(ViewScan.Range range, byte[] from, int limit) {
        return RangePage.read(map(range.table()), range.table(), drops, ahead, from, range.to(), limit, range.strip());
    }

    /** Pages know how many entries are below them, so this only looks for the two ends. */
    long count(ViewScan.Range range) {
        MVMap<byte[], byte[]> map = map(range.table());
        byte[] to = range.to();
        return (to == null ? map.sizeAsLong() : before(map, to)) - before(map, range.from());
    }

    private static long before(MVMap<byte[], byte[]> map, byte[] key) {
        long index = map.getKeyIndex(key);
        return index >= 0 ? index : -index - 1;
    }

    private MVMap<byte[], byte[]> map(StoreTable table) {
        return Objects.requireNonNull(tables.get(table), "table");
    }
}
