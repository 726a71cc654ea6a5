package io.fluxmark.experiments.barriers;

import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.knowm.xchart.CategoryChart;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** E13: the pause of a lane at its barriers, asynchronous and stop-the-world in turn, by what has changed; and the model of several inputs. */
public final class Barriers implements Experiment {

    static final String ASYNCHRONOUS = "asynchronous";
    static final String STOP_THE_WORLD = "stop-the-world";

    private static final double NANOS_PER_MILLI = 1e6;

    private final Table table = new Table(
            "changed", "mode", "round", "pause_ms", "commit_ms", "events_per_s_during", "events_per_s_after", "waited");

    /** For the registry. */
    public Barriers() {}

    /** The changes that are measured; that of the prediction first. */
    private static List<Change> changes(Scale scale) {
        return scale.of(
                List.of(
                        new Change("10000 random", 1_000_000, 10_000, false, 480_000),
                        new Change("10000 side by side", 1_000_000, 10_000, true, 480_000),
                        new Change("100000 random", 1_000_000, 100_000, false, 1_600_000)),
                List.of(
                        new Change("500 random", 10_000, 500, false, 8_000),
                        new Change("500 side by side", 10_000, 500, true, 8_000),
                        new Change("2000 random", 10_000, 2_000, false, 16_000)));
    }

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        int rounds = scale.of(4, 1);
        int barriers = scale.of(5, 2);
        List<Change> changes = changes(scale);
        Workspace workspace = new Workspace(directory);
        workspace.within(files -> {
            try (EventLog log = Objects.requireNonNull(
                    EventLog.open(files.resolve("log"), LogSpec.defaults().durability(Durability.OS))
                            .block())) {
                Topic topic =
                        Objects.requireNonNull(log.createTopic("events", 1).block());
                fill(topic, changes, rounds, barriers);
                for (Change change : changes) {
                    try (BarrierLane lane = new BarrierLane(
                            files.resolve(change.label().replace(' ', '-')), topic, change, Schedulers.immediate())) {
                        for (int round = 1; round <= rounds; round++) {
                            boolean first = round % 2 == 0;
                            add(change, first, round, lane.stops(first, barriers));
                            add(change, !first, round, lane.stops(!first, barriers));
                            out.println(Figures.text("E13: %s, round %d of %d", change.label(), round, rounds));
                        }
                    }
                }
            }
        });
        table.write(directory.resolve("E13-barriers.csv"));
        Table summary = BarrierText.summary(table).write(directory.resolve("E13-summary.csv"));
        Table ratios = BarrierText.ratios(summary).write(directory.resolve("E13-ratios.csv"));
        Table model = ModelRuns.run(scale.of(2_000, 50)).write(directory.resolve("E13-model.csv"));
        plot(summary, directory);
        return BarrierText.of(summary, ratios, model);
    }

    /** As much as any of the changes needs: the records say nothing. */
    private static void fill(Topic topic, List<Change> changes, int rounds, int barriers) {
        int records = 0;
        for (Change change : changes) {
            long needed = change.keys() + (2L * rounds + 1) * BarrierLane.eventsOf(change, barriers);
            records = (int) Math.max(records, needed);
        }
        topic.append(Flux.range(0, records).map(i -> AppendRecord.to(0, new byte[1])))
                .then()
                .block();
        topic.partition(0).force(topic.partition(0).endOffset()).block();
    }

    private void add(Change change, boolean stopTheWorld, int round, List<Stop> stops) {
        for (Stop stop : stops) {
            table.row(
                    change.label(),
                    stopTheWorld ? STOP_THE_WORLD : ASYNCHRONOUS,
                    round,
                    Figures.decimal(stop.pauseNanos() / NANOS_PER_MILLI, 3),
                    Figures.decimal(stop.commitNanos() / NANOS_PER_MILLI, 3),
                    Math.round(stop.during()),
                    Math.round(stop.after()),
                    stop.waited() ? 1 : 0);
        }
    }

    private static void plot(Table summary, Path directory) throws IOException {
        CategoryChart chart = Plots.bars("Pause of a lane at a barrier", "entries changed", "ms, median");
        for (String mode : List.of(STOP_THE_WORLD, ASYNCHRONOUS)) {
            Table rows = summary.where("mode", mode);
            chart.addSeries(mode, rows.texts("changed"), rows.numbers("pause_ms"));
        }
        Plots.write(chart, directory.resolve("E13-pauses.png"));
    }
}
