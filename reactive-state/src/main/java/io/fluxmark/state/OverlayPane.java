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
    private final ChangeSpread<K> spread;

    OverlayPane(OverlayPaneStore<K, A> store, long start, long end) {
        super(start, end);
        this.store = store;
        prefix = PaneKeys.entries(store.operator(), start);
        spread = new ChangeSpread<>(store.keys().order());
    }

    /** A pane of an earlier session, with nothing on the heap yet. */
    static <K, A> OverlayPane<K, A> restored(OverlayPaneStore<K, A> store, long start, long end, long size) {
        OverlayPane<K, A> pane = new OverlayPane<>(store, start, end);
        pane.size = size;
        pane.recordedSize = size;
        pane.complete = size == 0;
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
                born(slot);
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
        return new OverlayWalk<>(store, prefix, snapshot, complete);
    }

    @Override
    public long size() {
        return size;
    }

    /** Heap taken by the entries. */
    long bytes() {
        return bytes;
    }

    /** Gives back what the budget counts as changed here since the last barrier. */
    void forgetChanges() {
        store.budget().changed(-changed.size(), -spread.counted());
    }

    /** The store has, or will have, something of this pane. */
    boolean stored() {
        return recordedSize >= 0;
    }

    /** Serialises what changed since the last barrier. */
    void flush(LaneTransaction transaction) {
        long grown = -purge(store.session().committedTransaction());
        for (Slot<K, A> slot : changed) {
            if (slot.discarded) {
                continue;
            }
            slot.changedIn = transaction.id();
            byte[] key = storedKey(slot.entry.key);
            if (slot.removed) {
                transaction.remove(StoreTable.STATE, key);
                traces.add(slot);
            } else {
                byte[] value = store.format().encode(slot.entry);
                transaction.put(StoreTable.STATE, key, value);
                slot.stored = true;
                grown += slot.resize(key.length + value.length);
            }
        }
        forgetChanges();
        changed.clear();
        spread.reset();
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
        byte[] end = KeyBytes.endOfPrefix(prefix);
        byte[] from = prefix;
        boolean more = !complete;
        while (more && store.budget().roomToPreload()) {
            List<StoreEntry> run = store.session().scan(StoreTable.STATE, from, end, OverlayWalk.RUN);
            for (StoreEntry stored : run) {
                PaneEntry<K, A> entry = store.entry(prefix, stored);
                Slot<K, A> slot = Slot.loaded(entry, stored.key().length + stored.value().length);
                slots.put(entry.key, slot);
                account(slot.bytes);
            }
            more = run.size() == OverlayWalk.RUN;
            from = more ? KeyBytes.successor(run.get(run.size() - 1).key()) : from;
        }
        // Nothing has been evicted meanwhile: the budget does not know the store before it is restored.
        complete = !more;
    }

    private void touch(Slot<K, A> slot) {
        if (slot.changedIn != Slot.DIRTY) {
            changed(slot, spread.changed(Math.max(size, recordedSize)));
        }
    }

    private void born(Slot<K, A> slot) {
        changed(slot, spread.born(slot.entry.key, Math.max(size, recordedSize)));
    }

    private void changed(Slot<K, A> slot, long withNeighbours) {
        slot.changedIn = Slot.DIRTY;
        changed.add(slot);
        store.budget().changed(1, withNeighbours);
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
        byte[] stored = PaneKeys.concat(prefix, encoded);
        byte[] value = store.session().get(StoreTable.STATE, stored);
        return value == null ? null : Slot.loaded(store.format().decode(key, value), stored.length + value.length);
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

    private byte[] storedKey(K key) {
        return PaneKeys.concat(prefix, store.keys().encode(key));
    }

    private void account(long added) {
        bytes += added;
        store.budget().add(added);
    }
}
