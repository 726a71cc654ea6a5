package io.fluxmark.test;

import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

/** One run of the pipeline under test, with one demand and one run size, held against the expectation. */
final class TrialRun<T, K, R> {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The counters of what becomes of events. */
    private static final Set<Counter> OF_EVENTS = EnumSet.of(
            Counter.DROPPED,
            Counter.SIDE,
            Counter.ACCEPTED_ASSIGNMENTS,
            Counter.LATE_ASSIGNMENTS,
            Counter.PARTIAL,
            Counter.MERGES,
            Counter.EXPIRED);

    private static final Set<Counter> ALL = EnumSet.allOf(Counter.class);

    private final WindowedPipeline<T, K, ?, R> pipeline;
    private final List<T> arrivals;
    private final Expectation<T, K, R> expectation;
    private final BatchCheck<T, K, ?, R> batch;
    private final List<LateEvent<T>> late = new ArrayList<>();

    /** Kept until all else has been looked at: a wrong value says more than a wrong count. */
    private @Nullable RuleViolation miscounted;

    TrialRun(
            WindowedPipeline<T, K, ?, R> pipeline,
            List<T> arrivals,
            Expectation<T, K, R> expectation,
            BatchCheck<T, K, ?, R> batch) {
        this.pipeline = pipeline;
        this.arrivals = arrivals;
        this.expectation = expectation;
        this.batch = batch;
    }

    /** Runs and checks; returns the results in order. */
    List<WindowResult<K, R>> run(PipelineUnderTest<T, K, R> underTest, long demand, int runSize) {
        OutputInspector<K, R> inspector = new OutputInspector<>(pipeline.windows(), this::checkBarrier);
        DemandSubscriber<StreamElement<WindowResult<K, R>>> subscriber =
                DemandSubscriber.requesting(demand, inspector::accept);
        Flux<StreamElement<T>> elements = Flux.fromIterable(input(runSize));
        if (pipeline.followsClock() && pipeline.clock() instanceof VirtualTimeScheduler clock) {
            elements = elements.doOnNext(element -> clock.advanceTimeBy(Duration.ofMillis(1)));
        }
        underTest.elements(new Trial<>(elements, lane(), late::add)).subscribe(subscriber);
        subscriber.await(PATIENCE);
        inspector.requireEnd();
        checkEmissions(inspector, arrivals.size() + 1);
        batch.check(inspector.results());
        checkLate();
        if (miscounted != null) {
            throw miscounted;
        }
        return inspector.results();
    }

    private LaneContext lane() {
        return LaneContext.local(pipeline.clock());
    }

    private List<StreamElement<T>> input(int runSize) {
        List<StreamElement<T>> elements = new ArrayList<>();
        for (int from = 0; from < arrivals.size(); from += runSize) {
            int to = Math.min(arrivals.size(), from + runSize);
            elements.add(runOf(arrivals.subList(from, to)));
            elements.add(barrier(to, false));
        }
        elements.add(new Watermark<>(Watermark.END));
        elements.add(barrier(arrivals.size() + 1, true));
        return elements;
    }

    @SuppressWarnings("unchecked") // the run copies the array, whose class does not matter
    private static <T> EventBatch<T> runOf(List<T> values) {
        return EventBatch.ofValues((T[]) values.toArray());
    }

    /** The position is the number of events before the barrier, the end of the stream counting as one more. */
    private CheckpointBarrier<T> barrier(int events, boolean last) {
        return new CheckpointBarrier<>(
                new RecordingTransaction(events), List.of(new SourcePosition("trial", 0, events)), last);
    }

    private void checkBarrier(CheckpointBarrier<?> barrier, int events, OutputInspector<K, R> output) {
        if (output.results().size() != expectation.emissionsAfter(events).size()) {
            checkEmissions(output, events);
        }
        long watermark = expectation.watermarkAfter(events);
        if (output.watermark() != watermark) {
            throw new RuleViolation(
                    "S04, S34: the watermark of the output follows the events, one by one",
                    "after " + position(events) + " expected W=" + watermark + ", got W=" + output.watermark());
        }
        if (barrier.transaction() instanceof RecordingTransaction transaction) {
            checkCounters(transaction.counts(), events, output);
        }
    }

    private String position(int events) {
        return events > arrivals.size() ? "the end of the stream" : "event " + events + ", " + arrivals.get(events - 1);
    }

    private void checkCounters(@Nullable Counters counters, int events, OutputInspector<K, R> output) {
        if (counters == null) {
            throw new RuleViolation("S12: counters are part of every commit", "the window wrote none into a barrier");
        }
        Tally expected = expectation.tallyAfter(events);
        Tally got = Tally.of(counters);
        boolean sumHolds = got.sumHolds() && got.get(Counter.INGESTED) == expected.get(Counter.INGESTED);
        if (!sumHolds || !got.hasOutcomesOf(expected)) {
            checkEmissions(output, events);
            throw new RuleViolation(
                    sumHolds
                            ? "S11, S13, S20, S36: what becomes of an event"
                            : "S12: the counters sum to the input after every step",
                    "after " + position(events) + "\n  expected " + expected.outcomes() + "\n  got      " + counters);
        }
        String differences = expected.differences(got, pipeline.followsClock() ? OF_EVENTS : ALL);
        if (!differences.isEmpty() && miscounted == null) {
            miscounted = new RuleViolation(
                    "S52: the counters of assignments and emissions agree with the output",
                    "after " + position(events) + "\n  " + differences);
        }
    }

    private void checkEmissions(OutputInspector<K, R> output, int events) {
        if (!pipeline.followsClock()) {
            Emissions.checkInOrder(
                    expectation.emissionsAfter(events),
                    output.results(),
                    "after " + position(events) + " (W=" + expectation.watermarkAfter(events) + ")");
        }
    }

    private void checkLate() {
        if (pipeline.hasLateOutput() && !late.equals(expectation.late())) {
            throw new RuleViolation(
                    "S12: the late output gets what is late, in order of arrival",
                    "expected " + expectation.late() + "\n  got      " + late);
        }
    }
}
