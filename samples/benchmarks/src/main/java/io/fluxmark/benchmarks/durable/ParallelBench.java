package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.Answer;
import io.fluxmark.benchmarks.BenchOptions;
import io.fluxmark.benchmarks.Contender;
import io.fluxmark.benchmarks.Event;
import io.fluxmark.benchmarks.Measurement;
import io.fluxmark.benchmarks.Series;
import io.fluxmark.benchmarks.Workload;
import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.LogRecord;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import reactor.core.scheduler.Scheduler;

/** The tumbling workload over JSON records, merged: in one lane, and with its keys divided among several, in interleaved rounds. */
final class ParallelBench {

    private static final Workload WORKLOAD = Workload.TUMBLING;
    private static final CheckpointSpec COMMITS = CheckpointSpec.every(Duration.ofSeconds(1));
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLION = 1e6;

    private final BenchOptions options;
    private final Scheduler clock;
    private final PrintStream out;
    private final Workspace workspace;
    private final int partitions;
    private final List<Row> rows = new ArrayList<>();

    /** @param lanes 1 to 16 */
    ParallelBench(
            BenchOptions options, Scheduler clock, PrintStream out, Workspace workspace, int partitions, int lanes) {
        this.options = options;
        this.clock = clock;
        this.out = out;
        this.workspace = workspace;
        this.partitions = partitions;
        rows.add(new Row(0, "one lane"));
        rows.add(new Row(lanes, "keys divided among " + lanes));
    }

    /** A job with its keys divided among so many lanes, 0 for not at all. */
    private static final class Row {

        private final int lanes;
        private final Series series;
        private final List<Answer> answers = new ArrayList<>();

        Row(int lanes, String name) {
            this.lanes = lanes;
            this.series = new Series(new Contender(name, n -> n));
        }
    }

    /** Events as JSON objects; the record's key is the event's, so that it finds its partition. */
    private static final class JsonRecords implements EventCodec<Event> {

        private final EventCodec<Event> json = EventCodec.json(Event.class);

        @Override
        public Event decode(LogRecord record) {
            return json.decode(record);
        }

        @Override
        public AppendRecord encode(Event event) {
            byte[] value = json.encode(event).value();
            if (value == null) {
                throw new IllegalStateException("an event has become a record without a value");
            }
            return AppendRecord.of(EventRecords.key(event.key()), value);
        }
    }

    /** 0 if all answers are equal, 1 if not. */
    int run() {
        workspace.within(directory -> {
            try (FilledLog log =
                    FilledLog.in(directory, partitions, WORKLOAD.generator(), options.events(), new JsonRecords())) {
                print(
                        "%s, %,d keys; %,d events as JSON in a log of %d partitions; %d warm-up, %d rounds; %s; JDK %s,"
                                + " %d processors, load %.1f",
                        WORKLOAD.windows(),
                        WORKLOAD.generator().keys(),
                        options.events(),
                        partitions,
                        options.warmups(),
                        options.rounds(),
                        workspace.fileSystem(),
                        Runtime.version(),
                        Runtime.getRuntime().availableProcessors(),
                        Measurement.load());
                for (int round = -options.warmups(); round < options.rounds(); round++) {
                    boolean counts = round >= 0;
                    rows.forEach(row -> measure(row, log, counts));
                    print(
                            "%s of %d done, load %.1f",
                            counts ? "round " + (round + 1) : "warm-up " + (round + options.warmups() + 1),
                            counts ? options.rounds() : options.warmups(),
                            Measurement.load());
                }
            }
        });
        report();
        return compare() ? 0 : 1;
    }

    private void measure(Row row, FilledLog log, boolean counts) {
        workspace.within(directory -> {
            try (DurableJob job = DurableJob.open(directory, log.events(), WORKLOAD.windows(), StoreSpec.defaults())) {
                Measurement measurement = Measurement.of(
                        new Contender(row.series.name(), n -> job.runMergedToEnd(COMMITS, row.lanes)),
                        options.events(),
                        clock);
                if (counts) {
                    row.series.add(measurement);
                }
                row.answers.add(job.answer());
            }
        });
    }

    private void report() {
        Series one = rows.get(0).series;
        print("%n%-26s %8s %8s %10s %10s %10s", "", "best", "median", "CPU", "allocated", "to one");
        print("%-26s %8s %8s %10s %10s %10s", "", "M/s", "M/s", "s/M", "B/event", "");
        for (Row row : rows) {
            print(
                    "%-26s %8.3f %8.3f %10.3f %10.1f %10.2f",
                    row.series.name(),
                    NANOS_PER_SECOND / MILLION / perEvent(row.series.bestNanos()),
                    NANOS_PER_SECOND / MILLION / perEvent(row.series.median(Measurement::nanos)),
                    perEvent(row.series.median(Measurement::cpuNanos)) * MILLION / NANOS_PER_SECOND,
                    perEvent(row.series.median(Measurement::bytes)),
                    row.series.medianRatioTo(one, Measurement::nanos));
        }
    }

    private double perEvent(long figure) {
        return (double) figure / options.events();
    }

    /** With one lane: which events are late in a merge, the loop does not know. */
    private boolean compare() {
        Answer expected = rows.get(0).answers.get(0);
        for (Row row : rows) {
            for (Answer answer : row.answers) {
                if (!answer.equals(expected)) {
                    print("DIFFERENT ANSWERS: %s %s", rows.get(0).series.name(), expected);
                    print("                   %s %s", row.series.name(), answer);
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
