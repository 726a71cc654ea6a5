package io.fluxmark.experiments.commitorder;

import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.test.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.knowm.xchart.CategoryChart;
import reactor.core.scheduler.Schedulers;

/** E9: kills in three orders of commit, in turn, and what a producer adds that sends again. */
public final class CommitOrders implements Experiment {

    private static final long SEED = 9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int SLICES = 10;

    /** A kill comes at a random moment within so many cycles. */
    static final int SPAN_CYCLES = 10;

    /** Behind the delay of what is sent again, and before it. */
    private static final List<Duration> TIMES_TO_LIVE = List.of(Duration.ofSeconds(5), Duration.ofMillis(500));

    private final Map<CommitOrder, KillTally> tallies = new EnumMap<>(CommitOrder.class);
    private final Table resent = new Table("what", "sent", "counted", "excess_percent");

    /** For the registry. */
    public CommitOrders() {}

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        int kills = scale.of(1_000, 6);
        new Workspace(directory).within(files -> {
            Map<CommitOrder, Undisturbed.Outcome> undisturbed = new EnumMap<>(CommitOrder.class);
            for (CommitOrder order : CommitOrder.values()) {
                undisturbed.put(order, new Undisturbed(Schedulers.immediate()).run(order, scale.of(10, 1), files));
                tallies.put(
                        order,
                        new KillTally(
                                Objects.requireNonNull(undisturbed.get(order)).nanosPerCycle() / NANOS_PER_MILLI));
            }
            duplicates(undisturbed, files);
            ChildJvm child = child(files);
            int slice = Math.max(2, kills / SLICES);
            for (int done = 0; done < kills; done += slice) {
                int now = Math.min(slice, kills - done);
                for (CommitOrder order : CommitOrder.values()) {
                    Kills round = new Kills(order, span(undisturbed, order), child, Schedulers.parallel());
                    tally(order).add(round.run(now, SEED + done, files.resolve("kills-" + done)));
                }
                out.println(Figures.text("E9: %,d of %,d kills in each order", done + now, kills));
            }
        });
        Table table = new Table(
                "order",
                "kills",
                "kills_with_duplicates",
                "kills_with_gaps",
                "duplicates",
                "gaps",
                "least_by_wrong_kill",
                "most_by_wrong_kill",
                "cycle_ms");
        tallies.forEach((order, tally) -> table.row(tally.row(order)));
        table.write(directory.resolve("E9-kills.csv"));
        resent.write(directory.resolve("E9-resent.csv"));
        plot(table, directory);
        return CommitOrdersText.of(table, resent, SEED);
    }

    private static long span(Map<CommitOrder, Undisturbed.Outcome> undisturbed, CommitOrder order) {
        return (long)
                (SPAN_CYCLES * Objects.requireNonNull(undisturbed.get(order)).nanosPerCycle());
    }

    private KillTally tally(CommitOrder order) {
        return Objects.requireNonNull(tallies.get(order));
    }

    /** Starts fast rather than runs fast: it lives for some cycles, and most of them wait for the disk. */
    private static ChildJvm child(Path files) {
        return ChildArchive.of(
                ChildJvm.of(CountingChild.class)
                        .heap("128m")
                        .option("-XX:TieredStopAtLevel=1")
                        .option("-XX:+UseSerialGC")
                        .option("-Xshare:auto"),
                files);
    }

    private void duplicates(Map<CommitOrder, Undisturbed.Outcome> undisturbed, Path files) {
        undisturbed.forEach((order, outcome) -> resent(order.text(), outcome.records(), outcome.counted()));
        long arrivals = Resends.arrivals(1_000);
        long records = Resends.different(arrivals);
        resent("the producer's sequences at the log", records, Dedupe.bySequence(arrivals, files.resolve("log")));
        for (Duration timeToLive : TIMES_TO_LIVE) {
            resent(
                    "dedupe by id with a ttl of " + Figures.duration(timeToLive),
                    records,
                    Dedupe.byId(arrivals, timeToLive));
        }
    }

    private void resent(String what, long sent, long counted) {
        resent.row(what, sent, counted, Figures.percent(counted - sent, sent, 2));
    }

    private static void plot(Table table, Path directory) throws IOException {
        CategoryChart chart = Plots.bars("Kills that left a wrong count", "order of commits", "kills");
        chart.addSeries("duplicates", table.texts("order"), table.numbers("kills_with_duplicates"));
        chart.addSeries("gaps", table.texts("order"), table.numbers("kills_with_gaps"));
        Plots.write(chart, directory.resolve("E9-kills.png"));
    }
}
