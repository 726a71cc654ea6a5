package io.fluxmark.state;

import io.fluxmark.windows.Pane;
import io.fluxmark.windows.PaneEntry;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pane whose entries are on the heap, in the store, or in both. What is on the heap is newer or equal. An entry may
 * leave the heap once the transaction with its newest change is durable; a removed one leaves a trace until the same
 * moment, because the store would still answer for it. Confined to the lane.
 *
 * @param <K> the key
 * @param <A> the accumulator
 */
final class OverlayPane<K, A> extends Pane<K, A> {

    private final OverlayPaneStore<K, A> store;
    private final byte[] prefix;
    private final PaneRuns runs;
    private long runBytes;
    private final HashMap<K, Slot<K, A>> slots = new HashMap<>();
    private final List<Slot<K, A>> changed = new ArrayList<>();
    private final ArrayDeque<Slot<K, A>> traces = new ArrayDeque<>();
    private long size;
    private long recordedSize = -1;
    private long bytes;
    // While nothing has been evicted an absent slot means an absent entry.
    private boolean complete = true;
    // What has been evicted; null if that is not known because entries were there before this session.
    private @Nullable KeyFilter evicted;
    private long filterBytes;

    OverlayPane(OverlayPaneStore<K, A> store, long start, long end) {
        super(start, end);
        this.store = store;
        prefix = PaneKeys.entries(store.operator(), start);
        runs = new PaneRuns(store.session(), store.policy(), store.operator(), start);
    }

    /** A pane of an earlier session, with nothing on the heap yet. */
    static <K, A> OverlayPane<K, A> restored(OverlayPaneStore<K, A> store, long start, long end, long size) {
        OverlayPane<K, A> pane = new OverlayPane<>(store, start, end);
        pane.size = size;
        pane.recordedSize = size;
        pane.complete = size == 0;
        pane.runs.restore();
        pane.countRuns();
        return pane;
    }

    @Override
    public PaneEntry<K, A> update(K key) {
        Slot<K, A> slot = slots.get(key);
        if (slot != null && slot.changedIn == Slot.DIRTY && !slot.removed) {
            return slot.entry;
        }
        int added = 0;
        if (slot == null) {
            slot = fromStore(key);
            if (slot == null) {
                slot = new Slot<>(new PaneEntry<>(key));
                size++;
            }
            slots.put(key, slot);
            added = slot.bytes;
        } else if (slot.removed) {
            slot.entry = new PaneEntry<>(key);
            slot.removed = false;
            size++;
        }
        touch(slot);
        // Only now that the slot is dirty: making room must not take it away again.
        account(added);
        return slot.entry;
    }

    @Override
    public @Nullable PaneEntry<K, A> find(K key) {
        Slot<K, A> slot = slots.get(key);
        if (slot == null) {
            slot = fromStore(key);
            if (slot == null) {
                return null;
            }
            slots.put(key, slot);
            account(slot.bytes);
        }
        return slot.removed ? null : slot.entry;
    }

    @Override
    public void remove(K key) {
        Slot<K, A> slot = slots.get(key);
        if (slot == null) {
            slot = fromStore(key);
            if (slot == null) {
                return;
            }
            slots.put(key, slot);
            touch(slot);
            account(slot.bytes);
        }
        if (slot.removed) {
            return;
        }
        size--;
        if (slot.stored) {
            slot.removed = true;
            touch(slot);
        } else {
            // Born since the last barrier: the store never hears of it.
            slot.discarded = true;
            slots.remove(key);
            account(-slot.bytes);
        }
    }

    @Override
    public Walk<K, A> walk() {
        List<Slot<K, A>> snapshot = new ArrayList<>(slots.values());
        snapshot.sort((a, b) -> store.keys().order().compare(a.entry.key, b.entry.key));
        return new OverlayWalk<>(store, snapshot, complete ? null : runs.scan());
    }

    @Override
    public long size() {
        return size;
    }

    /** Heap taken by the entries. */
    long bytes() {
        return bytes;
    }

    /** Entries changed since the last barrier. */
    int changedCount() {
        return changed.size();
    }

    /** The store has, or will have, something of this pane. */
    boolean stored() {
        return recordedSize >= 0;
    }

