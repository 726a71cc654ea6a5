package io.fluxmark.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.jspecify.annotations.Nullable;

/**
 * Rows written ahead of their transaction, so that one of any size passes through bounded memory. Each stands at its place
 * in its table with the transaction that it belongs to and the row that it replaces; readers see the latter until the
 * transaction is committed, and then, in the same moment, all of its rows. Commits in between are harmless: whatever ends
 * the session, the transaction stays uncommitted and its rows hidden. They are taken back a bounded number per commit,
 * resumed after a restart. What of a committed transaction replaces something is made plain in the same way.
 *
 * <p>A row is written ahead by one lane at a time. What another lane commits there meanwhile goes beneath it, so that the
 * last commit wins as it does otherwise.
 *
 * <p>Confined to the store thread, except {@link #index()}. The index hides a transaction before its first row is put and
 * until its last one is taken back; who reads the live tables reads the index before and after and begins again if it has
 * changed.
 */
final class AheadRows {

    // Each lost session leaves one transaction behind; beyond this many the oldest are taken back at once.
    static final int MAX_RUNS = 64;

    private static final int RUN = 1024;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Rewrite(byte[] key, byte @Nullable [] frame) {}

    private final StoreFile file;
    private final DroppedRanges drops;
    private final Map<AheadId, AheadRun> runs = new LinkedHashMap<>();
    private volatile AheadIndex index = AheadIndex.EMPTY;

    AheadRows(StoreFile file, DroppedRanges drops) {
        this.file = file;
        this.drops = drops;
        for (Map.Entry<byte[], byte[]> entry : file.ahead().entrySet()) {
            AheadRun run = AheadRun.of(entry.getKey(), ValueFrame.open("ahead", entry.getKey(), entry.getValue()));
            if (run.state() == AheadRun.State.UNDER_WAY) {
                // No session has lived on that could commit it.
                run.become(AheadRun.State.LOST);
            }
            runs.put(run.id(), run);
            if (run.state() == AheadRun.State.LOST) {
                index = index.plus(run.id());
            }
        }
    }

    AheadIndex index() {
        return index;
    }

    /** How many transactions have rows that are hidden or to be made plain. */
    int size() {
        return runs.size();
    }

    /**
     * Writes rows, or their removals, ahead.
     *
     * @return the rows that were left out because another lane has written them ahead
     */
    List<byte[]> write(AheadId id, StoreTable table, TableChanges rows) {
        List<byte[]> contested = new ArrayList<>();
        if (rows.size() == 0) {
            return contested;
        }
        AheadRun run = runOf(id);
        byte[] end = KeyBytes.successor(rows.lastKey());
        run.add(table, rows.firstKey(), end);
        boolean alone = isEmpty(table, rows.firstKey(), end);
        BulkRun plain = new BulkRun(file.table(table));
        rows.forEach((key, row) -> {
            if (alone && row != null) {
                plain.put(key, AheadFrame.of(key, run.id(), row, null));
            } else if (!write(run, table, key, row)) {
                contested.add(key);
            }
        });
        plain.flush();
        remember(run);
        return contested;
    }

    /** Whether there is nothing in the range, hidden or not: the rows of a window that fires for the first time are new. */
    private boolean isEmpty(StoreTable table, byte[] from, byte[] to) {
        byte[] first = file.table(table).ceilingKey(from);
        return (first == null || KeyBytes.compare(first, to) >= 0)
                && drops.index().overlapping(table, from, to) == null;
    }

    private AheadRun runOf(AheadId id) {
        AheadRun run = runs.get(id);
        if (run == null) {
            if (runs.size() >= MAX_RUNS) {
                settleSlice(Integer.MAX_VALUE);
            }
            run = new AheadRun(id);
            runs.put(id, run);
            index = index.plus(id);
        }
        return run;
    }

    private boolean write(AheadRun run, StoreTable table, byte[] key, byte @Nullable [] row) {
        byte[] current = current(table, key);
        byte[] replaced = current;
        if (current != null && AheadFrame.is(current)) {
            AheadId writer = AheadFrame.id(current);
            if (!writer.equals(run.id()) && isUnderWay(writer)) {
                return false;
            }
            replaced = index.hides(writer) ? AheadFrame.replaced(current) : AheadFrame.settled(key, current);
        }
        // A removal stands there even where there is nothing yet: another lane may commit a row before it takes effect.
        if (replaced != null || row == null) {
            run.markRewriting();
        }
        drops.put(table, key, AheadFrame.of(key, run.id(), row, replaced));
        return true;
    }

    /** Puts the rows of a transaction that is being committed, or removes those whose frame is null. */
    void apply(StoreTable table, TableChanges rows) {
        BulkRun plain = new BulkRun(file.table(table));
        rows.forEach((key, row) -> {
            if (row != null && drops.index().covering(table, key) == null && !mayBeUnderWay(table, key)) {
                plain.put(key, row);
            } else {
                apply(table, key, row);
            }
        });
        plain.flush();
    }

