package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of one side of a join that may still find partners: time-major, in panes of a fraction of the time that one event
 * may be joined with, and in a pane by key. A pane goes as a whole once the watermark has left all of its events behind, so that
 * nothing is done for each event that goes. Confined to the lane.
 */
final class JoinRows<K, V> {

    /** Over how many panes the times are spread that one event may be joined with, about. */
    private static final int PANES = 4;

    private final PaneStore<K, List<JoinRow<V>>> store;
    private final long width;
    private final long stays;

    /** The watermark at which the first pane goes. */
    private long due;

    /**
     * @param span the times that one event may be joined with, ms
     * @param stays for how long after its time an event may find a partner, ms
     */
    JoinRows(PaneStore<K, List<JoinRow<V>>> store, long span, long stays) {
        this.store = store;
        this.width = Math.max(1, Long.highestOneBit(span / PANES));
        this.stays = stays;
        findDue();
    }

    private void findDue() {
        Pane<K, List<JoinRow<V>>> first = store.first();
        due = first == null ? Watermark.END : goes(first.start());
    }

    private long goes(long start) {
        return Watermark.expiry(start + width, stays);
    }

    private long floor(long time) {
        return time & -width;
    }

    /** Adds an event, behind those of the same time. */
    void add(K key, long time, V value, boolean matched) {
        long start = floor(time);
        PaneEntry<K, List<JoinRow<V>>> entry = store.open(start).update(key);
        List<JoinRow<V>> rows = entry.accumulator;
        if (rows == null) {
            rows = new ArrayList<>(2);
            entry.accumulator = rows;
        }
        rows.add(behind(rows, time), new JoinRow<>(time, value, matched));
        entry.count = rows.size();
        due = Math.min(due, goes(start));
    }

    /** The first place behind the events of {@code time}. */
    private static int behind(List<? extends JoinRow<?>> rows, long time) {
        int low = 0;
        int high = rows.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (rows.get(middle).time <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Shows the events of a key from one time to another, both included, in order of time and then of coming. */
    void find(K key, long from, long to, Consumer<JoinRow<V>> action) {
        for (Pane<K, List<JoinRow<V>>> pane = firstPane(from); pane != null && pane.start() <= to; pane = next(pane)) {
            PaneEntry<K, List<JoinRow<V>>> entry = pane.find(key);
            if (entry != null && entry.accumulator != null) {
                List<JoinRow<V>> rows = entry.accumulator;
                int end = behind(rows, to);
                for (int i = from == Long.MIN_VALUE ? 0 : behind(rows, from - 1); i < end; i++) {
                    action.accept(rows.get(i));
                }
            }
        }
    }

    /** The events of a key from one time to another have had a partner. */
    void match(K key, long from, long to) {
        for (Pane<K, List<JoinRow<V>>> pane = firstPane(from); pane != null && pane.start() <= to; pane = next(pane)) {
            PaneEntry<K, List<JoinRow<V>>> entry = pane.find(key);
            if (entry != null && entry.accumulator != null && hasUnmatched(entry.accumulator, from, to)) {
                PaneEntry<K, List<JoinRow<V>>> changing = pane.update(key);
                for (JoinRow<V> row : Objects.requireNonNull(changing.accumulator, "rows")) {
                    row.matched |= row.time >= from && row.time <= to;
                }
            }
        }
    }

    private static boolean hasUnmatched(List<? extends JoinRow<?>> rows, long from, long to) {
        for (JoinRow<?> row : rows) {
            if (!row.matched && row.time >= from && row.time <= to) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Pane<K, List<JoinRow<V>>> firstPane(long from) {
        long start = floor(from);
        Pane<K, List<JoinRow<V>>> pane = store.find(start);
        return pane == null ? store.after(start) : pane;
    }

    private @Nullable Pane<K, List<JoinRow<V>>> next(Pane<K, List<JoinRow<V>>> pane) {
        return store.after(pane.start());
    }

    /** Lets go of what {@code watermark} has left behind. */
    void advance(long watermark) {
        while (due != Watermark.END && Watermark.reaches(watermark, due)) {
            Pane<K, List<JoinRow<V>>> first = store.first();
            if (first == null) {
                return;
            }
            store.drop(first);
            findDue();
        }
        if (watermark == Watermark.END) {
            for (Pane<K, List<JoinRow<V>>> pane = store.first(); pane != null; pane = store.first()) {
                store.drop(pane);
            }
            due = Watermark.END;
        }
    }

    void flush(StateTransaction transaction) {
        store.flush(transaction);
    }

    /** How many entries are held, each of a key in a pane. */
    long entries() {
        return store.entryCount();
    }
}
