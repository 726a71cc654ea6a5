package io.fluxmark.test;

import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Holds a windowed pipeline against plain batch: for any order of the events, any demand and any run size, what is left
 * of the output when retractions have taken back what they retract equals a sort and a loop over the accepted events
 * (S51).
 *
 * <pre>{@code
 * BatchEquivalence.of(WindowedPipeline.of(Order::millis, bound, Order::customer, windows, counting()))
 *     .events(orders)
 *     .disorder(Disorder.random(seed))
 *     .verify();
 * }</pre>
 *
 * <p>The pipeline runs with every demand of 1, 7 and unbounded and every run size of 1, 2, 7 and 256. Checked are: which
 * events are accepted, re-fired, late or rejected, as plain loops over the rules of time find them, window by window where
 * an event has several; the counters and their sum behind every run; what each window emits, in which order, and after
 * which event; that retractions equal the last emission and stand next to the new one; that the output's watermark
 * follows the input's, never steps back, and never overtakes a result; the bounds of windows; the late output; the fold;
 * and that all twelve outputs are the same. Where early results follow the clock their number and places are left open,
 * and what they come to is checked.
 *
 * <p>Immutable. Runs on the caller's thread; everything is kept in memory.
 *
 * @param <T> the events
 * @param <K> the key
 * @param <R> the result
 */
public final class BatchEquivalence<T, K, R> {

    private static final List<Long> DEMANDS = List.of(Long.MAX_VALUE, 7L, 1L);
    private static final List<Integer> RUN_SIZES = List.of(1, 2, 7, 256);
    private static final int SHOWN = 40;

    private final WindowedPipeline<T, K, ?, R> pipeline;
    private final PipelineUnderTest<T, K, R> underTest;
    private final List<T> events;
    private final Disorder disorder;

    private BatchEquivalence(
            WindowedPipeline<T, K, ?, R> pipeline,
            PipelineUnderTest<T, K, R> underTest,
            List<T> events,
            Disorder disorder) {
        this.pipeline = pipeline;
        this.underTest = underTest;
        this.events = events;
        this.disorder = disorder;
    }

    /** The pipeline that {@code pipeline} defines, without events, in the order given. */
    public static <T, K, R> BatchEquivalence<T, K, R> of(WindowedPipeline<T, K, ?, R> pipeline) {
        PipelineUnderTest<T, K, R> written =
                trial -> pipeline.apply(trial.events(), trial.late()).elements(trial::lane);
        return new BatchEquivalence<>(pipeline, written, List.of(), Disorder.none());
    }

    /** Runs something else than the definition, which has to do the same. */
    public BatchEquivalence<T, K, R> running(PipelineUnderTest<T, K, R> other) {
        return new BatchEquivalence<>(pipeline, Objects.requireNonNull(other, "other"), events, disorder);
    }

    /** The input. */
    public BatchEquivalence<T, K, R> events(List<? extends T> input) {
        return new BatchEquivalence<>(pipeline, underTest, List.copyOf(input), disorder);
    }

    /** How the input is rearranged before it arrives. */
    public BatchEquivalence<T, K, R> disorder(Disorder order) {
        return new BatchEquivalence<>(pipeline, underTest, events, Objects.requireNonNull(order, "order"));
    }

    /**
     * Runs and checks.
     *
     * @return what the events became: a test asserts with it that it has tested something
     * @throws AssertionError names the broken rule, the disorder with its seed, the demand and run size, the smallest
     *     window that differs, what was expected and what was got, and the arrivals
     */
    public Equivalence verify() {
        List<T> arrivals = disorder.apply(events, pipeline.time());
        Expectation<T, K, R> expectation = expectation(pipeline, arrivals);
        BatchCheck<T, K, ?, R> batch = new BatchCheck<>(pipeline, expectation);
        List<WindowResult<K, R>> first = null;
        for (long demand : DEMANDS) {
            for (int runSize : RUN_SIZES) {
                List<WindowResult<K, R>> results = run(arrivals, expectation, batch, demand, runSize);
                if (first == null) {
                    first = results;
                } else if (!pipeline.followsClock() && !first.equals(results)) {
                    throw failure(
                            arrivals,
                            demand,
                            runSize,
                            Emissions.differAt(
                                    "S04: the output does not depend on demand and run size", first, results, ""));
                }
            }
        }
        return expectation.total(Objects.requireNonNull(first));
    }

    private static <T, K, A, R> Expectation<T, K, R> expectation(
            WindowedPipeline<T, K, A, R> pipeline, List<T> arrivals) {
        return Expectation.of(pipeline, arrivals);
    }

    private List<WindowResult<K, R>> run(
            List<T> arrivals,
            Expectation<T, K, R> expectation,
            BatchCheck<T, K, ?, R> batch,
            long demand,
            int runSize) {
        try {
            return new TrialRun<>(pipeline, arrivals, expectation, batch).run(underTest, demand, runSize);
        } catch (AssertionError | RuntimeException e) {
            throw failure(arrivals, demand, runSize, e);
        }
    }

    private AssertionError failure(List<T> arrivals, long demand, int runSize, Throwable cause) {
        List<String> shown = new ArrayList<>();
        arrivals.stream().limit(SHOWN).forEach(event -> shown.add(event.toString()));
        String rest = arrivals.size() > SHOWN ? " and " + (arrivals.size() - SHOWN) + " more" : "";
        return new AssertionError(
                "Not equivalent to plain batch.\n" + cause.getMessage()
                        + "\n  pipeline " + pipeline
                        + "\n  run with demand " + (demand == Long.MAX_VALUE ? "unbounded" : demand) + ", run size "
                        + runSize + ", " + disorder
                        + "\n  arrivals " + shown + rest,
                cause);
    }
}
