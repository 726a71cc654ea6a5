package io.fluxmark.state;

import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.Pane;
import io.fluxmark.windows.PaneEntry;
import io.fluxmark.windows.PaneStore;
import io.fluxmark.windows.StateHeader;
import io.fluxmark.windows.StateTransaction;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The panes of one operator over the store. The list of panes is always on the heap, their entries as far as the budget
 * goes. Confined to the lane.
 *
 * @param <K> the key
 * @param <A> the accumulator
 */
final class OverlayPaneStore<K, A> implements PaneStore<K, A> {

    // What an operator takes for an entry of its own beside the store: key, accumulator and their places in arrays.
    private static final int RESERVED_BYTES = 128;

    private final String operator;
    private final LaneSession session;
    private final OverlayBudget budget;
    private final EntryFormat<K, A> format;
    private final TreeMap<Long, OverlayPane<K, A>> panes = new TreeMap<>();
    // Panes that the store has and the operator has dropped since the last barrier.
    private final TreeSet<Long> dropped = new TreeSet<>();
    private final StoredHeader header;
    private long reserved;

    OverlayPaneStore(
            String operator, LaneSession session, OverlayBudget budget, EntryFormat<K, A> format, StateHeader header) {
        this.operator = operator;
        this.session = session;
        this.budget = budget;
        this.format = format;
        this.header = StoredHeader.check(session, operator, header);
        restore();
    }

    @Override
    public Pane<K, A> open(long start, long end) {
        OverlayPane<K, A> pane = panes.get(start);
        if (pane == null) {
            pane = new OverlayPane<>(this, start, end);
            panes.put(start, pane);
        }
        return pane;
    }

    @Override
    public @Nullable Pane<K, A> find(long start) {
        return panes.get(start);
    }

    @Override
    public @Nullable Pane<K, A> floor(long instant) {
        return value(panes.floorEntry(instant));
    }

    @Override
    public @Nullable Pane<K, A> first() {
        return value(panes.firstEntry());
    }

    @Override
    public @Nullable Pane<K, A> after(long start) {
        return value(panes.higherEntry(start));
    }

    @Override
    public void drop(Pane<K, A> pane) {
        OverlayPane<K, A> known = panes.get(pane.start());
        if (known != pane) {
            throw new IllegalArgumentException("The pane at " + pane.start() + " is not one of operator " + operator
                    + ", or has been dropped before");
        }
        panes.remove(pane.start());
        if (known.stored()) {
            dropped.add(pane.start());
        }
        budget.add(-known.bytes());
        known.forgetChanges();
    }

    @Override
    public void flush(StateTransaction transaction) {
        if (!(transaction instanceof LaneTransaction own) || !own.belongsTo(session)) {
            throw new IllegalArgumentException("The transaction " + transaction.id()
                    + " is not of the session that this state belongs to; begin it with LaneSession.begin()");
        }
        header.flush(own);
        // First, because a pane may have been opened anew at the same start.
        for (long start : dropped) {
            byte[] prefix = PaneKeys.entries(operator, start);
            byte[] end = KeyBytes.endOfPrefix(prefix);
            if (end == null) {
                throw new IllegalStateException("A pane prefix cannot be the greatest key");
            }
            own.dropRange(StoreTable.STATE, prefix, end);
            own.remove(StoreTable.STATE, PaneKeys.pane(operator, start));
        }
        dropped.clear();
        for (OverlayPane<K, A> pane : panes.values()) {
            pane.flush(own);
        }
    }

    @Override
    public boolean reserve(long entries) {
        long bytes = entries * RESERVED_BYTES;
        long more = bytes - reserved;
        reserved = bytes;
        return budget.reserve(more);
    }

    @Override
    public boolean isHalfChanged() {
        return budget.isHalfChanged();
    }

    @Override
    public int paneCount() {
        return panes.size();
    }

    @Override
    public long entryCount() {
        long count = 0;
        for (OverlayPane<K, A> pane : panes.values()) {
            count += pane.size();
        }
        return count;
    }

    long evict(long committed, long wanted) {
        long freed = 0;
        for (OverlayPane<K, A> pane : panes.values()) {
            if (freed >= wanted) {
                break;
            }
            freed += pane.evict(committed, wanted - freed);
        }
        return freed;
    }

    String operator() {
        return operator;
    }

    LaneSession session() {
        return session;
    }

    OverlayBudget budget() {
        return budget;
    }

    EntryFormat<K, A> format() {
        return format;
    }

    KeyCodec<K> keys() {
        return format.keys();
    }

    /** The entry that a pane's range of the store holds. */
    PaneEntry<K, A> entry(byte[] prefix, StoreEntry stored) {
        K key = format.keys().decode(PaneKeys.withoutPrefix(stored.key(), prefix));
        return format.decode(key, stored.value());
    }

    private void restore() {
        byte[] from = PaneKeys.panes(operator);
        byte[] end = KeyBytes.endOfPrefix(from);
        List<StoreEntry> run;
        do {
            run = session.scan(StoreTable.STATE, from, end, OverlayWalk.RUN);
            for (StoreEntry pane : run) {
                long start = PaneKeys.paneStart(pane.key());
                ByteBuffer in = ByteBuffer.wrap(pane.value());
                panes.put(start, OverlayPane.restored(this, start, in.getLong(), in.getLong()));
                from = KeyBytes.successor(pane.key());
            }
        } while (run.size() == OverlayWalk.RUN);
        panes.values().forEach(OverlayPane::preload);
    }

    private @Nullable Pane<K, A> value(Map.@Nullable Entry<Long, OverlayPane<K, A>> entry) {
        return entry == null ? null : entry.getValue();
    }
}