    /** The store has, or will have, runs of changes of this pane. */
    boolean hasRuns() {
        return !runs.isEmpty();
    }

    /** Serialises what changed since the last barrier. */
    void flush(LaneTransaction transaction) {
        long grown = -purge(store.session().committedTransaction());
        RunWriter writer = runs.write(transaction, changed.size(), size);
        for (Slot<K, A> slot : changed) {
            if (slot.discarded) {
                continue;
            }
            slot.changedIn = transaction.id();
            byte[] key = store.keys().encode(slot.entry.key);
            if (slot.removed) {
                writer.remove(key);
                traces.add(slot);
            } else {
                byte[] value = store.format().encode(slot.entry);
                writer.put(key, value);
                slot.stored = true;
                grown += slot.resize(prefix.length + key.length + value.length);
            }
        }
        runs.written(transaction);
        runs.fold(transaction, changed.size(), size);
        countRuns();
        store.budget().changed(-changed.size());
        changed.clear();
        if (size != recordedSize) {
            byte[] pane = ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(end())
                    .putLong(size)
                    .array();
            transaction.put(StoreTable.STATE, PaneKeys.pane(store.operator(), start()), pane);
            recordedSize = size;
        }
        account(grown);
    }

    /** Removes clean entries, at least {@code wanted} bytes of them if there are as many, and gives what was freed. */
    long evict(long committed, long wanted) {
        long before = bytes;
        bytes -= purge(committed);
        long grown = 0;
        Iterator<Slot<K, A>> walk = slots.values().iterator();
        while (before - bytes < wanted && walk.hasNext()) {
            Slot<K, A> slot = walk.next();
            if (slot.removed || !slot.clean(committed)) {
                continue;
            }
            if (complete) {
                complete = false;
                evicted = new KeyFilter();
            }
            if (evicted != null) {
                grown += evicted.add(store.keys().encode(slot.entry.key));
            }
            walk.remove();
            bytes -= slot.bytes;
        }
        growFilter(grown);
        return before - bytes;
    }

    /** The filter is counted with the entries; one that would leave them no room is given up. */
    private void growFilter(long grown) {
        filterBytes += grown;
        bytes += grown;
        if (filterBytes > store.budget().mostForFilters()) {
            bytes -= filterBytes;
            filterBytes = 0;
            evicted = null;
        }
    }

    /** Takes all entries from the store, in order, while the budget has room. */
    void preload() {
        if (complete) {
            return;
        }
        MergedScan scan = runs.scan();
        StoreEntry stored = null;
        while (store.budget().roomToPreload() && (stored = scan.next()) != null) {
            if (stored.value().length > 0) {
                PaneEntry<K, A> entry = store.entry(stored);
                Slot<K, A> slot = Slot.loaded(entry, prefix.length + stored.key().length + stored.value().length);
                slots.put(entry.key, slot);
                account(slot.bytes);
            }
        }
        // Nothing has been evicted meanwhile: the budget does not know the store before it is restored.
        complete = store.budget().roomToPreload() && stored == null;
    }

    private void countRuns() {
        long now = runs.bytes();
        account(now - runBytes);
        runBytes = now;
    }

    private void touch(Slot<K, A> slot) {
        if (slot.changedIn != Slot.DIRTY) {
            slot.changedIn = Slot.DIRTY;
            changed.add(slot);
            store.budget().changed(1);
        }
    }

    private @Nullable Slot<K, A> fromStore(K key) {
        if (complete) {
            return null;
        }
        byte[] encoded = store.keys().encode(key);
        KeyFilter filter = evicted;
        if (filter != null && !filter.mightContain(encoded)) {
            return null;
        }
        byte[] value = runs.find(encoded);
        return value == null
                ? null
                : Slot.loaded(store.format().decode(key, value), prefix.length + encoded.length + value.length);
    }

    /** Forgets the traces of removals that are durable, and gives the bytes freed. */
    private long purge(long committed) {
        long freed = 0;
        while (!traces.isEmpty() && traces.peek().clean(committed)) {
            Slot<K, A> slot = traces.remove();
            if (slot.removed && slots.remove(slot.entry.key, slot)) {
                freed += slot.bytes;
            }
        }
        return freed;
    }

    private void account(long added) {
        bytes += added;
        store.budget().add(added);
    }
}
