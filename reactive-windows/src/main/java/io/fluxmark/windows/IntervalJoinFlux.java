package io.fluxmark.windows;

import java.util.Locale;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * An interval join, before it is said what becomes of pairs, and of events without a partner. Immutable.
 *
 * <p>An event is late at or before the watermark of both streams. It is not joined then, not even with what is still here: it is
 * dropped and counted ({@link Counter#DROPPED}), or goes to the late output of its stream ({@link Counter#SIDE}). An event that is not late finds all its
 * partners that came before it, and waits for those to come: a left one until the watermark is at its time and {@code after}, a
 * right one until it is at its time and {@code before}; what is kept is bounded by what the streams bring in that time. All pairs
 * of one event are made together.
 *
 * <p>A pair has the later one's time and is never late for who follows. An event without a partner is emitted once, when the
 * watermark says that none can come (S45), and has that time. Nothing depends on demand, nor on how events fall into runs; which
 * of two streams is read first may decide only whether an event that is late in its own stream is late for both.
 *
 * @param <K> the key
 * @param <L> the events of the left stream
 * @param <R> the events of the right stream
 */
public final class IntervalJoinFlux<K, L, R> {

    private final JoinedFlux<K, L, R> joined;
    private final JoinInterval interval;
    private final JoinInput<K, L> left;
    private final JoinInput<K, R> right;
    private final Consumer<? super LiveCounters> counters;
    private final Consumer<? super LiveExplanation> explanations;

    private IntervalJoinFlux(
            JoinedFlux<K, L, R> joined,
            JoinInterval interval,
            JoinInput<K, L> left,
            JoinInput<K, R> right,
            Consumer<? super LiveCounters> counters,
            Consumer<? super LiveExplanation> explanations) {
        this.joined = joined;
        this.interval = interval;
        this.left = left;
        this.right = right;
        this.counters = counters;
        this.explanations = explanations;
    }

    static <K, L, R> IntervalJoinFlux<K, L, R> of(JoinedFlux<K, L, R> joined, JoinInterval interval) {
        return new IntervalJoinFlux<>(
                joined,
                Objects.requireNonNull(interval, "interval"),
                new JoinInput<>(joined.left.key, null, null),
                new JoinInput<>(joined.right.key, null, null),
                live -> {},
                live -> {});
    }

    /** How events are kept that wait for partners: a job needs it, on the heap it is not used. */
    public IntervalJoinFlux<K, L, R> storing(Codec<L> leftCodec, Codec<R> rightCodec) {
        return new IntervalJoinFlux<>(
                joined, interval, left.with(leftCodec), right.with(rightCodec), counters, explanations);
    }

    /** Where late events of each stream go, which count as side then; without it they are dropped, and counted. */
    public IntervalJoinFlux<K, L, R> lateTo(LateSink<? super L> leftSink, LateSink<? super R> rightSink) {
        return new IntervalJoinFlux<>(
                joined, interval, left.with(leftSink), right.with(rightSink), counters, explanations);
    }

    /** Hands out the live counters of each lane at its subscription. */
    public IntervalJoinFlux<K, L, R> countersTo(Consumer<? super LiveCounters> consumer) {
        return new IntervalJoinFlux<>(
                joined, interval, left, right, Objects.requireNonNull(consumer, "consumer"), explanations);
    }

    /** Hands out, for each lane at its subscription, what tells at any time who holds the watermark, and what waits. */
    public IntervalJoinFlux<K, L, R> explainTo(Consumer<? super LiveExplanation> consumer) {
        return new IntervalJoinFlux<>(
                joined, interval, left, right, counters, Objects.requireNonNull(consumer, "consumer"));
    }

    /** Emits what {@code joiner} makes of each pair; null is an error. */
    public <O> EventFlux<O> inner(BiFunction<? super L, ? super R, ? extends O> joiner) {
        return join(JoinKind.INNER, joiner);
    }

    /** The same, and each left event without a partner, for which the right one is null. */
    public <O> EventFlux<O> left(BiFunction<? super L, ? super @Nullable R, ? extends O> joiner) {
        return join(JoinKind.LEFT, joiner);
    }

    /** The same, and each right event without a partner, for which the left one is null. */
    public <O> EventFlux<O> right(BiFunction<? super @Nullable L, ? super R, ? extends O> joiner) {
        return join(JoinKind.RIGHT, joiner);
    }

    /** The same, and each event of either stream without a partner, for which the other one is null. */
    public <O> EventFlux<O> full(BiFunction<? super @Nullable L, ? super @Nullable R, ? extends O> joiner) {
        return join(JoinKind.FULL, joiner);
    }

    private <O> EventFlux<O> join(
            JoinKind kind, BiFunction<? super @Nullable L, ? super @Nullable R, ? extends O> joiner) {
        Objects.requireNonNull(joiner, "joiner");
        Plan plan = joined.plan;
        plan.requireStorable(left.codec() != null && right.codec() != null);
        String name = plan.nextName("join");
        KeyCodec<K> keys = joined.left.keyCodec;
        String says = kind.name().toLowerCase(Locale.ROOT) + " join " + interval;
        Plan next = plan.joined(KeyedStage.ofJoin(name, keys, says));
        JoinDefinition<K, L, R, O> definition =
                new JoinDefinition<>(name, keys, interval, kind, left, right, joiner, plan.failures());
        Function<LaneContext, Flux<StreamElement<JoinEvent<L, R>>>> inputs = joined.recipe();
        return new EventFlux<>(
                lane -> {
                    LaneContext observed = new ObservedLane(lane, counters, explanations);
                    return ProcessOperator.flux(
                            inputs.apply(lane),
                            name,
                            observed,
                            totals -> new JoinLogic<>(definition, observed, totals.counters));
                },
                next);
    }
}
