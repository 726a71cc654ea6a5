package io.fluxmark.test;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventBatchBuilder;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** Pipelines with one defect each, made of the right operators and something wrong beside them. */
final class Defects {

    private Defects() {}

    static final class Rewriter<T> {
        EventBatchBuilder<T> builder = EventBatch.builder();

        StreamElement<T> runOr(long after) {
            return builder.size() == 0 ? new Watermark<>(after) : builder.build(after);
        }
    }

    static Flux<StreamElement<Event>> timed(WindowedPipeline<Event, ?, ?, ?> pipeline, Trial<Event> trial) {
        return trial.events()
                .watermarksMillis(pipeline.time(), pipeline.watermarks())
                .elements(trial::lane);
    }

    static <K, R> Flux<StreamElement<WindowResult<K, R>>> windows(
            WindowedPipeline<Event, K, ?, R> pipeline, Trial<Event> trial, Flux<StreamElement<Event>> timed) {
        return EventFlux.fromElements(timed)
                .<K>keyBy(pipeline.key())
                .window(pipeline.windows())
                .aggregate(pipeline.aggregation())
                .elements(trial::lane);
    }

    /** Every watermark is one too high for the windows, and put right again behind them. */
    static <K, R> PipelineUnderTest<Event, K, R> firesEarly(WindowedPipeline<Event, K, ?, R> pipeline) {
        return trial -> windows(pipeline, trial, timed(pipeline, trial).map(e -> shift(e, 1)))
                .map(e -> shift(e, -1));
    }

    private static <T> StreamElement<T> shift(StreamElement<T> element, int by) {
        if (element instanceof Watermark<T> w) {
            return new Watermark<>(shifted(w.timestamp(), by));
        }
        if (element instanceof EventBatch<T> run) {
            Rewriter<T> rewriter = new Rewriter<>();
            for (int i = 0; i < run.size(); i++) {
                rewriter.builder.add(run.value(i), run.timestamp(i), shifted(run.watermarkBefore(i), by), run.sign(i));
            }
            return rewriter.runOr(shifted(run.watermarkAfter(), by));
        }
        return element;
    }

    private static long shifted(long watermark, int by) {
        return watermark == Watermark.NONE || watermark == Watermark.END ? watermark : watermark + by;
    }

    /** An event at the start of a window is also added to the window before, as if that were closed at both ends. */
    static <K, R> PipelineUnderTest<Event, K, R> boundaryInBoth(WindowedPipeline<Event, K, ?, R> pipeline) {
        return trial -> windows(pipeline, trial, timed(pipeline, trial).map(element -> {
            if (!(element instanceof EventBatch<Event> run)) {
                return element;
            }
            Rewriter<Event> rewriter = new Rewriter<>();
            for (int i = 0; i < run.size(); i++) {
                Event event = run.value(i);
                rewriter.builder.add(event, event.time(), run.watermarkBefore(i));
                TimeWindow window = pipeline.windows().windowsOf(event.time()).get(0);
                if (event.time() == window.start() && rewriter.builder.size() < EventBatch.MAX_SIZE) {
                    rewriter.builder.add(event, event.time() - 1, run.watermarkBefore(i));
                }
            }
            return rewriter.runOr(run.watermarkAfter());
        }));
    }

    /** The watermark that follows from a whole run judges the events of the run. */
    static <K, R> PipelineUnderTest<Event, K, R> watermarkOfTheRunsEnd(WindowedPipeline<Event, K, ?, R> pipeline) {
        return trial -> windows(pipeline, trial, timed(pipeline, trial).map(element -> {
            if (!(element instanceof EventBatch<Event> run) || run.size() == 1) {
                return element;
            }
            Rewriter<Event> rewriter = new Rewriter<>();
            for (int i = 0; i < run.size(); i++) {
                rewriter.builder.add(run.value(i), run.timestamp(i), run.watermarkAfter());
            }
            return rewriter.runOr(run.watermarkAfter());
        }));
    }

    /** One accumulator in the middle of the input starts from nothing again. */
    static <K, R> PipelineUnderTest<Event, K, R> losesAnAccumulator(WindowedPipeline<Event, K, long[], R> pipeline) {
        return trial -> trial.events()
                .watermarksMillis(pipeline.time(), pipeline.watermarks())
                .<K>keyBy(pipeline.key())
                .window(pipeline.windows())
                .aggregate(new Forgetful<>(pipeline.aggregation(), 40))
                .elements(trial::lane);
    }

    private static final class Forgetful<R> implements Aggregation<Event, long[], R> {
        private final Aggregation<? super Event, long[], R> right;
        private int remaining;

        Forgetful(Aggregation<? super Event, long[], R> right, int remaining) {
            this.right = right;
            this.remaining = remaining;
        }

        @Override
        public long[] create() {
            return right.create();
        }

        @Override
        public long[] add(long[] accumulator, Event event) {
            return right.add(--remaining == 0 ? right.create() : accumulator, event);
        }

        @Override
        public long[] merge(long[] first, long[] second) {
            return right.merge(first, second);
        }

        @Override
        public R result(long[] accumulator) {
            return right.result(accumulator);
        }
    }

