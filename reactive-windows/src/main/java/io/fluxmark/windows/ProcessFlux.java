package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A function over keyed events, before it is said which, with what goes with it; see {@link KeyedFlux#processing}.
 *
 * @param <K> the key
 * @param <T> the events
 */
public final class ProcessFlux<K, T> {

    private final KeyedFlux<K, T> keyed;
    private final @Nullable LateSink<? super T> late;
    private final Consumer<? super LiveCounters> counters;
    private final Consumer<? super LiveExplanation> explanations;

    ProcessFlux(
            KeyedFlux<K, T> keyed,
            @Nullable LateSink<? super T> late,
            Consumer<? super LiveCounters> counters,
            Consumer<? super LiveExplanation> explanations) {
        this.keyed = keyed;
        this.late = late;
        this.counters = counters;
        this.explanations = explanations;
    }

    /** Events behind the watermark go to {@code sink}, count as {@link Counter#SIDE}, and are not handed over. */
    public ProcessFlux<K, T> lateTo(LateSink<? super T> sink) {
        return new ProcessFlux<>(keyed, Objects.requireNonNull(sink, "sink"), counters, explanations);
    }

    /** The same, calling {@code consumer} in order on the lane's thread; at least once where a job is replayed. */
    public ProcessFlux<K, T> lateTo(Consumer<? super LateEvent<T>> consumer) {
        return lateTo(LateSink.<T>calling(consumer));
    }

    /** Hands out the live counters of each lane at its subscription. */
    public ProcessFlux<K, T> countersTo(Consumer<? super LiveCounters> consumer) {
        return new ProcessFlux<>(keyed, late, Objects.requireNonNull(consumer, "consumer"), explanations);
    }

    /** Hands out, for each lane at its subscription, what tells at any time why no timer is called. */
    public ProcessFlux<K, T> explainTo(Consumer<? super LiveExplanation> consumer) {
        return new ProcessFlux<>(keyed, late, counters, Objects.requireNonNull(consumer, "consumer"));
    }

    /**
     * Calls the function.
     *
     * @throws IllegalStateException where a stage before takes results back and {@code process} does not take them
     */
    public <R> EventFlux<R> call(KeyedProcess<K, ? super T, R> process) {
        Plan plan = keyed.plan;
        Parallelism parallelism = keyed.parallelism;
        Plan split = parallelism == null ? plan : plan.splitNext(plan.nextName("process"), parallelism, null);
        Plan processed = split.processed(process, keyed.keyCodec);
        ProcessDefinition<T, K, R> definition = new ProcessDefinition<>(
                plan.nextName("process"), keyed.key, keyed.keyCodec, process, late, split.failures());
        return new EventFlux<>(
                lane -> {
                    LaneContext observed = new ObservedLane(lane, counters, explanations);
                    return parallelism == null
                            ? ProcessOperator.flux(keyed.recipe.apply(lane), definition, observed)
                            : SplitStage.of(definition, parallelism).behind(keyed.recipe.apply(lane), observed);
                },
                processed);
    }
}
