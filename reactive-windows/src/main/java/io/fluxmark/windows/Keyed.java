package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * An event with what the functions of a window have said of it, which were called once, before the window: where they may fail on
 * an event, nothing may have been changed by it yet.
 *
 * @param gap the event's own gap, ms; 0 where it has none
 */
record Keyed<K, T>(K key, T event, long gap) {

    /** The same events with their keys; those that a function fails on are left out. */
    static <T, K> Flux<StreamElement<Keyed<K, T>>> of(
            Flux<StreamElement<T>> events, WindowDefinition<T, K, ?, ?> window, FailureGuard guard, LaneContext lane) {
        Function<? super T, ? extends K> key = window.key();
        ToLongFunction<? super T> gap = window.gap();
        GuardedOperator.Step<T, Keyed<K, T>> step = event -> new Keyed<>(
                Objects.requireNonNull(key.apply(event), "the key function returned null"),
                event,
                gap == null ? 0 : gap.applyAsLong(event));
        return OperatorFlux.of(events, guard.name(), actual -> new GuardedOperator<>(actual, step, guard.open(lane)));
    }

    /** A window's definition over its events with their keys. */
    static <T, K, A, R> WindowDefinition<Keyed<K, T>, K, A, R> window(WindowDefinition<T, K, A, R> window) {
        LateSink<? super T> late = window.late();
        return new WindowDefinition<Keyed<K, T>, K, A, R>(
                window.name(),
                Keyed::key,
                window.keyCodec(),
                window.windows(),
                new OfEvents<K, T, A, R>(window.aggregation()),
                late == null ? null : new LateEvents<K, T>(late),
                window.gap() == null ? null : Keyed::gap);
    }

    @Override
    public String toString() {
        return String.valueOf(event);
    }

    /** An aggregation of the events. */
    private record OfEvents<K, T, A, R>(Aggregation<? super T, A, R> aggregation)
            implements Aggregation<Keyed<K, T>, A, R> {

        @Override
        public A create() {
            return aggregation.create();
        }

        @Override
        public A add(A accumulator, Keyed<K, T> keyed) {
            return aggregation.add(accumulator, keyed.event);
        }

        @Override
        public A merge(A first, A second) {
            return aggregation.merge(first, second);
        }

        @Override
        public R result(A accumulator) {
            return aggregation.result(accumulator);
        }

        @Override
        public boolean canSubtract() {
            return aggregation.canSubtract();
        }

        @Override
        public A subtract(A accumulator, Keyed<K, T> keyed) {
            return aggregation.subtract(accumulator, keyed.event);
        }

        @Override
        public @Nullable String id() {
            return aggregation.id();
        }

        @Override
        public @Nullable Codec<A> accumulatorCodec() {
            return aggregation.accumulatorCodec();
        }

        @Override
        public @Nullable Codec<R> resultCodec() {
            return aggregation.resultCodec();
        }

        @Override
        public String toString() {
            return aggregation.toString();
        }
    }

    /** A late output of the events. */
    private static final class LateEvents<K, T> extends LateSink<Keyed<K, T>> {

        private final LateSink<? super T> late;

        LateEvents(LateSink<? super T> late) {
            this.late = late;
        }

        @Override
        public Output<Keyed<K, T>> open(LaneContext lane) {
            LateSink.Output<? super T> events = late.open(lane);
            return new Output<>() {
                @Override
                public void accept(LateEvent<Keyed<K, T>> keyed) {
                    events.accept(new LateEvent<>(
                            keyed.value().event, keyed.timestamp(), keyed.watermark(), keyed.windows()));
                }

                @Override
                public void flush(StateTransaction transaction) {
                    events.flush(transaction);
                }
            };
        }
    }
}