    /** The old value is recomputed after the change, not kept from before it. */
    static <K> PipelineUnderTest<Event, K, Long> retractsTheNewValue(WindowedPipeline<Event, K, ?, Long> pipeline) {
        return trial -> rewritten(pipeline, trial, results -> {
            List<WindowResult<K, Long>> wrong = new ArrayList<>(results);
            for (int i = 0; i + 1 < wrong.size(); i++) {
                WindowResult<K, Long> old = wrong.get(i);
                if (old.isRetraction()) {
                    wrong.set(
                            i,
                            new WindowResult<>(
                                    old.key(),
                                    old.window(),
                                    results.get(i + 1).value(),
                                    old.kind(),
                                    old.revision(),
                                    old.late(),
                                    old.watermark()));
                }
            }
            return wrong;
        });
    }

    private static <K, R> Flux<StreamElement<WindowResult<K, R>>> rewritten(
            WindowedPipeline<Event, K, ?, R> pipeline,
            Trial<Event> trial,
            UnaryOperator<List<WindowResult<K, R>>> rewrite) {
        return windows(pipeline, trial, timed(pipeline, trial)).map(element -> {
            if (!(element instanceof EventBatch<WindowResult<K, R>> run)) {
                return element;
            }
            List<WindowResult<K, R>> results = new ArrayList<>();
            for (int i = 0; i < run.size(); i++) {
                results.add(run.value(i));
            }
            List<WindowResult<K, R>> wrong = rewrite.apply(results);
            Rewriter<WindowResult<K, R>> rewriter = new Rewriter<>();
            for (int i = 0; i < wrong.size(); i++) {
                rewriter.builder.add(wrong.get(i), run.timestamp(i), run.watermarkBefore(i), run.sign(i));
            }
            return rewriter.runOr(run.watermarkAfter());
        });
    }

    /** Late events are filtered out before the windows, by someone who does not count. */
    static <K, R> PipelineUnderTest<Event, K, R> forgetsToCount(WindowedPipeline<Event, K, ?, R> pipeline) {
        return trial -> windows(pipeline, trial, timed(pipeline, trial).map(element -> {
            if (!(element instanceof EventBatch<Event> run)) {
                return element;
            }
            Rewriter<Event> rewriter = new Rewriter<>();
            for (int i = 0; i < run.size(); i++) {
                long end = pipeline.windows().windowsOf(run.timestamp(i)).get(0).end();
                if (!Watermark.closes(run.watermarkBefore(i), end)) {
                    rewriter.builder.add(run.value(i), run.timestamp(i), run.watermarkBefore(i));
                }
            }
            return rewriter.runOr(run.watermarkAfter());
        }));
    }

    /** The watermark is passed on as soon as it is known. */
    static <K, R> PipelineUnderTest<Event, K, R> watermarkOvertakes(WindowedPipeline<Event, K, ?, R> pipeline) {
        return trial -> windows(pipeline, trial, timed(pipeline, trial)).map(element -> {
            if (!(element instanceof EventBatch<WindowResult<K, R>> run)) {
                return element;
            }
            Rewriter<WindowResult<K, R>> rewriter = new Rewriter<>();
            for (int i = 0; i < run.size(); i++) {
                rewriter.builder.add(run.value(i), run.timestamp(i), run.watermarkAfter(), run.sign(i));
            }
            return rewriter.runOr(run.watermarkAfter());
        });
    }

    /** Runs of seven or more lose their last event. */
    static <K, R> PipelineUnderTest<Event, K, R> dropsFullRuns(WindowedPipeline<Event, K, ?, R> pipeline) {
        return trial -> windows(pipeline, trial, timed(pipeline, trial).map(element -> {
            if (!(element instanceof EventBatch<Event> run) || run.size() < 7) {
                return element;
            }
            Rewriter<Event> rewriter = new Rewriter<>();
            for (int i = 0; i < run.size() - 1; i++) {
                rewriter.builder.add(run.value(i), run.timestamp(i), run.watermarkBefore(i));
            }
            return rewriter.runOr(run.watermarkAfter());
        }));
    }

    /** Takes everything from its upstream and passes it on unasked. */
    static <K, R> PipelineUnderTest<Event, K, R> ignoresDemand(WindowedPipeline<Event, K, ?, R> pipeline) {
        return trial -> Flux.from(downstream -> windows(pipeline, trial, timed(pipeline, trial))
                .subscribe(new BaseSubscriber<StreamElement<WindowResult<K, R>>>() {
                    @Override
                    protected void hookOnSubscribe(Subscription upstream) {
                        downstream.onSubscribe(new Subscription() {
                            @Override
                            public void request(long n) {
                                upstream.request(Long.MAX_VALUE);
                            }

                            @Override
                            public void cancel() {
                                upstream.cancel();
                            }
                        });
                    }

                    @Override
                    protected void hookOnNext(StreamElement<WindowResult<K, R>> element) {
                        downstream.onNext(element);
                    }

                    @Override
                    protected void hookOnComplete() {
                        downstream.onComplete();
                    }

                    @Override
                    protected void hookOnError(Throwable failure) {
                        downstream.onError(failure);
                    }
                }));
    }
}
