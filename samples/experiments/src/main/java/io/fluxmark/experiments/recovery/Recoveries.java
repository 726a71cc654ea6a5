package io.fluxmark.experiments.recovery;

import io.fluxmark.benchmarks.Answer;
import io.fluxmark.benchmarks.Generator;
import io.fluxmark.benchmarks.Workload;
import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.LinearFit;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.knowm.xchart.XYChart;
import reactor.core.scheduler.Schedulers;

/** E6: a job is killed with more and more to read again, beside more and more state, and with more keys to read it for. */
public final class Recoveries implements Experiment {

    static final String REPLAY = "records to replay";
    static final String UNTOUCHED = "untouched state";
    static final String TOUCHED = "keys touched";

    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    /** So long that none fires. */
    private static final Duration LONG = Duration.ofSeconds(10_000);

    private static final long FEW_KEYS = 10_000;
    private static final double MILLION = 1e6;

    private final Table table =
            new Table("series", "round", "keys", "untouched_mb", "replayed", "open_ms", "total_ms", "store_mb");

    private Scale scale = Scale.FULL;

    /** For the registry. */
    public Recoveries() {}

    @Override
    public List<String> measure(Path directory, Scale wanted, PrintStream out) throws IOException {
        this.scale = wanted;
        int rounds = scale.of(3, 1);
        for (int round = 1; round <= rounds; round++) {
            int number = round;
            Workspace workspace = new Workspace(directory);
            workspace.within(files -> replays(files, number));
            workspace.within(files -> untouched(files, number));
            for (long keys : scale.of(List.of(FEW_KEYS, 1_000_000L), List.of(1_000L, FEW_KEYS))) {
                workspace.within(files -> touched(files, keys, number));
            }
            out.println(Figures.text("E6: round %d of %d", round, rounds));
        }
        table.write(directory.resolve("E6-recoveries.csv"));
        Table summary = RecoveryText.summary(table).write(directory.resolve("E6-summary.csv"));
        plot(directory);
        return RecoveryText.of(table, summary);
    }

    private static Crashes tumbling(Path files) {
        return new Crashes(files, Workload.TUMBLING.generator(), TEN_SECONDS, Schedulers.immediate());
    }

    private void replays(Path files, int round) {
        Crashes crashes = tumbling(files);
        crashes.commit(scale.of(1_000_000L, 20_000L));
        crashes.crash(scale.of(1_000_000L, 20_000L));
        long[] replays =
                scale.of(new long[] {0, 1_000_000, 2_500_000, 5_000_000, 10_000_000}, new long[] {0, 20_000, 60_000});
        LongStream.of(replays).forEach(replay -> add(REPLAY, round, FEW_KEYS, 0, crashes.crash(replay)));
        Answer answer = crashes.finish();
        if (!answer.equals(Workload.TUMBLING.loop(crashes.events()))) {
            throw new IllegalStateException(
                    "after " + replays.length + " crashes the rows are not those of the events");
        }
    }

    private void untouched(Path files, int round) {
        Crashes crashes = tumbling(files);
        long replay = scale.of(1_000_000L, 20_000L);
        crashes.commit(replay);
        int there = 0;
        for (int megabytes : IntStream.of(scale.of(new int[] {10, 100, 1_000}, new int[] {1, 2}))
                .toArray()) {
            UntouchedState.grow(crashes.store(), there, megabytes);
            there = megabytes;
            add(UNTOUCHED, round, FEW_KEYS, megabytes, crashes.crash(replay));
        }
    }

    private void touched(Path files, long keys, int round) {
        Crashes crashes = new Crashes(files, Generator.uniform(keys), LONG, Schedulers.immediate());
        long replay = scale.of(3_000_000L, 20_000L);
        crashes.commit(replay);
        add(TOUCHED, round, keys, 0, crashes.crash(replay));
    }

    private void add(String series, int round, long keys, int untouchedMegabytes, Comeback comeback) {
        table.row(
                series,
                round,
                keys,
                untouchedMegabytes,
                comeback.replayed(),
                Figures.decimal(comeback.openNanos() / MILLION, 1),
                Figures.decimal(comeback.nanos() / MILLION, 1),
                Figures.decimal(comeback.storeBytes() / MILLION, 1));
    }

    private void plot(Path directory) throws IOException {
        Table replays = table.where("series", REPLAY);
        List<Double> millions =
                replays.numbers("replayed").stream().map(n -> n / MILLION).toList();
        List<Double> seconds =
                replays.numbers("total_ms").stream().map(n -> n / 1_000).toList();
        LinearFit line = LinearFit.of(millions, seconds);
        double most = millions.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        XYChart chart = Plots.lines("From SIGKILL to the old position", "million records to replay", "seconds");
        for (String round : replays.texts("round").stream().distinct().toList()) {
            Table rows = replays.where("round", round);
            Plots.line(
                    chart,
                    "round " + round,
                    rows.numbers("replayed").stream().map(n -> n / MILLION).toList(),
                    rows.numbers("total_ms").stream().map(n -> n / 1_000).toList());
        }
        Plots.curve(chart, "line through all", List.of(0.0, most), List.of(line.at(0), line.at(most)));
        Plots.write(chart, directory.resolve("E6-replay.png"));
    }
}
