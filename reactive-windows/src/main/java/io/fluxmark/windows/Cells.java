package io.fluxmark.windows;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one state of a function: by key, over a backend's panes, of which it has one. With a time-to-live each entry
 * knows the largest time at which it was written, and an index of deadlines tells when to look at it. Confined to the lane.
 *
 * @param <C> the keys of entries
 * @param <V> the values
 */
final class Cells<C, V> {

    /** All entries are in one pane. */
    private static final long PANE = 0;

    private final PaneStore<C, StateCell<V>> store;
    private final long timeToLive;
    private final Moment<?> moment;
    private final LiveCounters counters;
    private final @Nullable Deadlines<C> deadlines;
    private final UnaryOperator<V> copy;
    private final Consumer<C> expire;
    private @Nullable Pane<C, StateCell<V>> pane;

    /** The watermark that is being swept at. */
    private long swept;

    /**
     * @param name of the entries, with the state's
     * @param timeToLive ms, or 0
     * @param copy of a value that is changed in place; the value itself where it never is
     * @param expire removes an entry that has expired
     */
    Cells(
            StatePlace<?> place,
            String name,
            KeyCodec<C> keys,
            Codec<V> values,
            long timeToLive,
            UnaryOperator<V> copy,
            Consumer<C> expire) {
        boolean timed = timeToLive > 0;
        StateBackend backend = place.backend();
        this.store = backend.panes(name, place.header(), keys, new StateCellCodec<>(values, timed), null);
        this.timeToLive = timeToLive;
        this.moment = place.moment();
        this.counters = place.counters();
        this.deadlines = timed
                ? new Deadlines<>(backend.panes(name + "/deadlines", keys, Codec.longs()), timeToLive, this::look)
                : null;
        this.copy = copy;
        this.expire = expire;
        this.pane = store.find(PANE);
    }

    /** The entry of {@code key} for reading, or null; it may have expired. */
    @Nullable
    StateCell<V> find(C key) {
        PaneEntry<C, StateCell<V>> entry = pane == null ? null : pane.find(key);
        return entry == null ? null : entry.accumulator;
    }

    /** The value that a call sees, or null. */
    @Nullable
    V live(C key) {
        StateCell<V> cell = find(key);
        return cell == null || isOver(cell) ? null : cell.value;
    }

    /** Whether an entry has expired at the time of the call. */
    boolean isOver(StateCell<V> cell) {
        return timeToLive > 0 && Watermark.reaches(moment.watermark, deadline(cell));
    }

    private long deadline(StateCell<V> cell) {
        return Watermark.deadline(cell.last, timeToLive);
    }

    /** The entry of {@code key} for changing it, until the next one is asked for; one without a value where there is none. */
    StateCell<V> update(C key) {
        if (moment.undo.isOpen()) {
            remember(key);
        }
        Pane<C, StateCell<V>> entries = pane;
        if (entries == null) {
            entries = store.open(PANE);
            pane = entries;
        }
        PaneEntry<C, StateCell<V>> entry = entries.update(key);
        StateCell<V> cell = entry.accumulator;
        if (cell == null) {
            cell = new StateCell<>();
            entry.accumulator = cell;
        }
        return cell;
    }

    /** The same for writing it at the time of the call; null where it would be over at once, and none is made. */
    @Nullable
    StateCell<V> write(C key) {
        Deadlines<C> index = deadlines;
        if (index == null) {
            return update(key);
        }
        StateCell<V> cell = update(key);
        if (cell.filed != StateCell.UNFILED && isOver(cell)) {
            expired(key);
            cell = update(key);
        }
        long time = moment.timestamp;
        cell.last = Math.max(cell.last, time);
        if (cell.filed == StateCell.UNFILED) {
            if (isOver(cell)) {
                counters.add(Counter.EXPIRED, 1);
                remove(key);
                return null;
            }
            cell.filed = index.fileNew(key, deadline(cell));
        }
        return cell;
    }

    /** Forgets an entry; does nothing where there is none. */
    void remove(C key) {
        if (moment.undo.isOpen()) {
            remember(key);
        }
        if (pane != null) {
            pane.remove(key);
        }
    }

    /** What an entry is before a call changes it, to be that again should the call fail. */
    private void remember(C key) {
        if (pane == null) {
            moment.undo.add(this::clear);
            return;
        }
        StateCell<V> cell = find(key);
        if (cell == null) {
            moment.undo.add(() -> remove(key));
            return;
        }
        @Nullable V value = cell.value == null ? null : copy.apply(cell.value);
        long last = cell.last;
        long filed = cell.filed;
        moment.undo.add(() -> {
            StateCell<V> changed = update(key);
            changed.value = value;
            changed.last = last;
            changed.filed = filed;
        });
    }

    /** Counts an entry that is removed as expired, if that is what it is. */
    void countIfOver(StateCell<V> cell) {
        if (isOver(cell)) {
            counters.add(Counter.EXPIRED, 1);
        }
    }

    private void expired(C key) {
        counters.add(Counter.EXPIRED, 1);
        expire.accept(key);
    }

    private boolean look(C key, long place) {
        StateCell<V> cell = find(key);
        if (cell == null || cell.filed != place || deadlines == null) {
            return false;
        }
        if (Watermark.reaches(swept, deadline(cell))) {
            expired(key);
        } else {
            StateCell<V> changing = update(key);
            changing.filed = deadlines.file(key, deadline(changing));
        }
        return true;
    }

    boolean isDue(long watermark) {
        return deadlines != null && deadlines.isDue(watermark);
    }

    /** Lets go of what has expired at {@code watermark}. */
    void sweep(long watermark) {
        if (deadlines == null) {
            return;
        }
        if (watermark == Watermark.END) {
            counters.add(Counter.EXPIRED, size());
            clear();
            deadlines.clear();
            return;
        }
        swept = watermark;
        deadlines.sweep(watermark);
        if (size() == 0) {
            clear(); // an empty pane would leave a trace in the store
        }
    }

    /** Forgets all entries. */
    void clear() {
        if (pane != null) {
            store.drop(pane);
            pane = null;
        }
    }

    void flush(StateTransaction transaction) {
        store.flush(transaction);
        if (deadlines != null) {
            deadlines.flush(transaction);
        }
    }

    /** How many entries are held. */
    long size() {
        return pane == null ? 0 : pane.size();
    }

    /** How many places the index of deadlines holds. */
    long deadlines() {
        return deadlines == null ? 0 : deadlines.size();
    }
}
