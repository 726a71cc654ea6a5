package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keyed events of which each is to pass once, before it is said what makes two of them the same, with what goes with it; see
 * {@link KeyedFlux#deduping}. Immutable.
 *
 * @param <K> the key
 * @param <T> the events
 */
public final class DedupeFlux<K, T> {

    private final KeyedFlux<K, T> keyed;
    private final long timeToLive;
    private final @Nullable LateSink<? super T> late;
    private final Consumer<? super LiveCounters> counters;

    DedupeFlux(
            KeyedFlux<K, T> keyed,
            long timeToLive,
            @Nullable LateSink<? super T> late,
            Consumer<? super LiveCounters> counters) {
        this.keyed = keyed;
        this.timeToLive = timeToLive;
        this.late = late;
        this.counters = counters;
    }

    /** Events that come too late to be judged go to {@code sink} and count as {@link Counter#SIDE}; they do not pass. */
    public DedupeFlux<K, T> lateTo(LateSink<? super T> sink) {
        return new DedupeFlux<>(keyed, timeToLive, Objects.requireNonNull(sink, "sink"), counters);
    }

    /** The same, calling {@code consumer} in order on the lane's thread; at least once where a job is replayed. */
    public DedupeFlux<K, T> lateTo(Consumer<? super LateEvent<T>> consumer) {
        return lateTo(LateSink.<T>calling(consumer));
    }

    /** Hands out the live counters of each lane at its subscription. */
    public DedupeFlux<K, T> countersTo(Consumer<? super LiveCounters> consumer) {
        return new DedupeFlux<>(keyed, timeToLive, late, Objects.requireNonNull(consumer, "consumer"));
    }

    /**
     * Events with the same key are the same: the key is their id.
     *
     * @throws IllegalStateException where a stage before takes results back
     */
    public KeyedFlux<K, T> byKey() {
        return deduped(keyed.keyCodec, (key, event) -> key);
    }

    /**
     * Events with the same key and the same id are the same.
     *
     * @param codec encodes ids; {@link KeyCodec#tagged(Class)} for those that need no codec of their own
     * @throws IllegalStateException where a stage before takes results back
     */
    public <I> KeyedFlux<K, T> by(Function<? super T, ? extends I> id, KeyCodec<I> codec) {
        Objects.requireNonNull(id, "id");
        KeyCodec<SubKey<K, I>> both = new SubKeyCodec<>(keyed.keyCodec, Objects.requireNonNull(codec, "codec"));
        return deduped(
                both,
                (key, event) ->
                        new SubKey<>(key, Objects.requireNonNull(id.apply(event), "the id function returned null")));
    }

    private <I> KeyedFlux<K, T> deduped(KeyCodec<I> codec, BiFunction<? super K, ? super T, ? extends I> identity) {
        Plan plan = keyed.plan;
        Plan deduped = plan.deduped(timeToLive, codec);
        DedupeDefinition<T, K, I> definition = new DedupeDefinition<>(
                plan.nextName("dedupe"), keyed.key, identity, codec, timeToLive, late, plan.failures());
        return new KeyedFlux<>(
                lane -> DedupeOperator.flux(
                        keyed.recipe.apply(lane), definition, new ObservedLane(lane, counters, live -> {})),
                deduped,
                keyed.keyCodec,
                keyed.key,
                null);
    }
}
