package io.fluxmark.state;

import io.fluxmark.windows.Pane;
import io.fluxmark.windows.PaneEntry;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Merges a pane's entries on the heap, as they were when the walk began, with those in the store, by encoded key; where
 * both have a key the heap is right. Remembers the last key and seeks again for each run, so no store cursor stays open
 * between calls. Confined to the lane.
 *
 * @param <K> the key
 * @param <A> the accumulator
 */
final class OverlayWalk<K, A> implements Pane.Walk<K, A> {

    static final int RUN = 256;

    private final OverlayPaneStore<K, A> store;
    private final byte[] prefix;
    private final byte @Nullable [] end;
    private final Iterator<Slot<K, A>> heap;
    private @Nullable Slot<K, A> nextSlot;
    private byte @Nullable [] nextSlotKey;
    private Iterator<StoreEntry> run = List.<StoreEntry>of().iterator();
    private @Nullable StoreEntry nextStored;
    private byte[] from;
    private boolean storeDone;

    OverlayWalk(OverlayPaneStore<K, A> store, byte[] prefix, List<Slot<K, A>> snapshot, boolean complete) {
        this.store = store;
        this.prefix = prefix;
        heap = snapshot.iterator();
        storeDone = complete;
        from = prefix;
        end = KeyBytes.endOfPrefix(prefix);
        advanceHeap();
        advanceStore();
    }

    @Override
    public boolean next(List<PaneEntry<K, A>> into, int limit) {
        int added = 0;
        while (added < limit) {
            PaneEntry<K, A> entry = takeSmaller();
            if (entry == null) {
                break;
            }
            into.add(entry);
            added++;
        }
        return added > 0;
    }

    private @Nullable PaneEntry<K, A> takeSmaller() {
        while (true) {
            Slot<K, A> slot = nextSlot;
            StoreEntry stored = nextStored;
            if (slot == null && stored == null) {
                return null;
            }
            int order = order(slot, stored);
            if (order > 0) {
                advanceStore();
                return store.entry(prefix, Objects.requireNonNull(stored));
            }
            if (order == 0) {
                advanceStore();
            }
            advanceHeap();
            if (slot != null && !slot.removed) {
                return slot.entry;
            }
        }
    }

    private int order(@Nullable Slot<K, A> slot, @Nullable StoreEntry stored) {
        if (slot == null) {
            return 1;
        }
        if (stored == null) {
            return -1;
        }
        byte[] key = nextSlotKey;
        if (key == null) {
            key = PaneKeys.concat(prefix, store.keys().encode(slot.entry.key));
            nextSlotKey = key;
        }
        return KeyBytes.compare(key, stored.key());
    }

    private void advanceHeap() {
        nextSlot = heap.hasNext() ? heap.next() : null;
        nextSlotKey = null;
    }

    private void advanceStore() {
        if (!run.hasNext() && !storeDone) {
            List<StoreEntry> entries = store.session().scan(StoreTable.STATE, from, end, RUN);
            storeDone = entries.size() < RUN;
            if (!storeDone) {
                from = KeyBytes.successor(entries.get(RUN - 1).key());
            }
            run = entries.iterator();
        }
        nextStored = run.hasNext() ? run.next() : null;
    }
}
