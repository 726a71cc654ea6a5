package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Windows per key.
 *
 * <p>The operator works through an input run event by event: it advances to the watermark before the event, which may
 * fire windows in the middle of the run, then gives the event to the windows, which add it or find it late. A firing is
 * walked under demand; no event is taken, and no watermark passed on, before the walk is through. A watermark reaches
 * the downstream only behind the results that it caused (S46).
 */
final class WindowOperator<T, K, R> extends DrainOperator<StreamElement<T>, StreamElement<WindowResult<K, R>>> {

    static final int PREFETCH = 4;

    private final String name;
    private WindowLogic<T, K, ?, R> logic;
    private final WindowResults<K, R> results;
    private final StageTotals totals;
    private final LiveCounters counters;
    private final @Nullable EarlyTimer earlyTimer;

    /** The watermark that has been told downstream. */
    private long forwarded = Watermark.NONE;

    /** The input being worked through. */
    private @Nullable EventBatch<T> batch;

    private int next;

    /** The same in a key group: the stretch, of which the batch is what the group has of it. */
    private @Nullable LanePart<T> part;

    /** In a key group, the place of the advance that is fired. */
    private long place;

    private @Nullable StreamElement<T> control;

    /** What is being fired: what a watermark closes, or early results. */
    private Firing firing = Firing.NONE;

    private enum Firing {
        NONE,
        ADVANCE,
        EARLY
    }

    private WindowOperator(
            CoreSubscriber<? super StreamElement<WindowResult<K, R>>> actual,
            WindowDefinition<T, K, ?, R> definition,
            LaneContext lane,
            StageTotals totals,
            WindowResults<K, R> results,
            WindowLogic<T, K, ?, R> logic) {
        super(actual, PREFETCH, AnnouncedLane.asksAhead(lane));
        this.name = definition.name();
        this.totals = totals;
        this.counters = totals.counters;
        this.results = results;
        this.logic = logic;
        Early early = definition.windows().early();
        this.earlyTimer = early == null || early.everyMillis() == 0
                ? null
                : new EarlyTimer(lane.clock(), early.everyMillis(), this::wakeUp);
        lane.counters(name, counters);
    }

    /** Makes what does the work of the definition's windows. */
    interface LogicFactory<T, K, A, R> {
        WindowLogic<T, K, A, R> create(
                WindowDefinition<T, K, A, R> definition,
                LaneContext lane,
                LiveCounters counters,
                WindowResults<K, R> results);
    }

    static <T, K, A, R> WindowOperator<T, K, R> of(
            CoreSubscriber<? super StreamElement<WindowResult<K, R>>> actual,
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LogicFactory<T, K, A, R> factory) {
        StageTotals totals = StageTotals.open(definition.name(), lane);
        WindowResults<K, R> results = new WindowResults<>(totals.counters);
        results.watermark = totals.restored;
        results.forwardable = totals.restored;
        if (lane instanceof GroupLane group) {
            group.asideTo(results::aside);
        }
        WindowLogic<T, K, A, R> logic = factory.create(definition, lane, totals.counters, results);
        WindowOperator<T, K, R> operator = new WindowOperator<>(actual, definition, lane, totals, results, logic);
        if (lane instanceof GroupLane) {
            results.order(operator::place);
        }
        lane.explanation(new LiveExplanation(definition.name(), operator.explain(definition.windows())));
        return operator;
    }

    /** Answered by this operator first and then by the one that makes the watermark, which can only be further on. */
    private Mono<Explanation> explain(WindowSpec windows) {
        return ask(() -> new Look(look(windows), WatermarkSource.above(this)))
                .flatMap(look -> look.above() == null
                        ? Mono.just(look.explanation())
                        : look.above().origin().map(look.explanation()::withOrigin));
    }

    private record Look(Explanation explanation, @Nullable WatermarkSource above) {}

    private Explanation look(WindowSpec windows) {
        if (isOver()) { // and so may be what the state is kept in
            return Explanation.over(name, windows, failure(), hasCompleted(), results.watermark);
        }
        WindowStatus held = logic.status();
        return new Explanation(
                name,
                windows,
                Explanation.State.RUNNING,
                null,
                held.watermark(),
                waitsForDemand(),
                held.openWindows(),
                0,
                held.entries(),
                held.next(),
                Watermark.END,
                null);
    }

    @Override
    protected void onInput(StreamElement<T> input) {
        if (input instanceof EventBatch<T> events) {
            begin(events);
        } else if (input instanceof LanePart<T> group) {
            part = group;
            results.byTimeout = group.stretch.byTimeout;
            if (group.events != null) {
                begin(group.events);
            }
        } else if (input instanceof Watermark<T> progress) {
            results.byTimeout = progress.byTimeout();
            advance(progress.timestamp(), 0);
        } else {
            control = input;
        }
    }

