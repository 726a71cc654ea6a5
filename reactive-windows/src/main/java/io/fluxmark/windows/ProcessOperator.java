package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A function over keyed events with timers: a user's, or a join.
 *
 * <p>The operator works through an input run event by event: it advances to the watermark before the event, which may call
 * timers in the middle of the run, then hands the event over. Timers are called under demand; no event is taken, and no
 * watermark passed on, before all that are due have been called and what was emitted is handed out.
 */
final class ProcessOperator<T, R> extends DrainOperator<StreamElement<T>, StreamElement<R>> {

    static final int PREFETCH = 4;

    private final String name;
    private final LiveCounters counters;
    private final KeyedLogic<T, R> logic;
    private final ProcessOutput<R> output;

    /** The watermark that has been told downstream. */
    private long forwarded = Watermark.NONE;

    /** Whether silence moved it. */
    private boolean byTimeout;

    /** The input being worked through. */
    private @Nullable EventBatch<T> batch;

    private int next;

    /** The same in a key group: the stretch, of which the batch is what the group has of it. */
    private @Nullable LanePart<T> part;

    /** In a key group, the place of what is emitted at the moment. */
    private long place;

    private @Nullable StreamElement<T> control;

    /** Whether timers are being called. */
    private boolean calling;

    private ProcessOperator(
            CoreSubscriber<? super StreamElement<R>> actual,
            String name,
            LaneContext lane,
            LiveCounters counters,
            KeyedLogic<T, R> logic) {
        super(actual, PREFETCH, AnnouncedLane.asksAhead(lane));
        this.name = name;
        this.counters = counters;
        this.logic = logic;
        this.output = logic.output;
    }

    static <T, K, R> Flux<StreamElement<R>> flux(
            Flux<StreamElement<T>> source, ProcessDefinition<T, K, R> definition, LaneContext lane) {
        return flux(source, definition.name(), lane, totals -> new ProcessLogic<>(definition, lane, totals));
    }

    /** @param logic is given what the stage counts, and makes the logic of a lane with its state */
    static <T, R> Flux<StreamElement<R>> flux(
            Flux<StreamElement<T>> source,
            String name,
            LaneContext lane,
            Function<StageTotals, KeyedLogic<T, R>> logic) {
        return OperatorFlux.of(source, name, actual -> {
            StageTotals totals = StageTotals.open(name, lane);
            ProcessOperator<T, R> operator =
                    new ProcessOperator<>(actual, name, lane, totals.counters, logic.apply(totals));
            if (lane instanceof GroupLane) {
                operator.output.order(() -> operator.place);
            }
            lane.counters(name, totals.counters);
            lane.explanation(new LiveExplanation(name, operator.explain()));
            return operator;
        });
    }

    /** Answered by this operator first and then by the one that makes the watermark, which can only be further on. */
    private Mono<Explanation> explain() {
        return ask(() -> new Look(look(), WatermarkSource.above(this)))
                .flatMap(look -> look.above() == null
                        ? Mono.just(look.explanation())
                        : look.above().origin().map(look.explanation()::withOrigin));
    }

    private record Look(Explanation explanation, @Nullable WatermarkSource above) {}

    private Explanation look() {
        if (isOver()) { // and so may be what the state is kept in
            return Explanation.over(name, null, failure(), hasCompleted(), logic.watermark);
        }
        return new Explanation(
                name,
                null,
                Explanation.State.RUNNING,
                null,
                logic.watermark,
                waitsForDemand(),
                0,
                logic.timers(),
                logic.entries() - logic.timers(),
                null,
                logic.noTimerBefore(),
                null);
    }

    @Override
    protected void onInput(StreamElement<T> input) {
        if (input instanceof EventBatch<T> events) {
            begin(events);
        } else if (input instanceof LanePart<T> group) {
            part = group;
            if (group.events != null) {
                begin(group.events);
            }
        } else if (input instanceof Watermark<T> progress) {
            byTimeout = progress.byTimeout();
            advance(progress.timestamp(), 0);
        } else {
            control = input;
        }
    }

