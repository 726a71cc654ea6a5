package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.ArrayList;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Tumbling windows per key.
 *
 * <p>The operator works through an input run event by event: it advances to the watermark before the event, which may
 * fire windows in the middle of the run, then adds the event, or finds it late. Firing walks a cursor over the window's
 * entries under demand; no event is taken, and no watermark passed on, before the walk is through. A watermark reaches
 * the downstream only behind the results that it caused (S46).
 *
 * <p>An event of a window that has fired but not expired changes the stored value and emits the retraction of the old
 * one and the new one, next to each other (S15). The old value is computed from the accumulator before the change, which
 * is the stored form of the last emission: every change of a fired window is emitted at once.
 */
final class WindowOperator<T, K, A, R> extends DrainOperator<StreamElement<T>, StreamElement<WindowResult<K, R>>> {

    static final int PREFETCH = 4;

    /** An event may emit two results; below this size the output run has room for them. */
    private static final int ROOM = EventBatch.MAX_SIZE - 2;

    private final WindowDefinition<T, K, A, R> definition;
    private final WindowSpec windows;
    private final Function<? super T, ? extends K> keyFunction;
    private final Aggregation<? super T, A, R> aggregation;
    private final WindowPanes<K, A> panes;
    private final LateSink.@Nullable Output<? super T> late;
    private final LaneContext lane;
    private final LiveCounters counters = new LiveCounters();

    private final EventBatchBuilder<WindowResult<K, R>> output = EventBatch.builder();

    /** The watermark that events are judged by, the one that may be told downstream, and the one that has been told. */
    private long watermark = Watermark.NONE;

    private long forwardable = Watermark.NONE;
    private long forwarded = Watermark.NONE;

    /** The input being worked through. */
    private @Nullable EventBatch<T> batch;

    private int next;
    private @Nullable StreamElement<T> control;

    /** The firing under way. */
    private @Nullable Pane<K, A> firing;

    private Pane.@Nullable Walk<K, A> walk;
    private final ArrayList<PaneEntry<K, A>> page = new ArrayList<>(EventBatch.MAX_SIZE);
    private int pageNext;

    /** Outcomes of the current run, added to the counters at its end. */
    private int onTime;

    WindowOperator(
            CoreSubscriber<? super StreamElement<WindowResult<K, R>>> actual,
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane) {
        super(actual, PREFETCH);
        this.definition = definition;
        this.windows = definition.windows();
        this.keyFunction = definition.key();
        this.aggregation = definition.aggregation();
        this.lane = lane;
        LateSink<? super T> sink = definition.late();
        this.late = sink == null ? null : sink.open(lane);
        StateBackend state = lane.state();
        PaneStore<K, A> store = state.panes(definition.name(), definition.keyCodec(), aggregation.accumulatorCodec());
        restore(state);
        this.panes = new WindowPanes<>(windows, store, watermark);
        lane.counters(definition.name(), counters);
    }

    private void restore(StateBackend state) {
        long[] stored = state.longs(definition.name(), Watermark.STATE_NAME);
        if (stored != null) {
            watermark = stored[0];
            forwardable = watermark;
        }
        counters.restore(state, definition.name());
    }

    @Override
    protected void onInput(StreamElement<T> input) {
        if (input instanceof EventBatch<T> events) {
            batch = events;
            next = 0;
            counters.add(Counter.INGESTED, events.size());
        } else if (input instanceof Watermark<T> progress) {
            advance(progress.timestamp());
        } else {
            control = input;
        }
    }

    @Override
    protected @Nullable StreamElement<WindowResult<K, R>> poll(boolean starved) {
        for (; ; ) {
            if (walk != null) {
                if (!fire(walk)) {
                    return build();
                }
            } else if (batch != null) {
                if (!addEvents(batch)) {
                    return build();
                }
            } else {
                return finishInput();
            }
        }
    }

    /** Hands out what the input has become: results, then the watermark, then the control element itself. */
    private @Nullable StreamElement<WindowResult<K, R>> finishInput() {
        if (output.size() > 0) {
            return build();
        }
        if (Watermark.advances(forwarded, forwardable)) {
            forwarded = forwardable;
            return new Watermark<>(forwarded);
        }
        StreamElement<T> held = control;
        if (held == null) {
            return null;
        }
        control = null;
        if (held instanceof CheckpointBarrier<T> barrier) {
            snapshot(barrier.transaction());
        }
        return ControlElements.retype(held);
    }

    private StreamElement<WindowResult<K, R>> build() {
        forwarded = forwardable;
        return output.build(forwarded);
    }

    private void snapshot(StateTransaction transaction) {
        panes.flush(transaction);
        transaction.longs(definition.name(), Watermark.STATE_NAME, new long[] {watermark});
        counters.save(transaction, definition.name());
        if (late != null) {
            late.flush(transaction);
        }
    }

    /** Works on until a firing begins or the run is through; false when the output run is full. */
    private boolean addEvents(EventBatch<T> events) {
        while (next < events.size) {
            if (advance(events.watermarkBefore(next))) {
                return true;
            }
            if (output.size() > ROOM) {
                return false;
            }
            add(events.value(next), events.timestamp(next), events.sign(next));
            next++;
        }
        if (advance(events.after)) {
            return true;
        }
        counters.add(Counter.ON_TIME, onTime);
        counters.add(Counter.ACCEPTED_ASSIGNMENTS, onTime);
        onTime = 0;
        batch = null;
        return true;
    }

