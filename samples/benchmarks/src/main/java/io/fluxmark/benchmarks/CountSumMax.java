package io.fluxmark.benchmarks;

import io.fluxmark.windows.Aggregation;

/** Count, sum and maximum in one pass, as a user would write an aggregation of their own. */
final class CountSumMax implements Aggregation<Event, Accumulator, CountSumMax.Summary> {

    record Summary(long count, long sum, long max) {}

    @Override
    public Accumulator create() {
        return new Accumulator();
    }

    @Override
    public Accumulator add(Accumulator accumulator, Event event) {
        accumulator.add(event.value());
        return accumulator;
    }

    @Override
    public Accumulator merge(Accumulator first, Accumulator second) {
        first.merge(second);
        return first;
    }

    @Override
    public Summary result(Accumulator accumulator) {
        return new Summary(accumulator.count, accumulator.sum, accumulator.max);
    }
}
