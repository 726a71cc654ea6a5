package io.fluxmark.windows;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The windows of all keys of one operator of one lane, and how many there are. A key is held as long as it has a window
 * and no longer. Confined to the lane.
 */
final class KeyState<K, A> {

    private static final String COUNTS_NAME = "windows";

    /** All keys are in one pane. */
    private static final long PANE = 0;

    private final String operator;
    private final PaneStore<K, LiveWindows<K, A>> store;
    private final boolean keepsEntries;
    private @Nullable Pane<K, LiveWindows<K, A>> pane;

    /** The windows held, and those of them that have not fired. */
    long live;

    long open;

    KeyState(WindowDefinition<?, K, A, ?> definition, StateBackend backend) {
        this.operator = definition.name();
        Aggregation<?, A, ?> aggregation = definition.aggregation();
        Codec<A> accumulators = aggregation.accumulatorCodec();
        this.store = backend.panes(
                operator,
                definition.header(),
                definition.keyCodec(),
                accumulators == null ? null : new LiveWindowsCodec<>(accumulators, aggregation.resultCodec()),
                null);
        this.keepsEntries = store.keepsEntries();
        this.pane = store.find(PANE);
        long[] counts = backend.longs(operator, COUNTS_NAME);
        if (counts != null) {
            live = counts[0];
            open = counts[1];
        }
    }

    /**
     * Finds the windows of the first {@code count} of {@code keys}, where they are on the heap; look-ups that do not depend
     * on each other wait for memory at the same time.
     *
     * @param found where they go; each is of its key until it is {@link LiveWindows#isEmpty empty}, and the key forgotten
     */
    void findAll(@Nullable Object[] keys, int count, @Nullable LiveWindows<K, A>[] found) {
        if (pane instanceof HeapPane<K, LiveWindows<K, A>> onHeap) {
            @Nullable PaneEntry<K, LiveWindows<K, A>>[] entries = onHeap.findAll(keys, count);
            for (int i = 0; i < count; i++) {
                PaneEntry<K, LiveWindows<K, A>> entry = entries[i];
                found[i] = entry == null ? null : entry.accumulator;
                Cache.touch(found[i]);
            }
            for (int i = 0; i < count; i++) {
                LiveWindows<K, A> windows = found[i];
                Cache.touch(windows == null ? null : windows.accumulator);
            }
        }
    }

    /** The windows of {@code key} for reading, or null. */
    @Nullable
    LiveWindows<K, A> find(K key) {
        PaneEntry<K, LiveWindows<K, A>> entry = pane == null ? null : pane.find(key);
        if (entry == null || entry.accumulator == null) {
            return null;
        }
        entry.accumulator.named(entry.key);
        return entry.accumulator;
    }

    /** The same for a key whose windows were seen before. */
    @Nullable
    LiveWindows<K, A> find(LiveWindows<K, A> seen) {
        if (!keepsEntries) {
            return find(seen.key());
        }
        return seen.isEmpty() ? null : seen;
    }

    /** The windows of a key whose windows have just been found, for changing them. */
    LiveWindows<K, A> update(LiveWindows<K, A> found) {
        return keepsEntries ? found : update(found.key());
    }

    /** The windows of {@code key} for changing them, before anything else is asked for here; none, for a new key. */
    LiveWindows<K, A> update(K key) {
        Pane<K, LiveWindows<K, A>> keys = pane;
        if (keys == null) {
            keys = store.open(PANE);
            pane = keys;
        }
        PaneEntry<K, LiveWindows<K, A>> entry = keys.update(key);
        LiveWindows<K, A> windows = entry.accumulator;
        if (windows == null) {
            windows = new LiveWindows<>();
            entry.accumulator = windows;
        }
        windows.named(entry.key);
        return windows;
    }

    /** Forgets a key that has no window any more. */
    void remove(K key) {
        if (pane != null) {
            pane.remove(key);
        }
    }

    /** Forgets everything. */
    void clear() {
        if (pane != null) {
            store.drop(pane);
            pane = null;
        }
        live = 0;
        open = 0;
    }

    /** How many keys are held. */
    long keys() {
        return pane == null ? 0 : pane.size();
    }

    /** A walk over all keys in their order; the keys may not change while it lasts. */
    Pane.Walk<K, LiveWindows<K, A>> walk() {
        return pane == null ? KeyState::nothing : pane.walk();
    }

    private static <E> boolean nothing(List<E> into, int limit) {
        return false;
    }

    void flush(StateTransaction transaction) {
        store.flush(transaction);
        transaction.longs(operator, COUNTS_NAME, new long[] {live, open});
    }
}