    private void add(T event, long timestamp, int sign) {
        long start = panes.startOf(timestamp);
        long end = windows.endOf(start);
        if (!Watermark.closes(watermark, end)) {
            PaneEntry<K, A> entry = entry(event, start);
            apply(entry, event, sign);
            if (entry.count == 0) {
                panes.open(start, watermark).remove(entry.key);
            }
            onTime++;
        } else if (Watermark.expires(watermark, end, windows.allowedLatenessMillis())) {
            rejectLate(event, timestamp, new TimeWindow(start, end));
        } else {
            fireAgain(event, new TimeWindow(start, end), sign);
        }
    }

    private PaneEntry<K, A> entry(T event, long start) {
        K key = Objects.requireNonNull(keyFunction.apply(event), "the key function returned null");
        PaneEntry<K, A> entry = panes.open(start, watermark).update(key);
        if (entry.accumulator == null) {
            lane.checkKey(key);
            entry.accumulator = aggregation.create();
        }
        return entry;
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
            throw new IllegalStateException(
                    "a retraction of " + event + " for key " + entry.key + ", which has nothing to take back");
        }
    }

    /** Most accumulators change in place; a reference that stays is not written, which would cost more than it looks. */
    private void keep(PaneEntry<K, A> entry, A before, A after) {
        if (after != before) {
            entry.accumulator = after;
        }
    }

    private void rejectLate(T event, long timestamp, TimeWindow window) {
        counters.add(Counter.LATE_ASSIGNMENTS, 1);
        if (late == null) {
            counters.add(Counter.DROPPED, 1);
        } else {
            late.accept(new LateEvent<>(event, timestamp, watermark, window));
            counters.add(Counter.SIDE, 1);
        }
    }

    private void fireAgain(T event, TimeWindow window, int sign) {
        PaneEntry<K, A> entry = entry(event, window.start());
        R old = entry.count == 0 ? null : result(entry);
        int revision = entry.count == 0 ? entry.revision : Math.max(0, entry.revision);
        long lateBefore = entry.late;
        apply(entry, event, sign);
        entry.late++;
        counters.add(Counter.REFIRED, 1);
        counters.add(Counter.ACCEPTED_ASSIGNMENTS, 1);
        R value = entry.count == 0 ? null : result(entry);
        if (old != null && old.equals(value)) {
            entry.revision = revision;
            counters.add(Counter.UNCHANGED, 1);
            return;
        }
        if (old != null) {
            emit(entry.key, window, old, WindowResult.Kind.RETRACT, revision, lateBefore);
            counters.add(Counter.RETRACTIONS, 1);
        }
        if (value != null) {
            entry.revision = revision + 1;
            emit(entry.key, window, value, WindowResult.Kind.LATE, entry.revision, entry.late);
            counters.add(Counter.FIRES_LATE, 1);
        } else {
            entry.revision = revision;
        }
    }

    private R result(PaneEntry<K, A> entry) {
        return Objects.requireNonNull(
                aggregation.result(Objects.requireNonNull(entry.accumulator, "accumulator")),
                "the aggregation's result");
    }

    private void emit(K key, TimeWindow window, R value, WindowResult.Kind kind, int revision, long lateCount) {
        output.add(
                new WindowResult<>(key, window, value, kind, revision, lateCount, watermark),
                window.maxTimestamp(),
                forwardable,
                kind == WindowResult.Kind.RETRACT ? -1 : 1);
    }

    /** Moves on to {@code target}; true when that began a firing. */
    private boolean advance(long target) {
        if (!Watermark.advances(watermark, target)) {
            return false;
        }
        long before = watermark;
        watermark = target;
        if (!panes.isDue(target)) {
            forwardable = target;
            return false;
        }
        return beginFiring(panes.nextToFire(before, target, null));
    }

    private boolean beginFiring(@Nullable Pane<K, A> pane) {
        firing = pane;
        if (pane == null) {
            panes.finishAdvance(watermark);
            forwardable = watermark;
            return false;
        }
        walk = pane.walk();
        return true;
    }

    /** Emits from the window that fires until it is through; false when the output run is full. */
    private boolean fire(Pane.Walk<K, A> entries) {
        Pane<K, A> pane = Objects.requireNonNull(firing, "firing");
        TimeWindow window = new TimeWindow(pane.start(), windows.endOf(pane.start()));
        for (; ; ) {
            if (!emitPage(window)) {
                return false;
            }
            page.clear();
            pageNext = 0;
            if (!entries.next(page, EventBatch.MAX_SIZE)) {
                walk = null;
                beginFiring(panes.nextToFire(Watermark.NONE, watermark, pane));
                return true;
            }
        }
    }

    private boolean emitPage(TimeWindow window) {
        int fired = 0;
        while (pageNext < page.size() && !output.isFull()) {
            PaneEntry<K, A> entry = page.get(pageNext++);
            if (entry.count > 0) {
                emit(entry.key, window, result(entry), WindowResult.Kind.ON_TIME, 0, entry.late);
                fired++;
            }
        }
        counters.add(Counter.FIRES_ON_TIME, fired);
        return pageNext == page.size();
    }

    @Override
    protected boolean holdsOutput() {
        return walk != null
                || batch != null
                || control != null
                || output.size() > 0
                || Watermark.advances(forwarded, forwardable);
    }

    @Override
    protected Stream<?> contents(StreamElement<T> input) {
        return EventBatch.contents(input);
    }

    @Override
    protected void discardHeld(Context context) {
        EventBatch<T> held = batch;
        batch = null;
        if (held != null) {
            for (int i = next; i < held.size(); i++) {
                Operators.onDiscard(held.value(i), context);
            }
        }
        walk = null;
        page.clear();
        if (output.size() > 0) {
            Operators.onDiscardMultiple(EventBatch.contents(output.build(forwarded)), context);
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.LARGE_BUFFERED) {
            return panes.entries();
        }
        return key == Attr.NAME ? definition.name() : super.scanUnsafe(key);
    }
}
