package io.fluxmark.windows;

/**
 * How one operator deals with events that its function fails on; immutable and shared by its lanes.
 *
 * @param name the operator's name
 * @param counter what they are counted as
 * @param sink where they go
 */
record FailureGuard(String name, Counter counter, FailureSink sink) {

    FailedEvents open(LaneContext lane) {
        return new FailedEvents(name, counter, sink, lane);
    }
}
