package io.fluxmark.windows;

/** What becomes of the events that one operator's function fails on: counted, and handed out. Confined to the lane. */
final class FailedEvents {

    private final String name;
    private final Counter counter;
    private final FailureSink.Output output;
    private final LiveCounters counters = new LiveCounters();

    /** @param counter what they are counted as */
    FailedEvents(String name, Counter counter, FailureSink sink, LaneContext lane) {
        this.name = name;
        this.counter = counter;
        this.output = sink.open(lane);
        counters.restore(lane.state(), name);
        lane.counters(name, counters);
    }

    /** The function has failed on event {@code i} of {@code run}. */
    void add(EventBatch<?> run, int i, Exception failure) {
        counters.add(counter, 1);
        long timestamp = run.isTimed() ? run.timestamp(i) : FunctionFailure.NO_TIME;
        try {
            output.accept(new FunctionFailure(run.value(i), name, timestamp, run.position(i), failure));
        } catch (Throwable t) {
            FailedEvent.addTo(t, run, i);
            throw t;
        }
    }

    /** A barrier passes. */
    void save(StateTransaction transaction) {
        counters.save(transaction, name);
        output.flush(transaction);
    }
}
