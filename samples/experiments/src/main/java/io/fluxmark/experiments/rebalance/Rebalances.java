package io.fluxmark.experiments.rebalance;

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
import io.fluxmark.log.RebalanceProtocol;
import io.fluxmark.log.Topic;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.knowm.xchart.CategoryChart;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** E8: a third member joins a group of two over 12 partitions, eager against cooperative, in turn. */
public final class Rebalances implements Experiment {

    private static final int PARTITIONS = 12;
    private static final int VALUE_BYTES = 100;
    private static final double NANOS_PER_MILLI = 1e6;

    /** For the registry. */
    public Rebalances() {}

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        int records = scale.of(200_000, 2_000);
        int rounds = scale.of(15, 2);
        Table table = new Table(
                "protocol",
                "round",
                "taken",
                "stopped_ms",
                "median_pause_ms",
                "longest_pause_ms",
                "untouched_gap_ms",
                "duplicates",
                "gaps");
        new Workspace(directory).within(files -> {
            LogSpec spec = LogSpec.defaults().durability(Durability.OS);
            try (EventLog log =
                    Objects.requireNonNull(EventLog.open(files, spec).block())) {
                Topic topic =
                        Objects.requireNonNull(log.createTopic("e8", PARTITIONS).block());
                topic.append(Flux.range(0, records * PARTITIONS)
                                .map(i -> AppendRecord.to(i % PARTITIONS, new byte[VALUE_BYTES])))
                        .blockLast();
                for (int round = -1; round < rounds; round++) {
                    for (RebalanceProtocol protocol : RebalanceProtocol.values()) {
                        Stops stops = new Joining(log, topic, protocol, Schedulers.immediate())
                                .run("e8-" + name(protocol) + "-" + (round + 1));
                        if (round >= 0) {
                            table.row(row(protocol, round, stops));
                        }
                    }
                    out.println(Figures.text("E8: round %d of %d", round + 2, rounds + 1));
                }
            }
        });
        table.write(directory.resolve("E8-rebalances.csv"));
        Table summary = RebalanceText.summary(table).write(directory.resolve("E8-summary.csv"));
        plot(table, directory);
        return RebalanceText.of(summary);
    }

    static String name(RebalanceProtocol protocol) {
        return protocol.name().toLowerCase(Locale.ROOT);
    }

    private static Object[] row(RebalanceProtocol protocol, int round, Stops stops) {
        return new Object[] {
            name(protocol),
            round + 1,
            stops.pauses().size(),
            millis(stops.stopped()),
            millis(median(stops.pauses())),
            millis(stops.pauses().stream().mapToLong(Long::longValue).max().orElse(0)),
            millis(median(stops.unmoved())),
            stops.twice(),
            stops.missing()
        };
    }

    private static String millis(long nanos) {
        return Figures.decimal(nanos / NANOS_PER_MILLI, 3);
    }

    private static long median(List<Long> values) {
        return values.isEmpty() ? 0 : Figures.median(values);
    }

    private static void plot(Table table, Path directory) throws IOException {
        CategoryChart chart = Plots.bars("A third member joins", "round", "partition time stopped, ms");
        for (RebalanceProtocol protocol : RebalanceProtocol.values()) {
            Table rows = table.where("protocol", name(protocol));
            chart.addSeries(name(protocol), rows.texts("round"), rows.numbers("stopped_ms"));
        }
        Plots.write(chart, directory.resolve("E8-stopped.png"));
    }
}
