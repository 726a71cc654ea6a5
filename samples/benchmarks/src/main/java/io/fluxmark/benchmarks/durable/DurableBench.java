package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.Answer;
import io.fluxmark.benchmarks.BenchOptions;
import io.fluxmark.benchmarks.Contender;
import io.fluxmark.benchmarks.Measurement;
import io.fluxmark.benchmarks.Series;
import io.fluxmark.benchmarks.Workload;
import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.windows.CheckpointSpec;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongFunction;
import reactor.core.scheduler.Scheduler;

/** The tumbling workload in memory, from a log, and as a job with checkpoints, in interleaved rounds. */
final class DurableBench {

    private static final Workload WORKLOAD = Workload.TUMBLING;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLION = 1e6;

    /** How many rows are jobs: the last ones, that with a commit every second, or behind a million events, first. */
    private static final int JOBS = 5;

    private static final List<Long> KEYS = List.of(10_000L, 1_000_000L);
    private static final List<Double> INTERVALS = List.of(0.0, 0.1, 1.0);

    private final BenchOptions options;
    private final Scheduler clock;
    private final PrintStream out;
    private final Workspace workspace;
    private final int partitions;
    private final List<Row> rows = new ArrayList<>();

    DurableBench(BenchOptions options, Scheduler clock, PrintStream out, Workspace workspace, int partitions) {
        this.options = options;
        this.clock = clock;
        this.out = out;
        this.workspace = workspace;
        this.partitions = partitions;
    }

    /**
     * One thing that is measured.
     *
     * @param run does it once, which is measured, and answers what came out and how many commits it took, which is not
     */
    private record Row(Series series, Function<Boolean, Run> run, List<Run> runs) {}

    /** What came out of one run. */
    private record Run(Answer answer, long commits) {}

    /** 0 if all answers are equal, 1 if not. */
    int run() {
        workspace.within(directory -> {
            try (FilledLog log = FilledLog.in(directory, partitions, WORKLOAD.generator(), options.events())) {
                addRows(log);
                print(
                        "%s, %,d keys; %,d events of %d bytes in a log of %d partitions; %d warm-up, %d rounds; %s; JDK %s,"
                                + " %d processors, load %.1f",
                        WORKLOAD.windows(),
                        WORKLOAD.generator().keys(),
                        options.events(),
                        EventRecords.BYTES,
                        partitions,
                        options.warmups(),
                        options.rounds(),
                        workspace.fileSystem(),
                        Runtime.version(),
                        Runtime.getRuntime().availableProcessors(),
                        Measurement.load());
                for (int round = -options.warmups(); round < options.rounds(); round++) {
                    boolean counts = round >= 0;
                    rows.forEach(row -> row.runs().add(row.run().apply(counts)));
                    print(
                            "%s of %d done, load %.1f",
                            counts ? "round " + (round + 1) : "warm-up " + (round + options.warmups() + 1),
                            counts ? options.rounds() : options.warmups(),
                            Measurement.load());
                }
            }
        });
        report();
        boolean equal = compare();
        recover();
        return equal ? 0 : 1;
    }

    private void addRows(FilledLog log) {
        Contender loop = WORKLOAD.loops().get(0);
        add(loop.name(), loop.body());
        add("in memory, no log", WORKLOAD::pipeline);
        if (partitions == 1) {
            add("from the log, no job", n -> PlainRead.run(log, WORKLOAD.windows()));
        }
        Duration second = Duration.ofSeconds(1);
        addJob("job, every 1 s", log, CheckpointSpec.every(second));
        addJob("job, 1 s, time alone", log, byTime(second));
        addJob("job, 100 ms, time alone", log, byTime(Duration.ofMillis(100)));
        addJob("job, 10 s, time alone", log, byTime(Duration.ofSeconds(10)));
        addJob("job, 1 s, stop-the-world", log, CheckpointSpec.every(second).stopTheWorld());
    }

    /** Without the commit that comes behind a million events otherwise, here after a tenth of a second. */
    private static CheckpointSpec byTime(Duration interval) {
        return CheckpointSpec.every(interval).orEveryEvents(Long.MAX_VALUE);
    }

