package io.fluxmark.benchmarks.state;

import io.fluxmark.benchmarks.log.Workspace;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Flink's side, in a process of its own: fills, updates, restarts from the newest checkpoint, and compares. */
final class FlinkSide {

    private static final Scheduler CLOCK = Schedulers.immediate();

    private final long keys;
    private final int seconds;
    private final FlinkSettings settings;
    private @Nullable StateFigures figures;

    private FlinkSide(long keys, int seconds, FlinkSettings settings) {
        this.keys = keys;
        this.seconds = seconds;
        this.settings = settings;
    }

    /** Keys, seconds, MiB of managed memory, directory, and Flink's own settings as KEY=VALUE. */
    public static void main(String[] arguments) throws Exception {
        FlinkSettings settings = new FlinkSettings(
                Integer.parseInt(arguments[2]), Arrays.asList(arguments).subList(4, arguments.length));
        FlinkSide side = new FlinkSide(Long.parseLong(arguments[0]), Integer.parseInt(arguments[1]), settings);
        new Workspace(Path.of(arguments[3])).within(side::run);
        StateFigures shown = side.figures;
        if (shown == null) {
            throw new IllegalStateException("nothing was measured");
        }
        System.out.println(shown.line());
        // Flink leaves threads behind that are no daemons.
        System.exit(shown.equal() ? 0 : 1);
    }

    private void run(Path directory) {
        try {
            measure(directory);
        } catch (Exception e) {
            throw new IllegalStateException("Flink failed", e);
        }
    }

    private void measure(Path directory) throws Exception {
        System.out.printf(
                Locale.ROOT,
                "Flink: %,d keys, %d s of updates with each choice; heap %d MiB, beside it %s%n%-26s %14s %12s %10s%n",
                keys,
                seconds,
                Runtime.getRuntime().maxMemory() >> 20,
                settings,
                "",
                "updates/s",
                "us/update",
                "commits");
        FlinkProgress first = FlinkProgress.begin(CLOCK);
        FlinkJob job = FlinkJob.start(
                settings.configuration(directory, null),
                new UpdateSource(
                        keys,
                        new UpdateSource.Part(KeyChoice.EACH_ONCE, keys, Long.MAX_VALUE),
                        timed(KeyChoice.UNIFORM),
                        timed(KeyChoice.HOT_SET)),
                false);
        double fill = show(KeyChoice.EACH_ONCE, first.await(0, job));
        double uniform = show(KeyChoice.UNIFORM, first.await(1, job));
        double hotSet = show(KeyChoice.HOT_SET, first.await(2, job));
        long updates = first.awaitCheckpointOfAll(job);
        job.cancel();

        long stopped = CLOCK.now(TimeUnit.NANOSECONDS);
        FlinkProgress second = FlinkProgress.begin(CLOCK);
        FlinkJob again = FlinkJob.start(
                settings.configuration(directory, job.newestCheckpoint(directory)),
                new UpdateSource(keys, new UpdateSource.Part(KeyChoice.UNIFORM, 1, Long.MAX_VALUE)),
                true);
        double restart = (second.awaitFirstUpdate(again) - stopped) / 1e9;
        System.out.printf(Locale.ROOT, "%-26s %14.2f s, to the first update%n", "restart", restart);
        boolean equal = second.awaitTotal(again) == updates + 1;
        again.cancel();
        System.out.println(equal ? "The state holds every update once." : "THE STATE IS NOT WHAT THE UPDATES MAKE.");
        figures = new StateFigures(fill, uniform, hotSet, restart, equal);
    }

    private UpdateSource.Part timed(KeyChoice choice) {
        return new UpdateSource.Part(choice, Long.MAX_VALUE, TimeUnit.SECONDS.toNanos(seconds));
    }

    private static double show(KeyChoice choice, FlinkProgress.Part part) {
        double rate = part.updates() / (part.nanos() / 1e9);
        System.out.printf(Locale.ROOT, "%-26s %,14.0f %12.1f %10d%n", choice, rate, 1e6 / rate, part.checkpoints());
        return rate;
    }
}
