package io.fluxmark.windows;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Panes on the heap. Where there are few, a new one is made for as many keys as the one that was dropped last had. */
final class HeapPaneStore<K, A> implements PaneStore<K, A> {

    private static final int FEW = 4;

    private final TreeMap<Long, HeapPane<K, A>> panes = new TreeMap<>();
    private final Comparator<PaneEntry<K, A>> order;
    private long expectedKeys;

    HeapPaneStore(Comparator<K> order) {
        this.order = (a, b) -> order.compare(a.key, b.key);
    }

    @Override
    public Pane<K, A> open(long start, long end) {
        HeapPane<K, A> pane = panes.get(start);
        if (pane == null) {
            pane = new HeapPane<>(start, end, order, panes.size() < FEW ? expectedKeys : 0);
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

    private static <K, A> @Nullable Pane<K, A> value(Map.@Nullable Entry<Long, HeapPane<K, A>> entry) {
        return entry == null ? null : entry.getValue();
    }

    @Override
    public void drop(Pane<K, A> pane) {
        expectedKeys = pane.size();
        panes.remove(pane.start());
    }

    @Override
    public void flush(StateTransaction transaction) {
        // nothing outlives the subscription
    }

    @Override
    public boolean keepsEntries() {
        return true;
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
}
