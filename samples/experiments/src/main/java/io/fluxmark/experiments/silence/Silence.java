package io.fluxmark.experiments.silence;

import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.StateSamples;
import io.fluxmark.experiments.measure.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.XYChart;

/** E4: one of eight partitions falls silent for ten minutes. */
public final class Silence implements Experiment {

    static final Duration TIME_OUT = Duration.ofMinutes(1);

    private static final long SILENT_AT = 120_000;
    private static final long SILENCE = 600_000;

    /** The reference fires with the slowest of seven partitions, the others with the slowest of eight: some ms apart. */
    private static final long NOISE = 1_000;

    private static final List<Duration> TIME_OUTS = List.of(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            TIME_OUT,
            Duration.ofMinutes(2),
            Duration.ofMinutes(5),
            Duration.ofMinutes(11));

    private final Table phases =
            new Table("silent_at_s", "idle_after_s", "longest_delay_s", "windows_late", "late_percent");
    private final Table windows = new Table("end_after_silence_s", "with_s", "without_s");
    private final Table modes = new Table(
            "mode",
            "idle_after_s",
            "longest_delay_s",
            "windows_late",
            "most_entries",
            "backlog",
            "late",
            "late_percent");
    private final Table state = new Table("mode", "second", "entries");

    /** For the registry. */
    public Silence() {}

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        int perSecond = scale.of(25, 5);
        out.println("E4: the moment of silence, over one window");
        phases(perSecond, scale.of(20, 5));
        out.println("E4: time-outs, and the price of each");
        Script script = new Script(perSecond, SILENT_AT + MergedRun.SIZE.toMillis() / 2, SILENCE, false);
        modes(script);
        phases.write(directory.resolve("E4-phases.csv"));
        windows.write(directory.resolve("E4-windows.csv"));
        modes.write(directory.resolve("E4-modes.csv"));
        state.write(directory.resolve("E4-state.csv"));
        plot(directory);
        return SilenceText.of(phases, windows, modes);
    }

    private void phases(int perSecond, int steps) {
        for (int i = 0; i < steps; i++) {
            long silentAt = SILENT_AT + i * MergedRun.SIZE.toMillis() / steps;
            Script script = new Script(perSecond, silentAt, SILENCE, false);
            SortedMap<Long, Long> fired =
                    MergedRun.of(script, Script.PARTITIONS, TIME_OUT).fired();
            Delays delays = Delays.of(fired, reference(script));
            Long idle = fired.get(delays.firstLater(NOISE));
            phases.row(
                    Figures.decimal((silentAt - SILENT_AT) / 1e3, 1),
                    idle == null ? "" : seconds(idle - script.lastHeard()),
                    seconds(delays.longest()),
                    delays.later(NOISE),
                    Figures.percent(late(script, TIME_OUT), offline(script).backlogEvents(), 2));
        }
    }

    /** The same silence, if the events of it come in at its end. */
    private static Script offline(Script script) {
        return new Script(script.perSecond(), script.silentAt(), script.silenceMillis(), true);
    }

    /** How many of these are too late. */
    private static long late(Script script, @Nullable Duration timeOut) {
        return MergedRun.of(offline(script), Script.PARTITIONS, timeOut).late();
    }

    private static SortedMap<Long, Long> reference(Script script) {
        return MergedRun.of(script, Script.SILENT, null).fired();
    }

    private void modes(Script script) {
        SortedMap<Long, Long> reference = reference(script);
        MergedRun.Outcome without = MergedRun.of(script, Script.PARTITIONS, null);
        mode(script, "merged", null, without, reference);
        for (Duration timeOut : TIME_OUTS) {
            MergedRun.Outcome with = MergedRun.of(script, Script.PARTITIONS, timeOut);
            mode(script, "merged", timeOut, with, reference);
            if (timeOut.equals(TIME_OUT)) {
                windows(script, with, without, reference);
                samples("idle after 60 s", with.state());
            }
        }
        samples("never idle", without.state());
        lanes(script, reference);
    }

    private void mode(
            Script script,
            String mode,
            @Nullable Duration timeOut,
            MergedRun.Outcome outcome,
            SortedMap<Long, Long> reference) {
        row(
                mode,
                timeOut == null ? "never" : String.valueOf(timeOut.toSeconds()),
                Delays.of(outcome.fired(), reference),
                outcome.state().most(),
                offline(script).backlogEvents(),
                late(script, timeOut));
    }

    private void row(String mode, String timeOut, Delays delays, long entries, long backlog, long late) {
        modes.row(
                mode,
                timeOut,
                seconds(delays.longest()),
                delays.later(NOISE),
                entries,
                backlog,
                late,
                Figures.percent(late, backlog, 2));
    }

    /** The seven others, each in a lane of its own; and what becomes of a backlog of the eighth in its lane. */
    private void lanes(Script script, SortedMap<Long, Long> reference) {
        Script offline = offline(script);
        long longest = 0;
        long later = 0;
        long entries = 0;
        for (int partition = 0; partition < Script.SILENT; partition++) {
            MergedRun.Outcome lane = MergedRun.ofLane(script, partition);
            Delays delays = Delays.of(lane.fired(), reference);
            longest = Math.max(longest, delays.longest());
            later += delays.later(NOISE);
            entries += lane.state().most();
        }
        MergedRun.Outcome silent = MergedRun.ofLane(offline, Script.SILENT);
        modes.row(
                "a lane each",
                "never",
                seconds(longest),
                later,
                entries + silent.state().most(),
                offline.backlogEvents(),
                silent.late(),
                Figures.percent(silent.late(), offline.backlogEvents(), 2));
    }

    private void windows(
            Script script, MergedRun.Outcome with, MergedRun.Outcome without, SortedMap<Long, Long> reference) {
        Delays fixed = Delays.of(with.fired(), reference);
        Delays held = Delays.of(without.fired(), reference);
        fixed.byEnd().forEach((end, delay) -> {
            Long unfixed = held.byEnd().get(end);
            windows.row(seconds(end - script.lastHeard()), seconds(delay), unfixed == null ? "" : seconds(unfixed));
        });
    }

    private void samples(String mode, StateSamples samples) {
        for (int i = 0; i < samples.seconds().size(); i++) {
            state.row(
                    mode,
                    Figures.decimal(samples.seconds().get(i), 1),
                    samples.entries().get(i).longValue());
        }
    }

    private static String seconds(long millis) {
        return Figures.decimal(millis / 1e3, 3);
    }

    private void plot(Path directory) throws IOException {
        XYChart delays = Plots.lines(
                "Delay of windows, one of eight partitions silent for 600 s",
                "end of the window, s after the last event",
                "s");
        Table shown = windows.where("without_s", cell -> !cell.isEmpty());
        Plots.line(delays, "never idle", shown.numbers("end_after_silence_s"), shown.numbers("without_s"));
        Plots.line(delays, "idle after 60 s", shown.numbers("end_after_silence_s"), shown.numbers("with_s"));
        Plots.write(delays, directory.resolve("E4-delays.png"));
        XYChart held = Plots.lines("State: 20 keys, windows of 10 s", "s", "entries");
        for (String mode : List.of("never idle", "idle after 60 s")) {
            Table samples = state.where("mode", mode);
            Plots.curve(held, mode, samples.numbers("second"), samples.numbers("entries"));
        }
        Plots.write(held, directory.resolve("E4-state.png"));
        XYChart price = Plots.lines("What a time-out gives and takes", "idle after, s", "");
        Table timeOuts = modes.where("idle_after_s", cell -> !cell.equals("never"));
        Plots.line(price, "longest delay, s", timeOuts.numbers("idle_after_s"), timeOuts.numbers("longest_delay_s"));
        Plots.line(
                price,
                "late of a 600 s backlog, %",
                timeOuts.numbers("idle_after_s"),
                timeOuts.numbers("late_percent"));
        Plots.write(price, directory.resolve("E4-price.png"));
    }
}