    @Override
    protected @Nullable StreamElement<R> poll(boolean starved) {
        for (; ; ) {
            if (calling) {
                if (!logic.proceed()) {
                    return takeRun();
                }
                calling = false;
            } else if (batch != null) {
                if (!addEvents(batch)) {
                    return takeRun();
                }
            } else if (part != null && Watermark.advances(logic.watermark, part.stretch.after)) {
                advance(part.stretch.after, part.stretch.size());
            } else {
                return finishInput();
            }
        }
    }

    private void begin(EventBatch<T> events) {
        batch = events;
        next = 0;
        counters.add(Counter.INGESTED, events.size());
    }

    /** Works on until timers are due or the run is through; false when a run of output is full. */
    private boolean addEvents(EventBatch<T> events) {
        byTimeout = false;
        while (next < events.size) {
            if (advance(events.watermarkBefore(next), part == null ? 0 : part.index(next))) {
                return true;
            }
            if (output.isFull()) {
                return false;
            }
            if (part != null) {
                place = part.placeOf(next);
            }
            try {
                logic.add(events, next);
            } catch (Throwable t) {
                FailedEvent.addTo(t, events, next);
                throw t;
            }
            next++;
            if (logic.hasDueTimers(logic.watermark)) {
                return begin(logic.watermark);
            }
        }
        if (part == null && advance(events.after, 0)) {
            return true;
        }
        batch = null;
        return true;
    }

    /**
     * Moves on to {@code target}; true when timers are due then.
     *
     * @param event in a key group the event of the stretch that {@code target} is in force before
     */
    private boolean advance(long target, int event) {
        if (!Watermark.advances(logic.watermark, target)) {
            return false;
        }
        if (part != null && logic.isDue(target)) {
            return advance(part.stretch, event);
        }
        if (logic.hasDueTimers(target)) {
            return begin(target);
        }
        logic.settle(target);
        return false;
    }

    /** The same in the steps of the stretch that make something due, as it would be with all events. */
    private boolean advance(Stretch stretch, int event) {
        long target = stretch.watermark(event);
        while (Watermark.advances(logic.watermark, target) && logic.isDue(target)) {
            long before = logic.watermark;
            int due = stretch.firstDue(event, w -> Watermark.advances(before, w) && logic.isDue(w));
            if (due > 0 && Watermark.advances(before, stretch.watermark(due - 1))) {
                logic.settle(stretch.watermark(due - 1));
            }
            if (logic.hasDueTimers(stretch.watermark(due))) {
                place = stretch.placeBefore(due);
                return begin(stretch.watermark(due));
            }
            logic.settle(stretch.watermark(due));
        }
        if (Watermark.advances(logic.watermark, target)) {
            logic.settle(target);
        }
        return false;
    }

    private boolean begin(long target) {
        logic.beginAdvance(target);
        calling = true;
        return true;
    }

    /** Hands out what the input has become: output, then the watermark, then the control element itself. */
    private @Nullable StreamElement<R> finishInput() {
        if (!output.isEmpty()) {
            return takeRun();
        }
        LanePart<T> through = part;
        if (through != null) {
            part = null;
            forwarded = output.closed;
            if (through.barrier != null) {
                logic.flush(through.barrier.transaction());
            }
            return ControlElements.retype(through);
        }
        if (Watermark.advances(forwarded, output.closed)) {
            forwarded = output.closed;
            return new Watermark<>(forwarded, byTimeout);
        }
        StreamElement<T> held = control;
        if (held == null) {
            return null;
        }
        control = null;
        if (held instanceof CheckpointBarrier<T> barrier) {
            logic.flush(barrier.transaction());
        }
        return ControlElements.retype(held);
    }

    private @Nullable StreamElement<R> takeRun() {
        StreamElement<R> run = output.take();
        if (run instanceof EventBatch<R> batched) {
            forwarded = batched.watermarkAfter();
        }
        return run;
    }

    @Override
    protected boolean holdsOutput() {
        return calling
                || batch != null
                || part != null
                || control != null
                || !output.isEmpty()
                || Watermark.advances(forwarded, output.closed);
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
        calling = false;
        part = null;
        for (StreamElement<R> run = output.take(); run != null; run = output.take()) {
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
