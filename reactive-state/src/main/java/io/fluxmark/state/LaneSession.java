package io.fluxmark.state;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * One generation of a lane: the only one that may change the lane's state until the next {@link StateStore#openLane}.
 * Used by the lane's thread, one call at a time, except where a method says otherwise.
 *
 * <p>Every call fails with {@link StaleGenerationException} once a newer session exists, and with
 * {@link StoreReopenedException} once the store has failed and discarded what was not durable.
 */
public final class LaneSession {

    private static final int PREFIX_BYTES = Integer.BYTES;

    private final StoreThread store;
    private final Incarnation incarnation;
    private final Lane lane;
    private final long generation;
    private final LaneRecord restored;
    private final Signals signals;
    private final byte[] prefix;
    private volatile long committed;
    private long begun;
    private long submitted;
    private @Nullable StateStoreException refusal;

    LaneSession(
            StoreThread store,
            Incarnation incarnation,
            Lane lane,
            long generation,
            LaneRecord restored,
            Signals signals) {
        this.store = store;
        this.incarnation = incarnation;
        this.lane = lane;
        this.generation = generation;
        this.restored = restored;
        this.signals = signals;
        prefix = KeyBytes.key().add(lane.number()).toBytes();
        committed = restored.transaction();
        begun = committed;
        submitted = committed;
    }

    /** The job's name. */
    public String job() {
        return lane.id().job();
    }

    /** The lane's number within the job. */
    public int lane() {
        return lane.id().lane();
    }

    /** The generation of this session, rising with each one of the lane, from 1. */
    public long generation() {
        return generation;
    }

    /** Id of the newest durable transaction of the lane, 0 if none. May be read from any thread. */
    public long committedTransaction() {
        return committed;
    }

    /** What the lane's durable transactions had left when this session opened. */
    public LaneRecord restored() {
        return restored;
    }

    /** Starts the next transaction; its id is one more than that of the one begun before. */
    public LaneTransaction begin() {
        return new LaneTransaction(this, ++begun);
    }

    /**
     * A part of a transaction that is collected on its own: rows that are written ahead with {@link #writeAhead}, or added
     * to the transaction with {@link LaneTransaction#include}. It is not submitted itself.
     *
     * @param transaction the id that {@link #begin()} has given, or will give, the transaction
     */
    public LaneTransaction part(long transaction) {
        return new LaneTransaction(this, transaction);
    }

    /**
     * Writes the rows of a part ahead of its transaction, so that they need no heap any more: all its entries but those of
     * {@link StoreTable#STATE}, which stay in the part, as does everything if one of them stands in a range that the part drops. Takes them when
     * subscribed; completes, on the store's scheduler, when they are durable. Nobody sees them before the transaction is
     * durable, and then all of them at once; if it never is, they are taken back.
     *
     * <p>To be called for the transaction behind the newest one that is submitted, and completed before that transaction is
     * submitted itself.
     *
     * <p>Errors as {@link #submit} does; all but {@link StoreQueueFullException} mean that the transaction is lost.
     *
     * @return the rows that another lane has written ahead of its own transaction: to be included in this one
     */
    public Mono<LaneTransaction> writeAhead(LaneTransaction part) {
        Objects.requireNonNull(part, "part");
        return Mono.create(sink -> {
            try {
                checkNext(part);
                LaneTransaction rows = part.takeRows();
                try {
                    store.submit(new AheadRequest(store, this, rows, sink));
                } catch (StoreQueueFullException e) {
                    part.include(rows);
                    throw e;
                }
            } catch (StateStoreException e) {
                sink.error(e);
            }
        });
    }

    /**
     * The present value of a key: as of the newest applied transaction, which may not be durable yet.
     *
     * @return the value, or null if there is none
     */
    public byte @Nullable [] get(StoreTable table, byte[] key) {
        byte[] stored = storedKey(table, Objects.requireNonNull(key, "key"));
        StoreView pin = pin();
        try {
            AheadIndex ahead;
            byte[] frame;
            do {
                ahead = incarnation.ahead().index();
                // The index first, then the map: see DroppedRanges.
                DropIndex drops = incarnation.drops().index();
                frame = drops.covering(table, stored) == null
                        ? incarnation.file().table(table).get(stored)
                        : null;
            } while (ahead != incarnation.ahead().index());
            return frame == null ? null : ahead.open(table, stored, frame);
        } catch (MVStoreException e) {
            throw incarnation.readFailure(e);
        } finally {
            pin.release();
        }
    }

