package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of tumbling windows that are worked on in panes on the heap: an entry for each window and key, as {@link
 * FixedWindows} keeps them, brought up to date at each barrier. Between two, the panes alone know what has changed.
 * Confined to the lane.
 */
final class PaneMirror<T, K, A> {

    private final WindowSpec windows;
    private final PaneStore<K, A> store;
    private final Aggregation<? super T, A, ?> aggregation;

    /** Keys that have lost their last event since the last barrier, by the start of the pane. */
    private final Map<Long, Set<K>> emptied = new HashMap<>();

    /** The starts of panes that have gone since. */
    private final List<Long> dropped = new ArrayList<>();

    PaneMirror(WindowSpec windows, PaneStore<K, A> store, Aggregation<? super T, A, ?> aggregation) {
        this.windows = windows;
        this.store = store;
        this.aggregation = aggregation;
    }

    /** Whether the windows can be worked on in panes on the heap, with what is stored of them now. */
    static boolean suits(WindowSpec windows, PaneStore<?, ?> store) {
        if (windows.slideMillis() != windows.sizeMillis()) {
            return false;
        }
        for (Pane<?, ?> pane = store.first(); pane != null; pane = store.after(pane.start())) {
            long start = pane.start();
            if (windows.startOf(start) != start || windows.endOf(start) != pane.end()) {
                return false;
            }
        }
        if (store.reserve(store.entryCount())) {
            return true;
        }
        store.reserve(0);
        return false;
    }

    /** What is stored. */
    PaneStore<K, A> store() {
        return store;
    }

    /** Receives a stored entry. */
    interface Restore<K, A> {

        /** An entry of the pane that starts at {@code start}. */
        void entry(long start, PaneEntry<K, A> entry);
    }

    /** Hands out all that is stored. */
    void restore(Restore<K, A> into) {
        List<PaneEntry<K, A>> page = new ArrayList<>();
        for (Pane<K, A> pane = store.first(); pane != null; pane = store.after(pane.start())) {
            if (pane.size() == 0) { // nothing would remind of it when its time is over
                dropped(pane.start());
            }
            Pane.Walk<K, A> walk = pane.walk();
            while (walk.next(page, EventBatch.MAX_SIZE)) {
                for (PaneEntry<K, A> entry : page) {
                    into.entry(pane.start(), entry);
                }
                page.clear();
            }
        }
    }

    /** {@code key} has lost its last event in the pane that starts at {@code start}. */
    void emptied(long start, K key) {
        emptied.computeIfAbsent(start, s -> new HashSet<>()).add(key);
    }

    /** The pane that starts at {@code start} is gone. */
    void dropped(long start) {
        dropped.add(start);
        emptied.remove(start);
    }

    /** Whether the store has room for so many entries on the heap. */
    boolean fits(long entries) {
        return store.reserve(entries);
    }

    /**
     * Brings what is stored up to date and adds it to the transaction.
     *
     * @param keyOf the key of a slot
     * @param corrections what fired windows keep of keys that they have corrected, by the window's start
     */
    void flush(
            StateTransaction transaction,
            Iterable<SlotPane<T, A>> panes,
            IntFunction<K> keyOf,
            Map<Long, Map<K, PaneEntry<K, A>>> corrections) {
        for (long start : dropped) {
            Pane<K, A> pane = store.find(start);
            if (pane != null) {
                store.drop(pane);
            }
        }
        dropped.clear();
        for (SlotPane<T, A> pane : panes) {
            flush(pane, keyOf, corrections.getOrDefault(pane.start, Map.of()));
        }
        emptied.clear();
        store.flush(transaction);
    }

    private void flush(SlotPane<T, A> pane, IntFunction<K> keyOf, Map<K, PaneEntry<K, A>> corrected) {
        for (K key : emptied.getOrDefault(pane.start, Set.of())) {
            PaneEntry<K, A> correction = corrected.get(key);
            if (correction == null) {
                stored(pane).remove(key);
            } else {
                write(stored(pane).update(key), aggregation.create(), 0, correction);
            }
        }
        pane.takeChanges(slot -> {
            A accumulator = pane.get(slot);
            if (accumulator != null) {
                K key = keyOf.apply(slot);
                write(stored(pane).update(key), accumulator, pane.count(slot), corrected.get(key));
            }
        });
    }

    private Pane<K, A> stored(SlotPane<T, A> pane) {
        return store.open(pane.start, windows.endOf(pane.start));
    }

    private void write(PaneEntry<K, A> entry, A accumulator, long count, @Nullable PaneEntry<K, A> correction) {
        entry.accumulator = accumulator;
        entry.count = count;
        if (correction != null) {
            entry.late = correction.late;
            entry.revision = correction.revision;
        }
    }
}
