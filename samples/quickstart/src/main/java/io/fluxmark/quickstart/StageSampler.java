package io.fluxmark.quickstart;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/**
 * Where the threads' time goes, found by looking at all stacks again and again; the pipeline itself is not touched.
 *
 * <p>A thread that waits for work counts for nothing; one that runs, or waits for the disk, counts for the stage whose
 * code is innermost on its stack. The figures are thread time, so they can add up to more than the time that passed,
 * and on a busy machine they include waiting for a processor.
 */
final class StageSampler implements Disposable {

    private static final Duration PERIOD = Duration.ofMillis(5);
    private static final int DEPTH = 128;
    private static final Set<String> WAITING =
            Set.of("park", "wait", "wait0", "epollWait", "epollWait0", "poll", "sleep");

    private static final Pattern READING = Pattern.compile("Read|Cursor|Codec|SegmentInput|BatchView|BatchRecords");

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Stage, Long> samples = new EnumMap<>(Stage.class);
    private final Scheduler scheduler;
    private final Disposable sampling;
    private final long begun;
    private long rounds;

    /** Begins at once on {@code scheduler}. */
    StageSampler(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.begun = scheduler.now(TimeUnit.MILLISECONDS);
        this.sampling = Flux.interval(PERIOD, scheduler).onBackpressureDrop().subscribe(tick -> sample());
    }

    @Override
    public void dispose() {
        sampling.dispose();
    }

    private synchronized void sample() {
        rounds++;
        for (ThreadInfo thread : threads.dumpAllThreads(false, false, DEPTH)) {
            Stage stage = stage(thread.getStackTrace(), thread.getThreadState());
            if (stage != null) {
                samples.merge(stage, 1L, Long::sum);
            }
        }
    }

    static @Nullable Stage stage(StackTraceElement[] stack, Thread.State state) {
        if (state != Thread.State.RUNNABLE || stack.length == 0 || WAITING.contains(stack[0].getMethodName())) {
            return null;
        }
        for (StackTraceElement frame : stack) {
            Stage stage = stage(frame.getClassName());
            if (stage != null) {
                return stage;
            }
        }
        return null;
    }

    private static @Nullable Stage stage(String className) {
        if (className.startsWith("io.fluxmark.quickstart.FlightFeeder")
                || className.startsWith("io.fluxmark.quickstart.FlightEvents")) {
            return Stage.FEED;
        }
        if (className.startsWith("io.fluxmark.http.") || className.startsWith("io.netty.channel.")) {
            return Stage.HTTP;
        }
        if (className.startsWith("io.fluxmark.log.")) {
            return READING.matcher(className).find() ? Stage.DECODE : Stage.APPEND;
        }
        if (className.startsWith("io.fluxmark.windows.")) {
            return Stage.WINDOW;
        }
        return className.startsWith("io.fluxmark.state.") || className.startsWith("io.fluxmark.sinks.")
                ? Stage.COMMIT
                : null;
    }

    /** One line per stage. */
    synchronized List<String> lines() {
        long millis = Math.max(1, scheduler.now(TimeUnit.MILLISECONDS) - begun);
        double perSample = rounds == 0 ? 0 : (double) millis / rounds;
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT, "Thread time per stage, from %,d looks at all stacks in %.1f s:", rounds, millis / 1e3));
        for (Stage stage : Stage.values()) {
            double seconds = samples.getOrDefault(stage, 0L) * perSample / 1e3;
            lines.add(String.format(
                    Locale.ROOT, "  %-14s %6.2f s  %5.1f %%", stage.label(), seconds, 1e5 * seconds / millis));
        }
        return lines;
    }
}
