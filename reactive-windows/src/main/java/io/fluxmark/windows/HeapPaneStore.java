package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Panes on the heap: one hash map a pane, keys sorted when a walk begins. */
final class HeapPaneStore<K, A> implements PaneStore<K, A> {

    private final TreeMap<Long, HeapPane<K, A>> panes = new TreeMap<>();
    private final Comparator<PaneEntry<K, A>> order;

    HeapPaneStore(Comparator<K> order) {
        this.order = (a, b) -> order.compare(a.key, b.key);
    }

    @Override
    public Pane<K, A> open(long start) {
        HeapPane<K, A> pane = panes.get(start);
        if (pane == null) {
            pane = new HeapPane<>(start, order);
            panes.put(start, pane);
        }
        return pane;
    }

    @Override
    public @Nullable Pane<K, A> find(long start) {
        return panes.get(start);
    }

    @Override
    public @Nullable Pane<K, A> first() {
        Map.Entry<Long, HeapPane<K, A>> first = panes.firstEntry();
        return first == null ? null : first.getValue();
    }

    @Override
    public @Nullable Pane<K, A> after(long start) {
        Map.Entry<Long, HeapPane<K, A>> next = panes.higherEntry(start);
        return next == null ? null : next.getValue();
    }

    @Override
    public void drop(Pane<K, A> pane) {
        panes.remove(pane.start());
    }

    @Override
    public void flush(StateTransaction transaction) {
        // nothing outlives the subscription
    }

    @Override
    public int paneCount() {
        return panes.size();
    }

    @Override
    public long entryCount() {
        long count = 0;
        for (HeapPane<K, A> pane : panes.values()) {
            count += pane.size();
        }
        return count;
    }

    private static final class HeapPane<K, A> extends Pane<K, A> {

        private final HashMap<K, PaneEntry<K, A>> entries = new HashMap<>();
        private final Comparator<PaneEntry<K, A>> order;

        HeapPane(long start, Comparator<PaneEntry<K, A>> order) {
            super(start);
            this.order = order;
        }

        @Override
        public PaneEntry<K, A> update(K key) {
            PaneEntry<K, A> entry = entries.get(key);
            if (entry == null) {
                entry = new PaneEntry<>(key);
                entries.put(key, entry);
            }
            return entry;
        }

        @Override
        public @Nullable PaneEntry<K, A> find(K key) {
            return entries.get(key);
        }

        @Override
        public void remove(K key) {
            entries.remove(key);
        }

        @Override
        public Walk<K, A> walk() {
            ArrayList<PaneEntry<K, A>> sorted = new ArrayList<>(entries.values());
            sorted.sort(order);
            return new ListWalk<>(sorted);
        }

        @Override
        public long size() {
            return entries.size();
        }
    }

    private static final class ListWalk<K, A> implements Pane.Walk<K, A> {

        private final List<PaneEntry<K, A>> entries;
        private int next;

        ListWalk(List<PaneEntry<K, A>> entries) {
            this.entries = entries;
        }

        @Override
        public boolean next(List<PaneEntry<K, A>> into, int limit) {
            int end = Math.min(entries.size(), next + limit);
            if (next == end) {
                return false;
            }
            into.addAll(entries.subList(next, end));
            next = end;
            return true;
        }
    }
}
