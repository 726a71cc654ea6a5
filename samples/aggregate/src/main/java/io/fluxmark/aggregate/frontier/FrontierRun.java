package io.fluxmark.aggregate.frontier;

import io.fluxmark.aggregate.Terminal;
import io.fluxmark.aggregate.input.Field;
import io.fluxmark.aggregate.run.Event;
import io.fluxmark.aggregate.run.EventFeed;
import io.fluxmark.aggregate.run.PipelineSettings;
import io.fluxmark.aggregate.run.ReadingProgress;
import io.fluxmark.aggregate.run.Rejections;
import io.fluxmark.aggregate.run.UnitWarning;
import io.fluxmark.windows.AutoDelay;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.InvalidEvent;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WatermarkSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import reactor.core.scheduler.Schedulers;

/** One run of {@code fluxmark frontier}: one pass over the input, through one pipeline per delay. */
public final class FrontierRun implements EventFeed.Receiver, FrontierPoint.Observer {

    private final Rejections rejections;
    private final EventFeed feed;
    private final UnitWarning units;
    private final ReadingProgress progress;
    private final boolean arrivals;
    private final Lateness lateness;
    private final List<FrontierPoint> points = new ArrayList<>();
    private long rejected;

    private FrontierRun(FrontierSettings settings, Terminal terminal) throws IOException {
        this.rejections = new Rejections(terminal.err(), settings.failFast());
        this.arrivals = settings.input().arrival() != null;
        this.lateness = new Lateness(settings.windows());
        this.feed = new EventFeed(settings.input(), terminal.in());
        this.units = new UnitWarning(terminal.err(), feed.unit());
        this.progress = new ReadingProgress(feed.input(), terminal.showsProgress());
        for (Duration delay : settings.delays()) {
            points.add(point(settings, WatermarkSpec.boundedOutOfOrderness(delay)));
        }
        Duration longest = Collections.max(settings.delays());
        for (double completeness : settings.auto()) {
            points.add(point(settings, WatermarkSpec.autoTuned(AutoDelay.forCompleteness(completeness, longest))));
        }
    }

    /** What all pipelines have in common is looked at in the first one. */
    private FrontierPoint point(FrontierSettings settings, WatermarkSpec watermarks) {
        PipelineSettings pipeline = new PipelineSettings(
                settings.windows().spec(),
                watermarks.maxAhead(settings.maxAhead()),
                settings.input().terms(),
                false,
                1,
                false,
                Long.MAX_VALUE,
                arrivals ? EventBatch.MAX_SIZE : 1);
        FrontierPoint.Observer observer = points.isEmpty() ? this : new FrontierPoint.Observer() {};
        return new FrontierPoint(pipeline, arrivals, new EventClock(arrivals), Schedulers.parallel(), observer);
    }

    /** Runs to the end of the input and prints what was measured. */
    public static int run(FrontierSettings settings, Terminal terminal) throws IOException {
        FrontierRun run = new FrontierRun(settings, terminal);
        try {
            run.feed.readInto(run);
        } finally {
            run.progress.close();
            run.feed.close();
        }
        run.points.forEach(FrontierPoint::finish);
        run.units.finish();
        run.rejections.finish();
        FrontierReport report =
                new FrontierReport(settings.windowName(), run.arrivals, run.points, run.lateness, run.rejected);
        PrintStream out = new PrintStream(terminal.out(), false, StandardCharsets.UTF_8);
        report.print(out);
        out.flush();
        if (settings.csv() != null) {
            report.writeCsv(settings.csv());
        }
        if (settings.png() != null) {
            report.plot(settings.png());
        }
        return 0;
    }

    @Override
    public void event(Event event) {
        progress.step();
        units.see(event.timestamp());
        for (FrontierPoint point : points) {
            point.event(event);
            if (!arrivals) {
                point.flush(); // an emission is timed by the events up to the one that brought it forth
            }
        }
    }

    @Override
    public void rejected(long line, String reason) {
        progress.step();
        rejected++;
        rejections.report(line, reason);
    }

    @Override
    public void timed(StreamElement<Event> element) {
        lateness.timed(element);
    }

    @Override
    public void invalid(InvalidEvent invalid) {
        rejected(invalid.event() instanceof Event event ? event.line() : 0, invalid.reason());
    }

    @Override
    public void notANumber(long line, Field field, String text) {
        // only events are counted
    }

    @Override
    public void mayBlock() {
        // nothing is told before the end
    }
}
