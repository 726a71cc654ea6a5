package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Windows that follow from the timestamp: tumbling, sliding and calendar windows, with one state for each key of each
 * window. Firing walks a cursor over the window's entries under demand.
 *
 * <p>An event of a window that has fired but not expired changes the stored value and emits at once (S15). The old value is
 * computed from the accumulator before the change, which is the stored form of the last emission: every change of a fired
 * window is emitted. Where there are early results, changes wait, and the emitted value is stored beside.
 */
final class FixedWindows<T, K, A, R> extends WindowLogic<T, K, A, R> {

    /** What one window does with an event. */
    private enum Verdict {
        ON_TIME,
        REFIRED,
        MISSED
    }

    private final WindowPanes<K, A> panes;
    private final Emission<K, A, R> emission;
    private final @Nullable EarlyResults<K, A> early;
    private final @Nullable Ceiling ceiling;
    private final boolean sliding;
    private long entries;

    /** The firing under way. */
    private @Nullable Pane<K, A> firing;

    private Pane.@Nullable Walk<K, A> walk;
    private final ArrayList<PaneEntry<K, A>> page = new ArrayList<>(EventBatch.MAX_SIZE);
    private int pageNext;

    FixedWindows(
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LiveCounters counters,
            WindowResults<K, R> results) {
        this(definition, lane, counters, results, openStore(definition, lane), openLate(definition, lane));
    }

    /** Goes on with what is in {@code store}. */
    FixedWindows(
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LiveCounters counters,
            WindowResults<K, R> results,
            PaneStore<K, A> store,
            LateSink.@Nullable Output<? super T> late) {
        super(definition, lane, counters, results, late);
        this.panes = new WindowPanes<>(windows, store, results.watermark);
        this.emission = new Emission<>(windows, aggregation, counters, results);
        Early when = windows.early();
        this.early = when == null
                ? null
                : new EarlyResults<>(when, store, definition.keyCodec().order());
        this.ceiling = windows.ceiling();
        this.sliding = windows.kind() == WindowSpec.Kind.SLIDING;
        this.entries = store.entryCount();
    }

    /** Where the windows of the definition are kept. */
    static <K, A> PaneStore<K, A> openStore(WindowDefinition<?, K, A, ?> definition, LaneContext lane) {
        return lane.state()
                .panes(
                        definition.name(),
                        definition.header(),
                        definition.keyCodec(),
                        definition.aggregation().accumulatorCodec(),
                        definition.aggregation().resultCodec());
    }

    @Override
    void add(EventBatch<T> run, int i) {
        T event = run.value(i);
        long timestamp = run.timestamp(i);
        int sign = run.sign(i);
        if (sliding) {
            addToAll(event, timestamp, sign);
            return;
        }
        long start = panes.startOf(timestamp);
        long end = panes.endOf(start);
        switch (addTo(event, start, end, sign)) {
            case ON_TIME -> countOnTime();
            case REFIRED -> countAccepted(1, 0, true);
            default -> reject(event, timestamp, List.of(new TimeWindow(start, end)));
        }
    }

    private void addToAll(T event, long timestamp, int sign) {
        int accepted = 0;
        int missed = 0;
        boolean refired = false;
        for (long start = windows.firstStartOf(timestamp); start <= timestamp; start += windows.slideMillis()) {
            Verdict verdict = addTo(event, start, windows.endOf(start), sign);
            refired |= verdict == Verdict.REFIRED;
            if (verdict == Verdict.MISSED) {
                missed++;
            } else {
                accepted++;
            }
        }
        if (accepted > 0) {
            countAccepted(accepted, missed, refired);
        } else if (missed > 0) {
            reject(event, timestamp, windows.windowsOf(timestamp));
        } else {
            counters.add(Counter.UNASSIGNED, 1);
        }
    }

