package io.fluxmark.state;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStoreException;

/**
 * Copies what is visible in a snapshot into a new file, in commits of bounded size: dropped entries stay behind, and pages are
 * filled afresh. Every value is checked on its way. Used once, by one thread.
 */
final class StoreCopy {

    /** Changed pages lie on the heap until they are committed. */
    private static final long SLICE_BYTES = 4L << 20;

    private static final int PAGE = 256;

    private final StoreSnapshot source;
    private final StoreFile target;
    private final Map<String, String> jobs;
    private final BooleanSupplier cancelled;
    private final MessageDigest checksum = sha256();
    private final Map<StoreTable, Long> entries = new EnumMap<>(StoreTable.class);
    private long slice;

    /**
     * @param source held by the caller
     * @param target new and empty
     * @param jobs other names for jobs; those of the rest stay
     * @param cancelled whether to stop, asked in between
     */
    StoreCopy(StoreSnapshot source, StoreFile target, Map<String, String> jobs, BooleanSupplier cancelled) {
        this.source = source;
        this.target = target;
        this.jobs = jobs;
        this.cancelled = cancelled;
    }

    /**
     * What was copied.
     *
     * @param entries visible entries by table
     * @param checksum over the lanes and all entries as they were in the source
     */
    record Contents(Map<String, Long> entries, String checksum) {}

    /** Copies everything and makes it durable. Stops with {@link CancellationException} when it is cancelled. */
    Contents run() {
        checkNames();
        StoreView view = source.view();
        copy(view.lanes(), "lanes", target.lanes(), true);
        for (StoreTable table : StoreTable.values()) {
            copy(table);
        }
        // Last, because it says that the file is a store.
        copy(view.meta(), "meta", target.meta(), false);
        target.commit(view.commit());
        target.force();
        Map<String, Long> counts = new TreeMap<>();
        entries.forEach((table, count) -> counts.put(table.name().toLowerCase(Locale.ROOT), count));
        return new Contents(counts, HexFormat.of().formatHex(checksum.digest()));
    }

    private void checkNames() {
        List<String> known =
                source.lanes().stream().map(StoredLane::job).distinct().toList();
        jobs.forEach((from, to) -> {
            if (!known.contains(from)) {
                throw new StateStoreException(
                        "There is no job '" + from + "' to be renamed, but " + known + "; use one of these names");
            }
            if (known.contains(to) && !jobs.containsKey(to)) {
                throw new StateStoreException("Job '" + from + "' cannot be renamed to '" + to
                        + "', which is another job of the same store; use a name that is not taken");
            }
        });
    }

    private void copy(MVMap<byte[], byte[]> from, String name, MVMap<byte[], byte[]> to, boolean ofLanes) {
        try {
            Cursor<byte[], byte[]> cursor = from.cursor(null);
            while (cursor.hasNext()) {
                byte[] key = cursor.next();
                byte[] value = ValueFrame.open(name, key, cursor.getValue());
                if (ofLanes) {
                    add(key);
                    add(value);
                }
                put(to, ofLanes ? renamed(key) : key, value);
            }
        } catch (MVStoreException e) {
            throw source.readFailure(e);
        }
    }

    private byte[] renamed(byte[] laneKey) {
        KeyReader parts = new KeyReader(laneKey);
        String job = parts.readString();
        return KeyBytes.key()
                .add(jobs.getOrDefault(job, job))
                .addRaw(parts.readRest())
                .toBytes();
    }

    private void copy(StoreTable table) {
        checksum.update(table.code());
        ViewScan.Range range = new ViewScan.Range(table, new byte[0], null, 0);
        byte[] from = range.from();
        long count = 0;
        List<StoreEntry> page;
        do {
            if (cancelled.getAsBoolean()) {
                throw new CancellationException("the copy of commit " + source.commit() + " was cancelled");
            }
            page = source.page(range, from, PAGE);
            for (StoreEntry entry : page) {
                add(entry.key());
                add(entry.value());
                // Without a writer: a copied row is visible whatever its lane does next.
                put(target.table(table), entry.key(), entry.value());
                from = KeyBytes.successor(entry.key());
            }
            count += page.size();
        } while (page.size() == PAGE);
        entries.put(table, count);
    }

    private void put(MVMap<byte[], byte[]> map, byte[] key, byte[] value) {
        map.put(key, ValueFrame.of(key, value));
        slice += key.length + value.length;
        if (slice >= SLICE_BYTES) {
            slice = 0;
            target.commit(source.commit());
        }
    }

    private void add(byte[] bytes) {
        checksum.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        checksum.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256, which every Java has to have", e);
        }
    }
}
