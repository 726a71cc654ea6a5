package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.DataException;
import io.fluxmark.aggregate.Terminal;
import io.fluxmark.aggregate.check.BatchCheck;
import io.fluxmark.aggregate.check.Verdict;
import io.fluxmark.aggregate.input.Field;
import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.InvalidEvent;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WindowResult;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/** One run of {@code fluxmark aggregate}: from the input to results, late events and a summary. */
public final class AggregateRun implements RunListener, EventFeed.Receiver {

    private static final int BUFFER = 1 << 16;
    private static final int EXIT_DIFFERENT = 1;

    private final AggregateSettings settings;
    private final Terminal terminal;
    private final Rejections rejections;
    private final @Nullable BatchCheck check;
    private final @Nullable PartitionKeys partitionKeys;
    private final WindowRun run;
    private final EventFeed feed;
    private final UnitWarning units;
    private final ReadingProgress progress;
    private final ResultWriter results;
    private final @Nullable ResultWriter late;
    private long rejected;
    private long notNumbers;

    /** Whether the input is waited for: what a timer brings forth meanwhile is handed on at once. */
    private volatile boolean waiting;

    private AggregateRun(AggregateSettings settings, Terminal terminal) throws IOException {
        this.settings = settings;
        this.terminal = terminal;
        PipelineSettings pipeline = settings.pipeline();
        this.rejections = new Rejections(terminal.err(), settings.failFast());
        this.check = settings.check() ? new BatchCheck(settings.windows(), pipeline) : null;
        this.partitionKeys = pipeline.lanes() > 1 ? new PartitionKeys() : null;
        this.run = settings.input().arrival() == null
                ? WindowRun.onClock(pipeline, Schedulers.parallel(), this)
                : WindowRun.onArrivals(pipeline, this);
        this.feed = new EventFeed(settings.input(), terminal.in());
        this.units = new UnitWarning(terminal.err(), feed.unit());
        this.progress = new ReadingProgress(feed.input(), terminal.showsProgress());
        this.results = new ResultWriter(open(settings.output()));
        this.late = settings.lateOutput() == null ? null : new ResultWriter(open(settings.lateOutput()));
    }

    private OutputStream open(@Nullable Path file) throws IOException {
        return new BufferedOutputStream(file == null ? terminal.out() : Files.newOutputStream(file), BUFFER);
    }

    /** Runs to the end of the input; 0, or 1 where the batch check finds a difference. */
    public static int run(AggregateSettings settings, Terminal terminal) throws IOException {
        AggregateRun run = new AggregateRun(settings, terminal);
        try {
            return run.run();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            run.close();
        }
    }

    private int run() throws IOException {
        feed.readInto(this);
        run.flush();
        units.finish();
        if (settings.explain()) {
            explain();
        }
        run.finish();
        rejections.finish();
        Summary summary = summary();
        if (settings.summary() != null) {
            summary.write(settings.summary());
        }
        String losses = summary.losses();
        if (!losses.isEmpty()) {
            terminal.err().println("fluxmark: " + losses);
        }
        terminal.err().flush();
        if (check == null) {
            return 0;
        }
        Verdict verdict = check.verdict(run.counters());
        verdict.print(terminal.err());
        return verdict.isEqual() ? 0 : EXIT_DIFFERENT;
    }

    private void explain() {
        terminal.err().println("fluxmark: at the end of the input, before that fires everything:");
        for (Explanation each : run.explain()) {
            terminal.err().println(each.text());
        }
    }

    private Summary summary() {
        return new Summary(run.counters().withRejected(rejected), run.watermark(), 0, run.stateEntries(), notNumbers);
    }

    private void close() throws IOException {
        progress.close();
        feed.close();
        results.close();
        if (late != null) {
            late.close();
        }
    }

    @Override
    public void event(Event event) {
        progress.step();
        units.see(event.timestamp());
        waiting = false;
        if (partitionKeys != null) {
            String conflict = partitionKeys.conflict(event);
            if (conflict != null) {
                run.flush(); // what came before it counts
                throw new DataException(conflict);
            }
        }
        run.event(event);
    }

    @Override
    public void rejected(long line, String reason) {
        progress.step();
        if (settings.failFast()) {
            run.flush(); // what came before it counts
        }
        rejected++;
        rejections.report(line, reason);
    }

    @Override
    public void notANumber(long line, Field field, String text) {
        if (notNumbers++ == 0) {
            terminal.err()
                    .println("fluxmark: warning: line " + line + ": '" + text + "' in '" + field
                            + "' is no number; such values are left out of sum, min, max and avg, and counted");
        }
    }

    @Override
    public void mayBlock() {
        run.flush();
        waiting = true;
        run.exclusively(this::flushOutputs);
    }

    private void flushOutputs() {
        try {
            results.flush();
            if (late != null) {
                late.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void result(WindowResult<Object, Value> result, long at) {
        results.write(result, at);
        if (check != null) {
            check.result(result);
        }
        if (waiting) {
            flushOutputs();
        }
    }

    @Override
    public void late(LateEvent<Event> event) {
        if (late != null) {
            late.write(event);
        }
    }

    @Override
    public void invalid(InvalidEvent invalid) {
        long line = invalid.event() instanceof Event event ? event.line() : 0;
        rejections.report(line, invalid.reason());
    }

    @Override
    public void timed(StreamElement<Event> element) {
        if (check != null) {
            check.timed(element);
        }
    }
}
