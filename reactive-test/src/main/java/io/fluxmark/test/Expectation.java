package io.fluxmark.test;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.PlainBatch.Assigned;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.List;

/**
 * What a pipeline has to do with a sequence of events, found by plain loops over the whole of it: the emissions, the
 * counters and the watermark after each event, and after the end of the stream, which counts as one step more.
 */
final class Expectation<T, K, R> {

    private final List<Tally> tallies = new ArrayList<>(List.of(Tally.NONE));
    private final List<Long> watermarks = new ArrayList<>(List.of(Long.MIN_VALUE));
    private final List<Integer> emissionsAfter = new ArrayList<>(List.of(0));
    private final List<WindowResult<K, R>> emissions = new ArrayList<>();
    private final List<Assigned<T>> assigned = new ArrayList<>();
    private final List<T> accepted = new ArrayList<>();
    private final List<LateEvent<T>> late = new ArrayList<>();

    /** The counters of the step under way. */
    private Tally tally = Tally.NONE;

    private Expectation() {}

    static <T, K, A, R> Expectation<T, K, R> of(WindowedPipeline<T, K, A, R> pipeline, List<T> arrivals) {
        Expectation<T, K, R> expectation = new Expectation<>();
        WindowLoop<T, K, A, R> windows = WindowLoop.of(pipeline, expectation);
        PlainWatermark time = new PlainWatermark(pipeline);
        for (T event : arrivals) {
            long timestamp = timestamp(pipeline, event);
            expectation.count(Counter.INGESTED, 1);
            if (time.rejects(timestamp)) {
                expectation.count(Counter.REJECTED, 1);
            } else {
                windows.add(event, timestamp);
                time.follow(timestamp);
                windows.advance(time.now());
            }
            expectation.endStep(time.now());
        }
        windows.advance(Long.MAX_VALUE);
        expectation.endStep(Long.MAX_VALUE);
        return expectation;
    }

    /** An event that has no timestamp gets one that is rejected. */
    private static <T> long timestamp(WindowedPipeline<T, ?, ?, ?> pipeline, T event) {
        try {
            return pipeline.time().epochMillis(event);
        } catch (RuntimeException e) {
            return Long.MAX_VALUE;
        }
    }

    private void endStep(long watermark) {
        tallies.add(tally);
        watermarks.add(watermark);
        emissionsAfter.add(emissions.size());
    }

    void count(Counter counter, long more) {
        tally = tally.plus(counter, more);
    }

    /** Notes an emission, and counts it. */
    void emit(WindowResult<K, R> result) {
        emissions.add(result);
        count(counter(result), 1);
    }

    private static Counter counter(WindowResult<?, ?> result) {
        return switch (result.kind()) {
            case EARLY -> Counter.FIRES_EARLY;
            case ON_TIME -> Counter.FIRES_ON_TIME;
            case LATE -> Counter.FIRES_LATE;
            case RETRACT -> Counter.RETRACTIONS;
        };
    }

    /** Notes that a window that follows from the timestamp has taken an event. */
    void assigned(Assigned<T> assignment) {
        assigned.add(assignment);
    }

    /** Notes that an event was taken, where windows depend on the other events. */
    void accepted(T event) {
        accepted.add(event);
    }

    void late(LateEvent<T> event) {
        late.add(event);
    }

    /** What is counted after {@code n} events; one more than there are events is the end of the stream. */
    Tally tallyAfter(int n) {
        return tallies.get(n);
    }

    /** The watermark after {@code n} events. */
    long watermarkAfter(int n) {
        return watermarks.get(n);
    }

    /** The emissions after {@code n} events, in order. */
    List<WindowResult<K, R>> emissionsAfter(int n) {
        return emissions.subList(0, emissionsAfter.get(n));
    }

    /** What all of it became. */
    Equivalence total() {
        return new Equivalence(tallies.get(tallies.size() - 1), emissions.size());
    }

    /** The same with other emissions than expected, where those follow the clock. */
    Equivalence total(List<WindowResult<K, R>> emitted) {
        Tally sum = tallies.get(tallies.size() - 1);
        for (WindowResult<K, R> result : emissions) {
            sum = sum.plus(counter(result), -1);
        }
        for (WindowResult<K, R> result : emitted) {
            sum = sum.plus(counter(result), 1);
        }
        return new Equivalence(sum, emitted.size());
    }

    /** The pairs of an event and a window that belong to the result. */
    List<Assigned<T>> assigned() {
        return assigned;
    }

    /** The events that belong to the result. */
    List<T> accepted() {
        return accepted;
    }

    /** The events past the allowed lateness, in order of arrival. */
    List<LateEvent<T>> late() {
        return late;
    }
}
