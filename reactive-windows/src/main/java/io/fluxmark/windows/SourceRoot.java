package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Where a pipeline starts at a source with positions, and what has been done to each event since, as long as that is only maps and
 * filters: with it the events of two sources can be read in one lane, each by its own rules. Immutable.
 *
 * @param <S> what the source reads
 * @param <E> the events that it makes of it
 * @param <T> what has become of them
 * @param step what becomes of an event; null leaves it out
 */
record SourceRoot<S, E, T>(EventSource<S> source, TimeDefinition<S, E> time, GuardedOperator.Step<E, T> step) {

    static <S, E> SourceRoot<S, E, E> of(EventSource<S> source, TimeDefinition<S, E> time) {
        return new SourceRoot<>(source, time, event -> event);
    }

    SourceRoot<S, E, T> filter(Predicate<? super T> predicate) {
        return new SourceRoot<>(source, time, event -> {
            T value = step.apply(event);
            return value != null && predicate.test(value) ? value : null;
        });
    }

    <R> SourceRoot<S, E, R> map(Function<? super T, ? extends R> mapper) {
        return new SourceRoot<>(source, time, event -> {
            T value = step.apply(event);
            return value == null ? null : Objects.requireNonNull(mapper.apply(value), "the mapper returned null");
        });
    }
}
