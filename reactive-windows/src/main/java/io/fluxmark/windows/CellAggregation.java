package io.fluxmark.windows;

import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An aggregation whose accumulator is a few longs, changed in place. */
final class CellAggregation<T, R> implements Aggregation<T, long[], R> {

    private final String name;
    private final int cells;
    private final long initial;
    private final BiConsumer<long[], T> adder;
    private final @Nullable BiConsumer<long[], T> subtractor;
    private final BiConsumer<long[], long[]> merger;
    private final Function<long[], R> finisher;
    private final Codec<R> resultCodec;

    CellAggregation(
            String name,
            int cells,
            long initial,
            BiConsumer<long[], T> adder,
            @Nullable BiConsumer<long[], T> subtractor,
            BiConsumer<long[], long[]> merger,
            Function<long[], R> finisher,
            Codec<R> resultCodec) {
        this.name = name;
        this.cells = cells;
        this.initial = initial;
        this.adder = adder;
        this.subtractor = subtractor;
        this.merger = merger;
        this.finisher = finisher;
        this.resultCodec = resultCodec;
    }

    @Override
    public long[] create() {
        long[] cell = new long[cells];
        if (initial != 0) {
            Arrays.fill(cell, initial);
        }
        return cell;
    }

    @Override
    public long[] add(long[] cell, T event) {
        adder.accept(cell, event);
        return cell;
    }

    @Override
    public boolean canSubtract() {
        return subtractor != null;
    }

    @Override
    public long[] subtract(long[] cell, T event) {
        if (subtractor == null) {
            return Aggregation.super.subtract(cell, event);
        }
        subtractor.accept(cell, event);
        return cell;
    }

    @Override
    public long[] merge(long[] first, long[] second) {
        merger.accept(first, second);
        return first;
    }

    @Override
    public R result(long[] cell) {
        return finisher.apply(cell);
    }

    @Override
    public Codec<long[]> accumulatorCodec() {
        return Codec.longArrays();
    }

    @Override
    public Codec<R> resultCodec() {
        return resultCodec;
    }

    @Override
    public String toString() {
        return name;
    }
}