    @Override
    protected @Nullable StreamElement<WindowResult<K, R>> poll(boolean starved) {
        for (; ; ) {
            if (firing != Firing.NONE) {
                if (!logic.proceed()) {
                    return takeResults();
                }
                endFiring();
            } else if (batch != null) {
                if (!addEvents(batch)) {
                    return takeResults();
                }
            } else if (part != null && Watermark.advances(results.watermark, part.stretch.after)) {
                advance(part.stretch.after, part.stretch.size());
            } else if (earlyTimer != null && earlyTimer.isDue()) {
                earlyTimer.take();
                logic.beginEarly();
                firing = Firing.EARLY;
            } else {
                return finishInput();
            }
        }
    }

    /** Hands out what the input has become: results, then the watermark, then the control element itself. */
    private @Nullable StreamElement<WindowResult<K, R>> finishInput() {
        if (!results.isEmpty()) {
            return takeResults();
        }
        LanePart<T> through = part;
        if (through != null) {
            part = null;
            forwarded = results.forwardable;
            if (through.barrier != null) {
                snapshot(through.barrier.transaction());
            }
            return ControlElements.retype(through);
        }
        long forwardable = results.forwardable;
        if (Watermark.advances(forwarded, forwardable)) {
            forwarded = forwardable;
            return new Watermark<>(forwarded, results.byTimeout);
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

    private @Nullable StreamElement<WindowResult<K, R>> takeResults() {
        StreamElement<WindowResult<K, R>> run = results.take();
        if (run instanceof EventBatch<WindowResult<K, R>> batched) {
            forwarded = batched.watermarkAfter();
        }
        return run;
    }

    private void snapshot(StateTransaction transaction) {
        logic.flush(transaction);
        totals.save(transaction, results.watermark);
        logic.flushLate(transaction);
        logic = logic.successor();
    }

    /** Works on until a firing begins or the run is through; false when a run of results is full. */
    private boolean addEvents(EventBatch<T> events) {
        results.byTimeout = false;
        while (next < events.size) {
            if (advance(events.watermarkBefore(next), part == null ? 0 : part.index(next))) {
                return true;
            }
            if (results.isFull()) {
                return false;
            }
            try {
                next = logic.addAll(events, next);
            } catch (Throwable t) {
                next = logic.at;
                throw t;
            }
        }
        if (part == null && advance(events.after, 0)) {
            return true;
        }
        logic.endRun();
        batch = null;
        if (earlyTimer != null && logic.awaitsEarly()) {
            earlyTimer.arm();
        }
        return true;
    }

    private void begin(EventBatch<T> events) {
        batch = events;
        next = 0;
        counters.add(Counter.INGESTED, events.size());
    }

    /**
     * Moves on to {@code target}; true when that began a firing.
     *
     * @param event in a key group the event of the stretch that {@code target} is in force before: it moves on no further than
     *     to the first watermark of the stretch that fires something, as it would with all events
     */
    private boolean advance(long target, int event) {
        long before = results.watermark;
        if (!Watermark.advances(before, target)) {
            return false;
        }
        if (!logic.isDue(target)) {
            pass(target);
            return false;
        }
        if (part == null) {
            results.watermark = target;
        } else {
            Stretch stretch = part.stretch;
            int due = stretch.firstDue(event, w -> Watermark.advances(before, w) && logic.isDue(w));
            place = stretch.placeBefore(due);
            if (due > 0 && Watermark.advances(before, stretch.watermark(due - 1))) {
                pass(stretch.watermark(due - 1));
            }
            results.watermark = stretch.watermark(due);
        }
        logic.beginAdvance(part == null ? before : results.forwardable);
        firing = Firing.ADVANCE;
        return true;
    }

    private void pass(long watermark) {
        results.watermark = watermark;
        results.forwardable = watermark;
    }

    /** The place of what is emitted at the moment, in a key group. */
    private long place() {
        return switch (firing) {
            case ADVANCE -> place;
            case EARLY -> LaneItem.AT_ONCE;
            case NONE -> Objects.requireNonNull(part, "part").placeOf(logic.at);
        };
    }

    private void endFiring() {
        if (firing == Firing.ADVANCE) {
            results.forwardable = results.watermark;
        }
        firing = Firing.NONE;
    }

    @Override
    protected void onInputEnd() {
        stopTimer();
    }

    private void stopTimer() {
        if (earlyTimer != null) {
            earlyTimer.dispose();
        }
    }

    @Override
    protected boolean holdsOutput() {
        return firing != Firing.NONE
                || batch != null
                || part != null
                || control != null
                || !results.isEmpty()
                || (earlyTimer != null && earlyTimer.isDue() && logic.awaitsEarly())
                || Watermark.advances(forwarded, results.forwardable);
    }

    @Override
    protected Stream<?> contents(StreamElement<T> input) {
        return EventBatch.contents(input);
    }

    @Override
    protected void discardHeld(Context context) {
        stopTimer();
        EventBatch<T> held = batch;
        batch = null;
        if (held != null) {
            for (int i = next; i < held.size(); i++) {
                Operators.onDiscard(held.value(i), context);
            }
        }
        firing = Firing.NONE;
        part = null;
        for (StreamElement<?> run = results.take(); run != null; run = results.take()) {
            Operators.onDiscardMultiple(EventBatch.contents(run), context);
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.LARGE_BUFFERED) {
            return logic.entries();
        }
        return key == Attr.NAME ? name : super.scanUnsafe(key);
    }
}
