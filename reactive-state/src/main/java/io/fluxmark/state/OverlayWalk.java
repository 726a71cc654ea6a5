package io.fluxmark.state;

import io.fluxmark.windows.Pane;
import io.fluxmark.windows.PaneEntry;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Merges a pane's entries on the heap, as they were when the walk began, with those in the store, by encoded key; where
 * both have a key the heap is right. Confined to the lane.
 *
 * @param <K> the key
 * @param <A> the accumulator
 */
final class OverlayWalk<K, A> implements Pane.Walk<K, A> {

    private final OverlayPaneStore<K, A> store;
    private final Iterator<Slot<K, A>> heap;
    private final @Nullable MergedScan scan;
    private @Nullable Slot<K, A> nextSlot;
    private byte @Nullable [] nextSlotKey;
    private @Nullable StoreEntry nextStored;

    /** @param scan what the store has, or null if the heap has everything */
    OverlayWalk(OverlayPaneStore<K, A> store, List<Slot<K, A>> snapshot, @Nullable MergedScan scan) {
        this.store = store;
        this.scan = scan;
        heap = snapshot.iterator();
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
                return store.entry(Objects.requireNonNull(stored));
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
            key = store.keys().encode(slot.entry.key);
            nextSlotKey = key;
        }
        return KeyBytes.compare(key, stored.key());
    }

    private void advanceHeap() {
        nextSlot = heap.hasNext() ? heap.next() : null;
        nextSlotKey = null;
    }

    private void advanceStore() {
        MergedScan stored = scan;
        if (stored == null) {
            return;
        }
        StoreEntry next = stored.next();
        while (next != null && next.value().length == 0) {
            next = stored.next();
        }
        nextStored = next;
    }
}