    private void add(String name, LongFunction<Object> body) {
        Series series = new Series(new Contender(name, body));
        rows.add(new Row(
                series,
                counts -> {
                    Object answer = measure(series, counts, body);
                    return new Run((Answer) answer, 0);
                },
                new ArrayList<>()));
    }

    private void addJob(String name, FilledLog log, CheckpointSpec spec) {
        Series series = new Series(new Contender(name, n -> n));
        rows.add(new Row(
                series,
                counts -> {
                    Run[] run = new Run[1];
                    workspace.within(directory -> run[0] = runJob(series, counts, directory, log, spec));
                    return run[0];
                },
                new ArrayList<>()));
    }

    private Run runJob(Series series, boolean counts, Path directory, FilledLog log, CheckpointSpec spec) {
        try (DurableJob job = DurableJob.open(directory, log, WORKLOAD.windows())) {
            measure(series, counts, n -> job.runToEnd(spec));
            return new Run(job.answer(), job.commits());
        }
    }

    private Object measure(Series series, boolean counts, LongFunction<Object> body) {
        Measurement measurement = Measurement.of(new Contender(series.name(), body), options.events(), clock);
        if (counts) {
            series.add(measurement);
        }
        return measurement.outcome();
    }

    private void report() {
        Series loop = rows.get(0).series();
        Series memory = rows.get(1).series();
        print(
                "%n%-26s %8s %8s %10s %10s %10s %10s %8s",
                "", "best", "median", "CPU", "allocated", "to memory", "to loop", "commits");
        print("%-26s %8s %8s %10s %10s %10s %10s %8s", "", "M/s", "M/s", "s/M", "B/event", "", "", "");
        for (Row row : rows) {
            Series series = row.series();
            print(
                    "%-26s %8.2f %8.2f %10.3f %10.1f %10.2f %10.2f %8d",
                    series.name(),
                    NANOS_PER_SECOND / MILLION / perEvent(series.bestNanos()),
                    NANOS_PER_SECOND / MILLION / perEvent(series.median(Measurement::nanos)),
                    perEvent(series.median(Measurement::cpuNanos)) * MILLION / NANOS_PER_SECOND,
                    perEvent(series.median(Measurement::bytes)),
                    series.medianRatioTo(memory, Measurement::nanos),
                    series.medianRatioTo(loop, Measurement::nanos),
                    row.runs().get(row.runs().size() - 1).commits());
        }
    }

    /** What a crash costs just before the next commit, at the rate of a job that commits every second. */
    private void recover() {
        double perSecond = options.events()
                / (rows.get(rows.size() - JOBS).series().median(Measurement::nanos) / NANOS_PER_SECOND);
        print("%nRecovery, from opening the store to the commit that holds what was read before, tumbling PT1000S");
        print("%12s %12s %12s %12s %12s %12s", "keys", "interval, s", "replayed", "open, ms", "total, ms", "store, MB");
        for (long keys : KEYS) {
            List<Long> replays = INTERVALS.stream()
                    .map(seconds -> Math.min(options.events(), (long) (seconds * perSecond)))
                    .toList();
            List<Recovery.Sample> samples =
                    new Recovery(workspace, clock).of(keys, Math.min(options.events(), 2 * keys), replays, store -> {});
            for (int i = 0; i < samples.size(); i++) {
                Recovery.Sample sample = samples.get(i);
                print(
                        "%,12d %12.1f %,12d %12.1f %12.1f %12.1f",
                        keys,
                        INTERVALS.get(i),
                        sample.replayed(),
                        sample.openNanos() / MILLION,
                        sample.nanos() / MILLION,
                        sample.storeBytes() / MILLION);
            }
        }
    }

    private double perEvent(long figure) {
        return (double) figure / options.events();
    }

    private boolean compare() {
        Answer expected = rows.get(0).runs().get(0).answer();
        for (Row row : rows) {
            for (Run run : row.runs()) {
                if (!run.answer().equals(expected)) {
                    print("DIFFERENT ANSWERS: %s %s", rows.get(0).series().name(), expected);
                    print("                   %s %s", row.series().name(), run.answer());
                    return false;
                }
            }
        }
        print("Answers equal: %s", expected);
        return true;
    }

    private void print(String format, Object... arguments) {
        out.printf(Locale.ROOT, format + "%n", arguments);
    }
}
