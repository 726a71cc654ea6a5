package io.fluxmark.experiments.sessions;

import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.windows.Ceiling;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.WindowSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;

/** E12: sessions of keys that come once, without a bound, with a time-to-live, and with a ceiling. */
public final class Sessions implements Experiment {

    static final String UNBOUNDED = "no bound";
    static final String LIVING = "time-to-live 60 s";
    static final String REFUSING = "ceiling: refuse";
    static final String CLOSING = "ceiling: close earliest";

    private static final Duration TIME_TO_LIVE = Duration.ofMinutes(1);

    /** From when on the number of entries should stand, in seconds: the time-to-live, the delay, and some. */
    private static final int SETTLED = 70;

    private final Table runs = new Table(
            "run",
            "per_second",
            "keys",
            "seconds",
            "most_entries",
            "settled_low",
            "settled_high",
            "growth_percent_per_minute",
            "expired",
            "refused",
            "results",
            "left");
    private final Table state = new Table("run", "second", "entries");
    private final Table file = new Table("run", "second", "entries", "file_mb", "overlay_mb");
    private final Table rest = new Table("run", "when", "entries", "stored");

    /** For the registry. */
    public Sessions() {}

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        WindowSpec sessions = OneShotKeys.sessions();
        WindowSpec living = sessions.timeToLive(TIME_TO_LIVE);
        OneShotKeys input = new OneShotKeys(scale.of(OneShotKeys.PREDICTED_PER_SECOND, 200));
        int ceiling = 50 * input.perSecond();
        out.println("E12: heap, without a bound");
        Table heap = HeapPerEntry.measure(input, scale.of(2_000_000, 20_000), scale.of(500_000, 10_000))
                .write(directory.resolve("E12-heap.csv"));
        run(out, input, UNBOUNDED, sessions, scale.of(200, 90), 0);
        run(out, input, LIVING, living, scale.of(1_800, 120), 0);
        for (Ceiling.Policy policy : List.of(Ceiling.Policy.REFUSE, Ceiling.Policy.CLOSE_EARLIEST)) {
            String name = policy == Ceiling.Policy.REFUSE ? REFUSING : CLOSING;
            run(out, input, name, sessions.ceiling(new Ceiling(ceiling, policy)), 120, ceiling);
        }
        stored(out, input, UNBOUNDED, sessions, scale.of(600, 40));
        stored(out, input, LIVING, living, scale.of(600, 80));
        runs.write(directory.resolve("E12-runs.csv"));
        state.write(directory.resolve("E12-state.csv"));
        file.write(directory.resolve("E12-file.csv"));
        rest.write(directory.resolve("E12-rest.csv"));
        plot(directory);
        return SessionsText.of(runs, heap, file, rest, ceiling);
    }

    private void run(PrintStream out, OneShotKeys input, String name, WindowSpec windows, int seconds, long ceiling) {
        out.println(Figures.text("E12: %s, %d s of event time, on the heap", name, seconds));
        long keys = (long) seconds * input.perSecond();
        long interval = Math.max(200, seconds * 1_000L / 200);
        SessionRun.Outcome outcome =
                SessionRun.of(input, windows, keys, interval, ceiling == 0 ? keys : ceiling - 10, keys);
        List<Double> moments = outcome.state().seconds();
        List<Double> entries = outcome.state().entries();
        for (int i = 0; i < moments.size(); i++) {
            state.row(name, Figures.decimal(moments.get(i), 1), entries.get(i).longValue());
        }
        boolean settles = name.equals(LIVING);
        Plateau plateau = Plateau.from(settles ? SETTLED : 0, moments, entries);
        runs.row(
                name,
                input.perSecond(),
                keys,
                seconds,
                outcome.most(),
                settles ? plateau.low() : "",
                settles ? plateau.high() : "",
                settles ? Figures.decimal(plateau.percentPerMinute(), 4) : "",
                outcome.counters().get(Counter.EXPIRED),
                outcome.counters().get(Counter.REFUSED),
                outcome.results(),
                outcome.left());
    }

    private void stored(PrintStream out, OneShotKeys input, String name, WindowSpec windows, int seconds)
            throws IOException {
        out.println(Figures.text("E12: %s, %d s of event time, in a store", name, seconds));
        Path directory = Files.createTempDirectory("fluxmark-e12-");
        try {
            try (StoredSessions first = StoredSessions.open(input, directory, windows)) {
                first.barrier();
                rest.row(name, "before any key", first.entries(), first.stored());
                first.run(name, seconds, file);
                rest.row(name, "while keys come", first.entries(), first.stored());
                first.passEverything();
                rest.row(name, "all is past", first.entries(), first.stored());
            }
            try (StoredSessions second = StoredSessions.open(input, directory, windows)) {
                rest.row(name, "after a restart", second.entries(), second.stored());
            }
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private void plot(Path directory) throws IOException {
        XYChart held = Plots.lines("State: 10,000 new keys per second, one event each", "s of event time", "entries");
        for (String run : List.of(UNBOUNDED, LIVING, REFUSING, CLOSING)) {
            Table samples =
                    state.where("run", run).where("second", second -> Double.parseDouble(second) <= 3.0 * SETTLED);
            Plots.curve(held, run, samples.numbers("second"), samples.numbers("entries"));
        }
        Plots.write(held, directory.resolve("E12-state.png"));
        XYChart size = Plots.lines("Size of the store file", "s of event time", "MB");
        for (String run : List.of(UNBOUNDED, LIVING)) {
            Table samples = file.where("run", run);
            Plots.curve(size, run, samples.numbers("second"), samples.numbers("file_mb"));
        }
        Plots.write(size, directory.resolve("E12-file.png"));
    }
}