    private void apply(StoreTable table, byte[] key, byte @Nullable [] row) {
        byte[] current = mayBeUnderWay(table, key) ? current(table, key) : null;
        if (current != null && AheadFrame.is(current) && isUnderWay(AheadFrame.id(current))) {
            putBeneath(table, key, row, current);
        } else if (row == null) {
            file.table(table).remove(key);
        } else {
            drops.put(table, key, row);
        }
    }

    private void putBeneath(StoreTable table, byte[] key, byte @Nullable [] row, byte[] current) {
        if (row != null) {
            Objects.requireNonNull(runs.get(AheadFrame.id(current)), "run").markRewriting();
        }
        file.table(table).put(key, AheadFrame.over(key, row, current));
    }

    /** Whether a range cannot be dropped now, because another lane has written rows ahead there. */
    boolean holds(int lane, StoreTable table, byte[] from, byte[] to) {
        for (AheadRun run : runs.values()) {
            if (run.state() == AheadRun.State.UNDER_WAY && run.id().lane() != lane && run.overlaps(table, from, to)) {
                return true;
            }
        }
        return false;
    }

    /** The transaction is part of the commit being written: from then on its rows are seen. */
    void commit(AheadId id) {
        AheadRun run = runs.get(id);
        if (run == null) {
            return;
        }
        run.become(AheadRun.State.COMMITTED);
        index = index.minus(id);
        if (run.rewriting()) {
            remember(run);
        } else {
            forget(run);
        }
    }

    /** What the lane has written ahead will never be committed. */
    void lose(int lane) {
        for (AheadRun run : runs.values()) {
            if (run.id().lane() == lane && run.state() == AheadRun.State.UNDER_WAY) {
                run.become(AheadRun.State.LOST);
                remember(run);
            }
        }
    }

    boolean pending() {
        return next() != null;
    }

    /** Looks at so many rows, and makes those of a committed transaction plain or takes those of a lost one back. */
    void settleSlice(int rows) {
        int left = rows;
        AheadRun run;
        while (left > 0 && (run = next()) != null) {
            DropIndex.Range range = run.first();
            while (left > 0 && range != null) {
                left -= settle(run, range, Math.min(left, RUN));
                range = run.first();
            }
            if (range == null) {
                forget(run);
                index = index.minus(run.id());
            } else {
                remember(run);
            }
        }
    }

    /** Gives the number of rows looked at, at least 1. */
    private int settle(AheadRun run, DropIndex.Range range, int limit) {
        boolean lost = run.state() == AheadRun.State.LOST;
        MVMap<byte[], byte[]> map = file.table(range.table());
        // Collected before writing: a cursor must not outlive changes of its map.
        List<Rewrite> rewrites = new ArrayList<>();
        Cursor<byte[], byte[]> cursor = map.cursor(range.from());
        int seen = 0;
        byte[] resume = null;
        while (cursor.hasNext()) {
            byte[] key = cursor.next();
            if (KeyBytes.compare(key, range.to()) >= 0) {
                break;
            }
            if (seen == limit) {
                resume = key;
                break;
            }
            seen++;
            byte[] frame = Objects.requireNonNull(cursor.getValue(), "frame");
            if (AheadFrame.is(frame) && AheadFrame.id(frame).equals(run.id())) {
                rewrites.add(new Rewrite(key, lost ? AheadFrame.replaced(frame) : AheadFrame.settled(key, frame)));
            }
        }
        for (Rewrite rewrite : rewrites) {
            if (rewrite.frame() == null) {
                map.remove(rewrite.key());
            } else {
                map.put(rewrite.key(), rewrite.frame());
            }
        }
        run.settled(resume);
        return Math.max(1, seen);
    }

    private @Nullable AheadRun next() {
        for (AheadRun run : runs.values()) {
            if (run.state() != AheadRun.State.UNDER_WAY) {
                return run;
            }
        }
        return null;
    }

    private byte @Nullable [] current(StoreTable table, byte[] key) {
        return drops.index().covering(table, key) == null ? file.table(table).get(key) : null;
    }

    private boolean isUnderWay(AheadId id) {
        AheadRun run = runs.get(id);
        return run != null && run.state() == AheadRun.State.UNDER_WAY;
    }

    private boolean mayBeUnderWay(StoreTable table, byte[] key) {
        for (AheadRun run : runs.values()) {
            if (run.state() == AheadRun.State.UNDER_WAY && run.covers(table, key)) {
                return true;
            }
        }
        return false;
    }

    private void remember(AheadRun run) {
        byte[] key = run.key();
        file.ahead().put(key, ValueFrame.of(key, run.value()));
    }

    private void forget(AheadRun run) {
        runs.remove(run.id());
        file.ahead().remove(run.key());
    }
}
