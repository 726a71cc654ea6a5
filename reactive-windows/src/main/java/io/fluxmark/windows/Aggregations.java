package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Ready-made aggregations. Sums wrap around on overflow of a long, as {@code long} arithmetic does. */
public final class Aggregations {

    private Aggregations() {}

    /** The number of events. */
    public static <T> LongsAggregation<T, Long> counting() {
        return new CellAggregation<>(
                "counting",
                1,
                0,
                (cells, at, event) -> cells[at]++,
                (cells, at, event) -> cells[at]--,
                (cells, at, others, from) -> cells[at] += others[from],
                (cells, at) -> cells[at],
                Codec.longs());
    }

    /** The sum of a field. */
    public static <T> LongsAggregation<T, Long> summingLong(ToLongFunction<? super T> field) {
        return new CellAggregation<>(
                "summingLong",
                1,
                0,
                (cells, at, event) -> cells[at] += field.applyAsLong(event),
                (cells, at, event) -> cells[at] -= field.applyAsLong(event),
                (cells, at, others, from) -> cells[at] += others[from],
                (cells, at) -> cells[at],
                Codec.longs());
    }

    /** The smallest value of a field. Takes no retractions. */
    public static <T> LongsAggregation<T, Long> minLong(ToLongFunction<? super T> field) {
        return new CellAggregation<>(
                "minLong",
                1,
                Long.MAX_VALUE,
                (cells, at, event) -> cells[at] = Math.min(cells[at], field.applyAsLong(event)),
                null,
                (cells, at, others, from) -> cells[at] = Math.min(cells[at], others[from]),
                (cells, at) -> cells[at],
                Codec.longs());
    }

    /** The largest value of a field. Takes no retractions. */
    public static <T> LongsAggregation<T, Long> maxLong(ToLongFunction<? super T> field) {
        return new CellAggregation<>(
                "maxLong",
                1,
                Long.MIN_VALUE,
                (cells, at, event) -> cells[at] = Math.max(cells[at], field.applyAsLong(event)),
                null,
                (cells, at, others, from) -> cells[at] = Math.max(cells[at], others[from]),
                (cells, at) -> cells[at],
                Codec.longs());
    }

    /** The mean of a field, from an exact sum and count, so that it does not depend on the order of events. */
    public static <T> LongsAggregation<T, Double> averagingLong(ToLongFunction<? super T> field) {
        return new CellAggregation<>(
                "averagingLong",
                2,
                0,
                (cells, at, event) -> {
                    cells[at] += field.applyAsLong(event);
                    cells[at + 1]++;
                },
                (cells, at, event) -> {
                    cells[at] -= field.applyAsLong(event);
                    cells[at + 1]--;
                },
                (cells, at, others, from) -> {
                    cells[at] += others[from];
                    cells[at + 1] += others[from + 1];
                },
                (cells, at) -> cells[at + 1] == 0 ? 0.0 : (double) cells[at] / cells[at + 1],
                Codec.doubles());
    }

    /** Two aggregations of the same events, and what to make of their results. */
    public static <T, A, B, X, Y, R> Aggregation<T, ?, R> allOf(
            Aggregation<? super T, A, X> first,
            Aggregation<? super T, B, Y> second,
            BiFunction<? super X, ? super Y, ? extends R> combiner) {
        return allOf(first, second, combiner, null);
    }

    /** The same with the codec of the combined results. */
    public static <T, A, B, X, Y, R> Aggregation<T, ?, R> allOf(
            Aggregation<? super T, A, X> first,
            Aggregation<? super T, B, Y> second,
            BiFunction<? super X, ? super Y, ? extends R> combiner,
            @Nullable Codec<R> resultCodec) {
        Objects.requireNonNull(combiner, "combiner");
        return new PairAggregation<T, A, B, X, Y, R>(first, second, combiner, resultCodec);
    }
}
