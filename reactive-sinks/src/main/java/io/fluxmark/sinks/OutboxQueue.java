package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreEntry;
import io.fluxmark.state.StoreTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The rows of one lane that wait for delivery. They are numbered without gaps when they enter a transaction, so a row that
 * was not committed leaves no number behind; delivered ones are removed by the lane's next transaction.
 *
 * <pre>
 * removed          acknowledged        committed            next
 *    | delivered, to  |  to be delivered   |  not durable yet  |
 *    | be removed     |                    |                   |
 * </pre>
 *
 * <p>Rows are added and flushed on the lane, delivered elsewhere; the lock is held for a few steps only.
 */
final class OutboxQueue {

    /** What the rows are that were never delivered, in {@link StoredSink}. */
    static final String UNDELIVERED = "undelivered-row";

    /** The rows under way at once have so many bytes at most, if there is more than one. */
    private static final int BATCH_BYTES = 1 << 20;

    /** Up to which number rows are durable once a transaction is. */
    private record Flushed(long transaction, long next) {}

    private final StateStore store;
    private final String name;
    private final int lane;
    private final String counter;
    private final NumberedRows deadRows;
    private final long restored;
    private final List<byte[]> waiting = new ArrayList<>();
    private final Deque<Flushed> flushed = new ArrayDeque<>();
    private final Wake wake = new Wake();

    private volatile Runnable onRoom = () -> {};
    private volatile long next;
    private volatile long committed;
    private volatile long acknowledged;
    private volatile long removed;
    private volatile boolean ended;
    private List<byte[]> dead = new ArrayList<>();

    OutboxQueue(StateStore store, String name, JobLane lane) {
        RunningJobs.claimOutbox(store, name, lane.job().name());
        this.store = store;
        this.name = name;
        this.lane = lane.number();
        this.counter = StoreTable.OUTBOX + "/" + name;
        this.deadRows =
                new NumberedRows(new StoredSink(StoreTable.DEAD, RowNames.undelivered(name), "", UNDELIVERED), lane);
        long @Nullable [] stored = lane.state().longs(LanePosition.OPERATOR, counter);
        if (stored != null) {
            next = stored[0];
            removed = stored[1];
        }
        committed = next;
        acknowledged = removed;
        restored = next;
        lane.removableRows(this::hasRemovable);
    }

    /** Adds a row, to be committed by the next barrier. */
    void add(byte[] row) {
        waiting.add(row);
    }

    /** Called when there is room again, on any thread. */
    void onRoom(Runnable action) {
        onRoom = action;
    }

    /** Whether so many rows wait that no more should be made. */
    boolean isFull(int most) {
        // What is not committed can't be delivered, and must not keep the barrier back that commits it.
        return committed - acknowledged >= most;
    }

    /** The number that the next new row gets. */
    long next() {
        return next;
    }

    /** The number that followed the last row when the job began: what is below may have been delivered before. */
    long restored() {
        return restored;
    }

    /** Gives the rows their numbers and adds them, and the removal of those that have been delivered. */
    void flush(LaneTransaction transaction) {
        long number = next;
        for (byte[] row : waiting) {
            transaction.put(StoreTable.OUTBOX, RowNames.numbered(name, lane, number++), row);
        }
        waiting.clear();
        long delivered;
        List<byte[]> givenUp;
        synchronized (this) {
            // Both or neither: a row that was given up leaves when its dead letter comes.
            delivered = acknowledged;
            givenUp = dead;
            dead = new ArrayList<>();
        }
        if (delivered > removed) {
            transaction.dropRange(
                    StoreTable.OUTBOX,
                    RowNames.numbered(name, lane, removed),
                    RowNames.numbered(name, lane, delivered));
        }
        if (!givenUp.isEmpty()) {
            givenUp.forEach(deadRows::add);
            deadRows.flush(transaction);
        }
        next = number;
        removed = delivered;
        transaction.longs(LanePosition.OPERATOR, counter, new long[] {number, delivered});
        flushed.add(new Flushed(transaction.id(), number));
    }

    /** A transaction is durable: its rows may be delivered. On the lane. */
    void committed(long transaction) {
        Flushed head;
        while ((head = flushed.peek()) != null && head.transaction() <= transaction) {
            committed = head.next();
            flushed.poll();
        }
        wake.wake();
    }

    /** No more rows will be added. */
    void end() {
        ended = true;
        wake.wake();
    }

    boolean isEnded() {
        return ended;
    }

    boolean hasUnsent() {
        return committed > acknowledged;
    }

    boolean hasRemovable() {
        return acknowledged > removed;
    }

    Wake wake() {
        return wake;
    }

    /** The rows that come next, in order. Cold; reads a committed moment. */
    Flux<OutboxRow> unsent(int most) {
        long[] bytes = {0};
        long from = acknowledged;
        return store.read(
                        StoreTable.OUTBOX,
                        RowNames.numbered(name, lane, from),
                        RowNames.numbered(name, lane, Math.min(committed, from + most)))
                .index((index, entry) -> row(from + index, entry))
                .takeUntil(row -> (bytes[0] += row.bytes().length) >= BATCH_BYTES);
    }

    /** How many rows of a sink wait, of all lanes, as of the newest commit. */
    static Mono<Long> count(StateStore store, String name) {
        return store.read(StoreTable.OUTBOX, RowNames.prefix(name), RowNames.end(name))
                .count();
    }

    private OutboxRow row(long number, StoreEntry entry) {
        if (!Arrays.equals(entry.key(), RowNames.numbered(name, lane, number))) {
            throw new IllegalStateException("row " + number + " of the outbox " + name + ", lane " + lane
                    + ", is not there: another job writes to an outbox of this name, give each its own");
        }
        return new OutboxRow(number, entry.value(), number < restored);
    }

    /**
     * The next so many rows have been delivered, or given up.
     *
     * @param givenUp of those that were given up, the dead letters
     */
    void acknowledge(int rows, List<byte[]> givenUp) {
        synchronized (this) {
            acknowledged += rows;
            dead.addAll(givenUp);
        }
        onRoom.run();
    }
}
