package io.fluxmark.benchmarks;

import io.fluxmark.windows.LongsAggregation;

/** Count, sum and maximum in one pass, as a user would write an aggregation of their own. */
public final class CountSumMax implements LongsAggregation<Event, CountSumMax.Summary> {

    public record Summary(long count, long sum, long max) {}

    @Override
    public int cells() {
        return 3;
    }

    @Override
    public void init(long[] cells, int at) {
        cells[at + 2] = Long.MIN_VALUE;
    }

    @Override
    public void add(long[] cells, int at, Event event) {
        cells[at]++;
        cells[at + 1] += event.value();
        cells[at + 2] = Math.max(cells[at + 2], event.value());
    }

    @Override
    public void merge(long[] cells, int at, long[] others, int from) {
        cells[at] += others[from];
        cells[at + 1] += others[from + 1];
        cells[at + 2] = Math.max(cells[at + 2], others[from + 2]);
    }

    @Override
    public Summary result(long[] cells, int at) {
        return new Summary(cells[at], cells[at + 1], cells[at + 2]);
    }
}