    /**
     * The first entries of a range in key order, as of the newest applied transaction. To go on, ask again from
     * {@link KeyBytes#successor} of the last key.
     *
     * @param toExclusive the end, or null for none
     * @param limit most entries to return, at least 1
     */
    public List<StoreEntry> scan(StoreTable table, byte[] fromInclusive, byte @Nullable [] toExclusive, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1 but was " + limit);
        }
        byte[] from = storedKey(table, Objects.requireNonNull(fromInclusive, "fromInclusive"));
        byte[] to = toExclusive != null ? storedKey(table, toExclusive) : endOf(table);
        int strip = table == StoreTable.STATE ? PREFIX_BYTES : 0;
        StoreView pin = pin();
        try {
            AheadIndex ahead;
            List<StoreEntry> page;
            do {
                ahead = incarnation.ahead().index();
                DropIndex drops = incarnation.drops().index();
                page = RangePage.read(incarnation.file().table(table), table, drops, ahead, from, to, limit, strip);
            } while (ahead != incarnation.ahead().index());
            return page;
        } catch (MVStoreException e) {
            throw incarnation.readFailure(e);
        } finally {
            pin.release();
        }
    }

    /**
     * Hands a transaction to the store when subscribed. Transactions of a session are submitted in the order of
     * {@link #begin()}; after one has failed all later ones are refused, except that one that found the queue full may be
     * submitted again. Completes, on the store's scheduler and in order, when the transaction is durable. Cancelling does
     * not take it back.
     *
     * <p>Errors with {@link StoreQueueFullException}, {@link TransactionRefusedException},
     * {@link StaleGenerationException}, {@link StoreReopenedException} or {@link StoreClosedException}.
     */
    public Mono<StoreCommit> submit(LaneTransaction transaction) {
        Objects.requireNonNull(transaction, "transaction");
        return Mono.create(sink -> {
            try {
                checkNext(transaction);
                handOver(transaction, sink);
            } catch (StateStoreException e) {
                sink.error(e);
            }
        });
    }

    private void handOver(LaneTransaction transaction, MonoSink<StoreCommit> sink) {
        // Before, not after: its completion may ask for the next one while this thread has not come back yet.
        submitted = transaction.id();
        transaction.markSubmitted(true);
        try {
            store.submit(new SubmissionRequest(this, transaction, sink));
        } catch (StateStoreException e) {
            submitted = transaction.id() - 1;
            transaction.markSubmitted(false);
            throw e;
        }
    }

    private void checkNext(LaneTransaction transaction) {
        checkCurrent();
        StateStoreException earlier = refusal;
        if (earlier != null) {
            throw new TransactionRefusedException(
                    "Transaction " + transaction.id() + " of " + lane.id()
                            + " follows a refused one; open the lane again",
                    earlier);
        }
        if (!transaction.belongsTo(this) || transaction.id() != submitted + 1) {
            throw new TransactionRefusedException(
                    "Transaction " + transaction.id() + " of " + lane.id() + " is out of order, " + (submitted + 1)
                            + " of this session is next; submit each transaction once, in the order of begin()",
                    null);
        }
        if (transaction.bytes() > store.spec().queueBytes()) {
            refusal = new TransactionRefusedException(
                    "Transaction " + transaction.id() + " of " + lane.id() + " has " + transaction.bytes()
                            + " bytes, more than the queue's " + store.spec().queueBytes()
                            + "; set barriers more often or raise StoreSpec.queue",
                    null);
            throw refusal;
        }
    }

    /** The key as it stands in the map. */
    byte[] storedKey(StoreTable table, byte[] key) {
        if (table != StoreTable.STATE) {
            return key.clone();
        }
        byte[] stored = Arrays.copyOf(prefix, PREFIX_BYTES + key.length);
        System.arraycopy(key, 0, stored, PREFIX_BYTES, key.length);
        return stored;
    }

    /** About how much heap a changed entry costs the store until it is committed, beside what it takes on the lane. */
    long bytesPerChange() {
        return incarnation.cost().bytesPerEntry();
    }

    int laneNumber() {
        return lane.number();
    }

    /** Takes the transaction's place in the lane's order; on the store thread. */
    void accept(Incarnation current, LaneTransaction transaction) {
        checkIncarnation(current);
        lane.acceptAhead(generation, transaction.id());
        if (transaction.dropsWhatIsAhead(current, lane.number())) {
            lane.refuse();
            throw new TransactionRefusedException(
                    "Transaction " + transaction.id() + " of " + lane.id()
                            + " drops a range of rows where another lane is writing; drop it when that lane has committed",
                    null);
        }
        lane.accept(generation, transaction.id());
    }

    /** Whether rows may be written ahead of the transaction; on the store thread. */
    AheadId acceptAhead(Incarnation current, long transaction) {
        checkIncarnation(current);
        lane.acceptAhead(generation, transaction);
        return new AheadId(lane.number(), generation, transaction);
    }

    private void checkIncarnation(Incarnation current) {
        StateStoreException end = incarnation.end();
        if (current != incarnation && end != null) {
            throw end;
        }
    }

    Lane laneState() {
        return lane;
    }

    /** On the store thread, after the transaction is durable. */
    void committed(long transaction, Runnable signal) {
        committed = transaction;
        signals.send(signal);
    }

    void signal(Runnable signal) {
        signals.send(signal);
    }

    void retire() {
        signals.retire();
    }

    private byte @Nullable [] endOf(StoreTable table) {
        return table == StoreTable.STATE ? KeyBytes.endOfPrefix(prefix) : null;
    }

    // A read holds the newest view although it looks into the live maps: the file space of everything reachable from
    // there on cannot be reused under it, however long the thread is held up.
    private StoreView pin() {
        checkCurrent();
        return incarnation.acquireView();
    }

    private void checkCurrent() {
        StateStoreException end = incarnation.end();
        if (end != null) {
            throw end;
        }
        if (lane.generation() != generation) {
            throw new StaleGenerationException("Generation " + generation + " of " + lane.id()
                    + " has been replaced by " + lane.generation() + "; this session must end");
        }
    }

    @Override
    public String toString() {
        return "LaneSession[" + lane.id() + ", generation " + generation + ", committed " + committed + "]";
    }
}
