package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/** A ready-made aggregation of one or two longs, from its parts. */
final class CellAggregation<T, R> implements LongsAggregation<T, R> {

    private final String name;
    private final int cells;
    private final long initial;
    private final Change<T> adder;
    private final @Nullable Change<T> subtractor;
    private final Merge merger;
    private final Value<R> finisher;
    private final Codec<R> resultCodec;

    /** Changes the accumulator at an index by an event. */
    interface Change<T> {
        void apply(long[] cells, int at, T event);
    }

    /** Adds one accumulator to another. */
    interface Merge {
        void apply(long[] cells, int at, long[] others, int from);
    }

    /** Makes the value of the accumulator at an index. */
    interface Value<R> {
        R of(long[] cells, int at);
    }

    /**
     * @param initial what all cells are without events
     * @param subtractor null where nothing can be taken back
     */
    CellAggregation(
            String name,
            int cells,
            long initial,
            Change<T> adder,
            @Nullable Change<T> subtractor,
            Merge merger,
            Value<R> finisher,
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
    public String id() {
        return name;
    }

    @Override
    public int cells() {
        return cells;
    }

    @Override
    public void init(long[] cells, int at) {
        for (int i = 0; i < this.cells; i++) {
            cells[at + i] = initial;
        }
    }

    @Override
    public void add(long[] cells, int at, T event) {
        adder.apply(cells, at, event);
    }

    @Override
    public boolean canSubtract() {
        return subtractor != null;
    }

    @Override
    public void subtract(long[] cells, int at, T event) {
        if (subtractor == null) {
            LongsAggregation.super.subtract(cells, at, event);
        } else {
            subtractor.apply(cells, at, event);
        }
    }

    @Override
    public void merge(long[] cells, int at, long[] others, int from) {
        merger.apply(cells, at, others, from);
    }

    @Override
    public R result(long[] cells, int at) {
        return finisher.of(cells, at);
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
