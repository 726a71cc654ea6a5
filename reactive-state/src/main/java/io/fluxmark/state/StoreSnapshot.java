package io.fluxmark.state;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A store as of one durable commit, however much is committed meanwhile: everything read from one snapshot fits together.
 * Thread-safe. Lives as long as the function of {@link StateStore#snapshot} that it was given to; what begins to read
 * later fails with {@link StateStoreException}.
 *
 * <p>While it is held the file space of its commit and of all later ones is not reused, so a reader that pauses lets the
 * file grow.
 */
public final class StoreSnapshot {

    private static final int MAX_SCAN = 10_000;

    private final Incarnation incarnation;
    private final StoreView view;
    private final AtomicBoolean released = new AtomicBoolean();

    private StoreSnapshot(Incarnation incarnation, StoreView view) {
        this.incarnation = incarnation;
        this.view = view;
    }

    /** The newest commit, to be released once. */
    static StoreSnapshot newest(Incarnation incarnation) {
        return new StoreSnapshot(incarnation, incarnation.acquireView());
    }

    /** The number of the commit, 0 before the first. */
    public long commit() {
        return view.commit();
    }

    /** All lanes that the store has ever had, by job and number. Reads the file on the calling thread. */
    public List<StoredLane> lanes() {
        StoreSnapshot held = again();
        try {
            return LaneTable.read(view.lanes());
        } catch (MVStoreException e) {
            throw incarnation.readFailure(e);
        } finally {
            held.release();
        }
    }

    /**
     * The entries of {@code [from, to)} in key order. Cold; reads on the requesting thread in pages, only what is requested.
     *
     * @param table not {@link StoreTable#STATE}, whose keys belong to lanes
     * @param to the end, or null for none
     */
    public Flux<StoreEntry> read(StoreTable table, byte[] from, byte @Nullable [] to) {
        ViewScan.Range range = ViewScan.Range.of(table, from, to);
        return ViewScan.of(this::again, snapshot -> range);
    }

    /**
     * The first entries of {@code [from, to)} in key order, read on the calling thread. To go on, ask again from
     * {@link KeyBytes#successor} of the last key, or from further on.
     *
     * @param table not {@link StoreTable#STATE}, whose keys belong to lanes
     * @param to the end, or null for none
     * @param limit most entries to return, 1 to 10 000
     */
    public List<StoreEntry> scan(StoreTable table, byte[] from, byte @Nullable [] to, int limit) {
        if (limit < 1 || limit > MAX_SCAN) {
            throw new IllegalArgumentException("limit must be between 1 and " + MAX_SCAN + " but was " + limit);
        }
        ViewScan.Range range = ViewScan.Range.of(table, from, to);
        StoreSnapshot held = again();
        try {
            return page(range, range.from(), limit);
        } finally {
            held.release();
        }
    }

    /**
     * How many entries a range has, those included that are dropped and wait for their removal. Costs a few seeks,
     * however many there are.
     *
     * @param table not {@link StoreTable#STATE}, whose keys belong to lanes
     * @param to the end, or null for none
     */
    public long count(StoreTable table, byte[] from, byte @Nullable [] to) {
        return count(ViewScan.Range.of(table, from, to));
    }

    /** The same of all tables, {@link StoreTable#STATE} too. */
    public Map<StoreTable, Long> counts() {
        Map<StoreTable, Long> counts = new EnumMap<>(StoreTable.class);
        for (StoreTable table : StoreTable.values()) {
            counts.put(table, count(new ViewScan.Range(table, new byte[0], null, 0)));
        }
        return counts;
    }

    /** The same of the state entries of one lane; 0 if the store has never had it. */
    public long countState(String job, int lane) {
        ViewScan.Range range = stateRange(new LaneId(Objects.requireNonNull(job, "job"), lane), new byte[0], null);
        return range == null ? 0 : count(range);
    }

    private long count(ViewScan.Range range) {
        StoreSnapshot held = again();
        try {
            return view.count(range);
        } catch (MVStoreException e) {
            throw incarnation.readFailure(e);
        } finally {
            held.release();
        }
    }

    /** The state entries of one lane, as {@link #read}. Empty if the store has never had the lane. */
    public Flux<StoreEntry> readState(String job, int lane, byte[] from, byte @Nullable [] to) {
        LaneId id = new LaneId(Objects.requireNonNull(job, "job"), lane);
        return ViewScan.of(this::again, snapshot -> snapshot.stateRange(id, from, to));
    }

    /** All that the operators of one lane have recorded as longs, as {@link StateStore#longs(String, int)}. */
    public Flux<OperatorLongs> longs(String job, int lane) {
        byte[] prefix = PaneKeys.allLongs();
        return readState(job, lane, prefix, KeyBytes.endOfPrefix(prefix)).map(OperatorLongs::of);
    }

    ViewScan.@Nullable Range stateRange(LaneId id, byte[] from, byte @Nullable [] to) {
        // A lane's number never changes, so the newest table serves every commit of this incarnation.
        Lane found = incarnation.lanes().find(id);
        return found == null ? null : ViewScan.Range.ofLane(found.number(), from, to);
    }

    /** For who holds the snapshot. */
    List<StoreEntry> page(ViewScan.Range range, byte[] from, int limit) {
        try {
            return view.page(range, from, limit);
        } catch (MVStoreException e) {
            throw incarnation.readFailure(e);
        } catch (StateStoreException e) {
            throw e;
        } catch (RuntimeException e) {
            // Torn pages end in any exception.
            throw new StateStoreException(
                    "Reading table " + range.table().mapName() + " of commit " + commit()
                            + " failed; the file is damaged: restore a savepoint, or replay the log",
                    e);
        }
    }

    /** Why a read failed. */
    StateStoreException readFailure(MVStoreException e) {
        return incarnation.readFailure(e);
    }

    /** For who holds the snapshot. */
    StoreView view() {
        return view;
    }

    /** The same commit once more, to be released on its own. */
    StoreSnapshot again() {
        StateStoreException end = incarnation.end();
        if (end != null) {
            throw end;
        }
        if (released.get() || !view.retain()) {
            throw new StateStoreException("The snapshot of commit " + commit()
                    + " is not held any more; read it within the function given to StateStore.snapshot");
        }
        return new StoreSnapshot(incarnation, view);
    }

    /** Lets go; idempotent. */
    void release() {
        if (released.compareAndSet(false, true)) {
            view.release();
        }
    }
}