    private Verdict addTo(T event, long start, long end, int sign) {
        boolean closed = Watermark.closes(results.watermark, end);
        if (closed && Watermark.expires(results.watermark, end, windows.allowedLatenessMillis())) {
            return Verdict.MISSED;
        }
        PaneEntry<K, A> entry = entry(key(event), start, end);
        if (entry == null) {
            return Verdict.MISSED;
        }
        if (closed) {
            fireAgain(entry, event, new TimeWindow(start, end), sign);
            return Verdict.REFIRED;
        }
        apply(entry, event, sign);
        if (early != null) {
            if (early.isDue(entry, start)) {
                emission.early(entry, new TimeWindow(start, end));
            }
        } else if (entry.count == 0) {
            panes.open(start, end, results.watermark).remove(entry.key);
            entries--;
        }
        return Verdict.ON_TIME;
    }

    /** The entry of {@code key}, or null where the ceiling refuses one more. */
    private @Nullable PaneEntry<K, A> entry(K key, long start, long end) {
        if (ceiling != null && entries >= ceiling.entries() && isNew(key, start)) {
            refuse(ceiling);
            return null;
        }
        PaneEntry<K, A> entry = panes.open(start, end, results.watermark).update(key);
        if (entry.accumulator == null) {
            lane.checkKey(key);
            entry.accumulator = aggregation.create();
            entries++;
        }
        return entry;
    }

    private boolean isNew(K key, long start) {
        Pane<K, A> pane = panes.find(start);
        return pane == null || pane.find(key) == null;
    }

    private void apply(PaneEntry<K, A> entry, T event, int sign) {
        A accumulator = Objects.requireNonNull(entry.accumulator, "accumulator");
        if (sign >= 0) {
            keep(entry, accumulator, aggregation.add(accumulator, event));
            entry.count++;
        } else if (entry.count > 0) {
            keep(entry, accumulator, aggregation.subtract(accumulator, event));
            entry.count--;
        } else {
            throw nothingToTakeBack(event, entry.key);
        }
    }

    /** Most accumulators change in place; a reference that stays is not written, which would cost more than it looks. */
    private void keep(PaneEntry<K, A> entry, A before, A after) {
        if (after != before) {
            entry.accumulator = after;
        }
    }

    private void fireAgain(PaneEntry<K, A> entry, T event, TimeWindow window, int sign) {
        if (early != null) {
            apply(entry, event, sign);
            emission.late(entry, window);
            return;
        }
        emission.beforeLate(entry);
        apply(entry, event, sign);
        emission.afterLate(entry, window);
    }

    @Override
    boolean isDue(long watermark) {
        return panes.isDue(watermark);
    }

    @Override
    void beginAdvance(long before) {
        beginFiring(panes.firstUnfired(before));
    }

    private void beginFiring(@Nullable Pane<K, A> candidate) {
        Pane<K, A> pane = panes.closed(candidate, results.watermark);
        firing = pane;
        walk = pane == null ? null : pane.walk();
        if (pane == null) {
            entries -= panes.finishAdvance(results.watermark);
            if (early != null && entries == 0) {
                early.clear();
            }
        }
    }

    @Override
    void beginEarly() {
        if (early != null) {
            early.begin();
        }
    }

    @Override
    boolean awaitsEarly() {
        return early != null && early.awaits();
    }

    @Override
    boolean proceed() {
        while (firing != null && walk != null) {
            Pane<K, A> pane = firing;
            if (!emitPage(pane)) {
                return false;
            }
            page.clear();
            pageNext = 0;
            if (!walk.next(page, EventBatch.MAX_SIZE)) {
                beginFiring(panes.after(pane));
            }
        }
        return early == null || early.proceed(emission, results);
    }

    private boolean emitPage(Pane<K, A> pane) {
        TimeWindow window = new TimeWindow(pane.start(), pane.end());
        while (pageNext < page.size()) {
            if (results.isFull()) {
                return false;
            }
            PaneEntry<K, A> entry = page.get(pageNext++);
            if (early != null) {
                emission.onTime(pane.update(entry.key), window);
            } else if (entry.count > 0) {
                A accumulator = Objects.requireNonNull(entry.accumulator, "accumulator");
                results.emit(entry.key, window, result(accumulator), WindowResult.Kind.ON_TIME, 0, entry.late);
            }
        }
        return true;
    }

    @Override
    void flush(StateTransaction transaction) {
        panes.flush(transaction);
    }

    @Override
    WindowStatus status() {
        return panes.status(results.watermark);
    }
}
