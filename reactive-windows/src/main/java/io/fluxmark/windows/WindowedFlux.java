package io.fluxmark.windows;

import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Windows over keyed events; see {@link EventFlux}.
 *
 * @param <K> the key
 * @param <T> the events
 */
public final class WindowedFlux<K, T> {

    private final KeyedFlux<K, T> keyed;
    private final WindowSpec windows;
    private final @Nullable LateSink<? super T> late;
    private final Consumer<? super LiveCounters> counters;
    private final Consumer<? super LiveExplanation> explanations;
    private final @Nullable ToLongFunction<? super T> gap;

    WindowedFlux(
            KeyedFlux<K, T> keyed,
            WindowSpec windows,
            @Nullable LateSink<? super T> late,
            Consumer<? super LiveCounters> counters,
            Consumer<? super LiveExplanation> explanations,
            @Nullable ToLongFunction<? super T> gap) {
        this.keyed = keyed;
        this.windows = windows;
        this.late = late;
        this.counters = counters;
        this.explanations = explanations;
        this.gap = gap;
    }

    /** Events past the allowed lateness go to {@code sink} and count as side; without one they are dropped, and counted. */
    public WindowedFlux<K, T> lateTo(LateSink<? super T> sink) {
        return new WindowedFlux<>(keyed, windows, sink, counters, explanations, gap);
    }

    /** The same, calling {@code consumer} in order on the lane's thread; at least once where a job is replayed. */
    public WindowedFlux<K, T> lateTo(Consumer<? super LateEvent<T>> consumer) {
        return lateTo(LateSink.<T>calling(consumer));
    }

    /** Hands out the live counters of each lane at its subscription. */
    public WindowedFlux<K, T> countersTo(Consumer<? super LiveCounters> consumer) {
        return new WindowedFlux<>(keyed, windows, late, consumer, explanations, gap);
    }

    /** Hands out, for each lane at its subscription, what tells at any time why its windows have not fired. */
    public WindowedFlux<K, T> explainTo(Consumer<? super LiveExplanation> consumer) {
        return new WindowedFlux<>(keyed, windows, late, counters, consumer, gap);
    }

    /**
     * Aggregates the events of each key and window. Results, never a Flux of Fluxes: any number of keys passes under any
     * demand.
     *
     * @throws IllegalStateException where a stage before takes results back and {@code aggregation} can't subtract
     */
    public <A, R> EventFlux<WindowResult<K, R>> aggregate(Aggregation<? super T, A, R> aggregation) {
        WindowDefinition<T, K, A, R> definition = new WindowDefinition<>(
                keyed.plan.nextName("window"), keyed.key, keyed.keyCodec, windows, aggregation, late, gap);
        FailureGuard guard = keyed.plan.nextGuard("key");
        Parallelism parallelism = keyed.parallelism;
        if (parallelism != null) {
            definition.requireSplittable();
        }
        Plan plan = (parallelism == null ? keyed.plan : keyed.plan.splitNext(definition.name(), parallelism, guard))
                .windowed(windows, aggregation, keyed.keyCodec, aggregation.resultCodec());
        if (guard == null) {
            return new EventFlux<>(lane -> stage(keyed.recipe.apply(lane), definition, lane), plan);
        }
        WindowDefinition<Keyed<K, T>, K, A, R> ofKeyed = Keyed.window(definition);
        return new EventFlux<>(
                lane -> stage(Keyed.of(keyed.recipe.apply(lane), definition, guard, lane), ofKeyed, lane), plan);
    }

    private <E, A, R> Flux<StreamElement<WindowResult<K, R>>> stage(
            Flux<StreamElement<E>> events, WindowDefinition<E, K, A, R> definition, LaneContext lane) {
        LaneContext observed = new ObservedLane(lane, counters, explanations);
        return keyed.parallelism == null
                ? Windows.aggregate(events, definition, observed)
                : SplitStage.of(definition, keyed.parallelism).behind(events, observed);
    }
}
