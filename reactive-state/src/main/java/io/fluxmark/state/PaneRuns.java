package io.fluxmark.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the store has of one pane: its entries, and in front of them sorted runs of changes, newer ones first. A change in a
 * large pane costs a page where the entry lies; in a run changes lie side by side. When runs are many or large, those of
 * that moment are folded into the entries, a bounded part with each barrier, in order, so that a page takes several changes
 * at once; then they are dropped. All of it is part of the transactions of barriers and survives as they do.
 *
 * <p>Keys here are encoded keys behind the pane's prefix. Confined to the lane.
 */
final class PaneRuns {

    private final LaneSession session;
    private final RunPolicy policy;
    private final String operator;
    private final long start;
    private final byte[] entries;
    // Oldest first.
    private final List<PaneRun> runs = new ArrayList<>();
    private @Nullable MergedScan folding;
    // How many of the runs, from the oldest on, are being folded, and the transaction that drops them, 0 if none yet.
    private int frozen;
    private long droppedIn;

    PaneRuns(LaneSession session, RunPolicy policy, String operator, long start) {
        this.session = session;
        this.policy = policy;
        this.operator = operator;
        this.start = start;
        entries = PaneKeys.entries(operator, start);
    }

    /** Finds the runs of earlier sessions; folding begins anew. */
    void restore() {
        EntryScan scan = new EntryScan(session, PaneKeys.runs(operator, start), 0);
        for (; scan.hasEntry(); scan.advance()) {
            ByteBuffer value = ByteBuffer.wrap(scan.value());
            runs.add(new PaneRun(new KeyReader(scan.key()).readLong(), value.getInt(), RunFilter.of(value.slice())));
        }
    }

    /** Bytes on the heap. */
    long bytes() {
        return runs.stream().mapToLong(run -> run.filter().bytes()).sum();
    }

    /** The newest stored value of a key, or null for none. */
    byte @Nullable [] find(byte[] key) {
        if (!runs.isEmpty()) {
            long hash = KeyFilter.hash(key);
            for (int i = runs.size() - 1; i >= 0; i--) {
                PaneRun run = runs.get(i);
                if (run.filter().mightContain(hash)) {
                    byte[] value = session.get(
                            StoreTable.STATE, PaneKeys.concat(PaneKeys.run(operator, start, run.id()), key));
                    if (value != null) {
                        return value.length == 0 ? null : value;
                    }
                }
            }
        }
        return session.get(StoreTable.STATE, PaneKeys.concat(entries, key));
    }

    /** All stored entries, in order; a removed one has an empty value. */
    MergedScan scan() {
        List<EntryScan> scans = scans(runs.size());
        scans.add(new EntryScan(session, entries, Integer.MAX_VALUE));
        return new MergedScan(scans);
    }

    private List<EntryScan> scans(int oldest) {
        List<EntryScan> scans = new ArrayList<>();
        for (int i = 0; i < oldest; i++) {
            scans.add(new EntryScan(
                    session, PaneKeys.run(operator, start, runs.get(i).id()), runs.size() - i));
        }
        return scans;
    }

    /** Whether the store has, or will have, runs of the pane. */
    boolean isEmpty() {
        return runs.isEmpty();
    }

    /** Begins what one barrier changes, so many entries of a pane of that size. */
    RunWriter write(LaneTransaction transaction, int changes, long size) {
        // A run hides what stands behind it, so while there is one, changes have to come in front of it.
        boolean asRun = changes > 0 && (!runs.isEmpty() || policy.writesRun(changes, size));
        if (!asRun) {
            return new RunWriter(transaction, entries, null);
        }
        PaneRun run = new PaneRun(transaction.id(), changes, RunFilter.forKeys(changes));
        runs.add(run);
        return new RunWriter(transaction, PaneKeys.run(operator, start, run.id()), run.filter());
    }

    /** All changes of the barrier have been written. */
    void written(LaneTransaction transaction) {
        PaneRun run = runs.isEmpty() ? null : runs.get(runs.size() - 1);
        if (run != null && run.id() == transaction.id()) {
            ByteBuffer head =
                    ByteBuffer.allocate(Integer.BYTES + run.filter().bytes()).putInt(run.entries());
            run.filter().writeTo(head);
            transaction.put(StoreTable.STATE, PaneKeys.runHead(operator, start, run.id()), head.array());
        }
    }

    /** Folds on, at least as much as the changes that have come meanwhile. */
    void fold(LaneTransaction transaction, int changes, long size) {
        forgetDropped();
        if (frozen == 0) {
            freeze(size);
        }
        MergedScan scan = folding;
        if (scan == null) {
            return;
        }
        for (long left = 2L * Math.max(changes, policy.fewestEntries()); left > 0; left--) {
            StoreEntry entry = scan.next();
            if (entry == null) {
                drop(transaction);
                return;
            }
            byte[] key = PaneKeys.concat(entries, entry.key());
            if (entry.value().length == 0) {
                transaction.remove(StoreTable.STATE, key);
            } else {
                transaction.put(StoreTable.STATE, key, entry.value());
            }
        }
    }

    /** Only what is applied can be read. */
    private void freeze(long size) {
        int applied = 0;
        long changes = 0;
        while (applied < runs.size() && runs.get(applied).id() <= session.committedTransaction()) {
            changes += runs.get(applied++).entries();
        }
        if (applied > 0 && policy.folds(applied, changes, size)) {
            frozen = applied;
            folding = new MergedScan(scans(applied));
        }
    }

    private void drop(LaneTransaction transaction) {
        folding = null;
        droppedIn = transaction.id();
        long oldest = runs.get(0).id();
        long newest = runs.get(frozen - 1).id();
        transaction.dropRange(
                StoreTable.STATE, PaneKeys.run(operator, start, oldest), PaneKeys.run(operator, start, newest + 1));
        for (PaneRun run : runs.subList(0, frozen)) {
            transaction.remove(StoreTable.STATE, PaneKeys.runHead(operator, start, run.id()));
        }
    }

    /** Until the transaction is applied, the runs are still what is right. */
    private void forgetDropped() {
        if (droppedIn > 0 && droppedIn <= session.committedTransaction()) {
            runs.subList(0, frozen).clear();
            frozen = 0;
            droppedIn = 0;
        }
    }
}
