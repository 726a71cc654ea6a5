package io.fluxmark.test;

import io.fluxmark.test.Defects.Rewriter;
import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.List;

/** Pipelines of sliding windows with one defect each. */
final class SlidingDefects {

    private SlidingDefects() {}

    /** Each window leaves out what comes in its first slide: an event misses the last of its windows. */
    static <K, R> PipelineUnderTest<Event, K, R> missesTheLastWindow(WindowedPipeline<Event, K, ?, R> pipeline) {
        WindowSpec right = pipeline.windows();
        Duration slide = Duration.ofMillis(right.slideMillis());
        WindowSpec shorter = WindowSpec.sliding(
                        Duration.ofMillis(right.sizeMillis()).minus(slide), slide)
                .offset(Duration.ofMillis(right.offsetMillis()))
                .allowedLateness(Duration.ofMillis(right.allowedLatenessMillis()));
        return trial -> EventFlux.fromElements(Defects.timed(pipeline, trial))
                .<K>keyBy(pipeline.key())
                .window(shorter)
                .aggregate(pipeline.aggregation())
                .map(result -> widened(result, right.slideMillis()))
                .elements(trial::lane);
    }

    private static <K, R> WindowResult<K, R> widened(WindowResult<K, R> result, long by) {
        return new WindowResult<>(
                result.key(),
                new TimeWindow(result.window().start() - by, result.window().end()),
                result.value(),
                result.kind(),
                result.revision(),
                result.late(),
                result.watermark());
    }

    /** An event that is late for one of its windows is late for all. */
    static <K, R> PipelineUnderTest<Event, K, R> lateForOneIsLateForAll(WindowedPipeline<Event, K, ?, R> pipeline) {
        return trial ->
                Defects.windows(pipeline, trial, Defects.timed(pipeline, trial).map(element -> {
                    if (!(element instanceof EventBatch<Event> run)) {
                        return element;
                    }
                    Rewriter<Event> rewriter = new Rewriter<>();
                    for (int i = 0; i < run.size(); i++) {
                        long timestamp = lateForAll(pipeline.windows(), run.timestamp(i), run.watermarkBefore(i));
                        rewriter.builder.add(run.value(i), timestamp, run.watermarkBefore(i));
                    }
                    return rewriter.runOr(run.watermarkAfter());
                }));
    }

    private static long lateForAll(WindowSpec windows, long timestamp, long watermark) {
        List<TimeWindow> all = windows.windowsOf(timestamp);
        TimeWindow first = all.get(0);
        return Watermark.expires(watermark, first.end(), windows.allowedLatenessMillis())
                ? first.start() - 1
                : timestamp;
    }
}
