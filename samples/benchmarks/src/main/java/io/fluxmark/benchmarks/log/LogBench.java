package io.fluxmark.benchmarks.log;

import io.fluxmark.benchmarks.Measurement;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import reactor.core.scheduler.Scheduler;

/** Everything that is measured of the log, in interleaved rounds. */
final class LogBench {

    private static final List<Integer> PARTITIONS = List.of(1, 4);
    private static final List<Integer> APPENDERS = List.of(1, 16, 256);

    /** What an fsync takes on disks that have to write before they answer. */
    private static final long SLOW_NANOS = 2_000_000;

    private final LogBenchOptions options;
    private final Workspace workspace;
    private final PrintStream out;
    private final List<StreamBench> streams = new ArrayList<>();
    private final List<AppenderBench> appenders = new ArrayList<>();

    LogBench(LogBenchOptions options, Path directory, Scheduler clock, PrintStream out) {
        this.options = options;
        this.workspace = new Workspace(directory);
        this.out = out;
        for (int partitions : PARTITIONS) {
            for (Level level : Level.values()) {
                streams.add(new StreamBench(options, clock, workspace, level, partitions));
            }
        }
        for (Level level : Level.values()) {
            for (int count : APPENDERS) {
                appenders.add(new AppenderBench(options, clock, workspace, level, count, new Disk(0, clock)));
            }
        }
        for (int count : APPENDERS) {
            Disk slow = new Disk(SLOW_NANOS, clock);
            appenders.add(new AppenderBench(options, clock, workspace, Level.SYNC, count, slow));
        }
    }

    /** 0 if the log held what the plain loop held, 1 if not. */
    int run() {
        print(
                "Log: %,d records of %d bytes; %d warm-ups, %d rounds; %s; JDK %s, %d processors, load %.1f",
                options.records(),
                Payload.BYTES,
                options.warmups(),
                options.rounds(),
                workspace.fileSystem(),
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Measurement.load());
        for (int round = -options.warmups(); round < options.rounds(); round++) {
            boolean counts = round >= 0;
            streams.forEach(stream -> stream.round(counts));
            appenders.forEach(each -> each.round(counts));
            print(
                    "%s of %d done, load %.1f",
                    counts ? "round " + (round + 1) : "warm-up " + (round + options.warmups() + 1),
                    counts ? options.rounds() : options.warmups(),
                    Measurement.load());
        }
        boolean equal = true;
        StreamBench.printHeader(out);
        for (StreamBench stream : streams) {
            equal &= stream.report(out);
        }
        AppenderBench.printHeader(out);
        for (AppenderBench each : appenders) {
            equal &= each.report(out);
        }
        new IdleBench(workspace, options.idle()).run(out);
        print("%n%s", equal ? "What was read equals what was written." : "NOT ALL THAT WAS WRITTEN IS THERE.");
        return equal ? 0 : 1;
    }

    private void print(String format, Object... arguments) {
        out.printf(Locale.ROOT, format + "%n", arguments);
    }
}
