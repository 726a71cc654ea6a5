package io.fluxmark.test;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;

/** Pipelines whose results or settings are a little wrong. */
final class OutputDefects {

    private OutputDefects() {}

    /** Windows live a millisecond longer than they may. */
    static PipelineUnderTest<Event, String, Long> latenessByOneTooLong(
            WindowedPipeline<Event, String, long[], Long> pipeline) {
        WindowSpec windows = pipeline.windows();
        WindowSpec longer = windows.allowedLateness(Duration.ofMillis(windows.allowedLatenessMillis() + 1));
        return trial -> trial.events()
                .watermarksMillis(pipeline.time(), pipeline.watermarks())
                .<String>keyBy(pipeline.key())
                .window(longer)
                .aggregate(pipeline.aggregation())
                .elements(trial::lane);
    }

    /** What was emitted is corrected, and never taken back. */
    static PipelineUnderTest<Event, String, Long> losesRetractions(
            WindowedPipeline<Event, String, long[], Long> pipeline) {
        return trial -> Defects.windows(pipeline, trial, Defects.timed(pipeline, trial))
                .map(element -> {
                    if (!(element instanceof EventBatch<WindowResult<String, Long>> run)) {
                        return element;
                    }
                    Defects.Rewriter<WindowResult<String, Long>> rewriter = new Defects.Rewriter<>();
                    for (int i = 0; i < run.size(); i++) {
                        if (run.sign(i) > 0) {
                            rewriter.builder.add(run.value(i), run.timestamp(i), run.watermarkBefore(i));
                        }
                    }
                    return rewriter.runOr(run.watermarkAfter());
                });
    }

    /** Now and then the watermark goes back to where it was some time ago. */
    static PipelineUnderTest<Event, String, Long> watermarkStepsBack(
            WindowedPipeline<Event, String, long[], Long> pipeline) {
        return trial -> {
            int[] count = {0};
            return Defects.windows(pipeline, trial, Defects.timed(pipeline, trial))
                    .map(element -> element instanceof Watermark<WindowResult<String, Long>> watermark
                                    && watermark.timestamp() != Watermark.END
                                    && ++count[0] % 5 == 0
                            ? new Watermark<>(watermark.timestamp() - 7)
                            : element);
        };
    }
}
