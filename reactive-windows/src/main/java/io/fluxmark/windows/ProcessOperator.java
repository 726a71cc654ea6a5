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
        return flux(source, definition.name(), lane, counters -> new ProcessLogic<>(definition, lane, counters));
    }

    /** @param logic is given the counters, and makes the logic of a lane with its state */
    static <T, R> Flux<StreamElement<R>> flux(
            Flux<StreamElement<T>> source,
            String name,
            LaneContext lane,
            Function<LiveCounters, KeyedLogic<T, R>> logic) {
        return OperatorFlux.of(source, name, actual -> {
            LiveCounters counters = new LiveCounters();
            counters.restore(lane.state(), name);
            ProcessOperator<T, R> operator = new ProcessOperator<>(actual, name, lane, counters, logic.apply(counters));
            lane.counters(name, counters);
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
            batch = events;
            next = 0;
            counters.add(Counter.INGESTED, events.size());
        } else if (input instanceof Watermark<T> progress) {
            byTimeout = progress.byTimeout();
            advance(progress.timestamp());
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
            } else {
                return finishInput();
            }
        }
    }

    /** Works on until timers are due or the run is through; false when a run of output is full. */
    private boolean addEvents(EventBatch<T> events) {
        byTimeout = false;
        while (next < events.size) {
            if (advance(events.watermarkBefore(next))) {
                return true;
            }
            if (output.isFull()) {
                return false;
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
        if (advance(events.after)) {
            return true;
        }
        batch = null;
        return true;
    }

    /** Moves on to {@code target}; true when timers are due then. */
    private boolean advance(long target) {
        if (!Watermark.advances(logic.watermark, target)) {
            return false;
        }
        if (logic.hasDueTimers(target)) {
            return begin(target);
        }
        logic.settle(target);
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
        EventBatch<R> run = output.take();
        if (run != null) {
            forwarded = run.watermarkAfter();
        }
        return run;
    }

    @Override
    protected boolean holdsOutput() {
        return calling
                || batch != null
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
        for (EventBatch<R> run = output.take(); run != null; run = output.take()) {
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
