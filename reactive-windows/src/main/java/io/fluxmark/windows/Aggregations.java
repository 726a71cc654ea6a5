package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Ready-made aggregations. Sums wrap around on overflow of a long, as {@code long} arithmetic does. */
public final class Aggregations {

    private Aggregations() {}

    /** The number of events. */
    public static <T> Aggregation<T, long[], Long> counting() {
        return new CellAggregation<>(
                "counting",
                1,
                0,
                (cell, event) -> cell[0]++,
                (cell, event) -> cell[0]--,
                (a, b) -> a[0] += b[0],
                cell -> cell[0],
                Codec.longs());
    }

    /** The sum of a field. */
    public static <T> Aggregation<T, long[], Long> summingLong(ToLongFunction<? super T> field) {
        return new CellAggregation<>(
                "summingLong",
                1,
                0,
                (cell, event) -> cell[0] += field.applyAsLong(event),
                (cell, event) -> cell[0] -= field.applyAsLong(event),
                (a, b) -> a[0] += b[0],
                cell -> cell[0],
                Codec.longs());
    }

    /** The smallest value of a field. Takes no retractions. */
    public static <T> Aggregation<T, long[], Long> minLong(ToLongFunction<? super T> field) {
        return new CellAggregation<>(
                "minLong",
                1,
                Long.MAX_VALUE,
                (cell, event) -> cell[0] = Math.min(cell[0], field.applyAsLong(event)),
                null,
                (a, b) -> a[0] = Math.min(a[0], b[0]),
                cell -> cell[0],
                Codec.longs());
    }

    /** The largest value of a field. Takes no retractions. */
    public static <T> Aggregation<T, long[], Long> maxLong(ToLongFunction<? super T> field) {
        return new CellAggregation<>(
                "maxLong",
                1,
                Long.MIN_VALUE,
                (cell, event) -> cell[0] = Math.max(cell[0], field.applyAsLong(event)),
                null,
                (a, b) -> a[0] = Math.max(a[0], b[0]),
                cell -> cell[0],
                Codec.longs());
    }

    /** The mean of a field, from an exact sum and count, so that it does not depend on the order of events. */
    public static <T> Aggregation<T, long[], Double> averagingLong(ToLongFunction<? super T> field) {
        return new CellAggregation<>(
                "averagingLong",
                2,
                0,
                (cell, event) -> {
                    cell[0] += field.applyAsLong(event);
                    cell[1]++;
                },
                (cell, event) -> {
                    cell[0] -= field.applyAsLong(event);
                    cell[1]--;
                },
                (a, b) -> {
                    a[0] += b[0];
                    a[1] += b[1];
                },
                cell -> cell[1] == 0 ? 0.0 : (double) cell[0] / cell[1],
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
