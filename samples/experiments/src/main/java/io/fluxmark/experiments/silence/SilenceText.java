package io.fluxmark.experiments.silence;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.util.List;

/** What the report says about a silent partition, around the measured tables. */
final class SilenceText {

    /** The longest delay of a window with a time-out of 60 s, s. */
    private static final Prediction LONGEST = new Prediction(50, 60);

    /** What a time-out makes late of a backlog of ten minutes, %. */
    private static final Prediction LATE = new Prediction(95, 100);

    private SilenceText() {}

    static List<String> of(Table phases, Table windows, Table modes) {
        Section section = new Section("E4");
        measured(section, phases, modes);
        section.paragraph(
                "Eight partitions with events all the time, windows of 10 s, B = 5 s, virtual time; the eighth has its"
                        + " last event at some moment of a window and is silent for 600 s. A delay is how much later a window comes out"
                        + " than without the eighth partition. The last columns are about a producer that was only offline: at the end of"
                        + " the silence all its events of the 600 s come in at once, and so many of them are too late.");
        section.table(
                modes,
                "mode",
                "mode",
                "idle_after_s",
                "idle after, s",
                "longest_delay_s",
                "longest delay, s",
                "windows_late",
                "windows delayed",
                "most_entries",
                "most entries",
                "backlog",
                "backlog",
                "late",
                "late",
                "late_percent",
                "late, %");
        section.paragraph(
                "The windows around the silence, with a time-out of 60 s and without one (end of the window in seconds after the"
                        + " last event of the eighth):");
        section.table(
                windows.where("end_after_silence_s", SilenceText::isFirstMinutes),
                "end_after_silence_s",
                "end, s",
                "with_s",
                "delay, idle after 60 s",
                "without_s",
                "delay, never idle");
        section.paragraph(
                "**For a user.** Without a time-out one silent partition stops all results of a merged stream for as"
                        + " long as it is silent. A time-out bounds that, and is the promise that a partition which is silent for longer"
                        + " has nothing to say: what it says later is late, and counted, no matter by how much the outage was longer. Choose it longer than the producers'"
                        + " outages, or give up the merge: in lanes of their own (`keyByRecordKey`) partitions neither wait for each"
                        + " other nor lose anything.");
        section.figure("Delays", "E4-delays.png")
                .figure("What a time-out gives and takes", "E4-price.png")
                .figure("Entries held", "E4-state.png");
        return section.lines();
    }

    private static void measured(Section section, Table phases, Table modes) {
        List<Double> longest = phases.numbers("longest_delay_s");
        double most = longest.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        double least = longest.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        double mean =
                longest.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        boolean idleInTime = phases.texts("idle_after_s").stream()
                .allMatch(Figures.decimal(Silence.TIME_OUT.toMillis() / 1e3, 3)::equals);
        double late = phases.numbers("late_percent").stream()
                .mapToDouble(Double::doubleValue)
                .min()
                .orElseThrow();
        double lanes = modes.where("mode", "a lane each").number("longest_delay_s");
        section.paragraph(
                "Measured: **with `idleAfter(60 s)` the longest delay of a window is %.1f s on the average over %d moments of"
                        + " silence, from %.1f to %.1f s (%s).** The partition is left out exactly 60 s after its last event"
                        + " (%s); a lane for each partition has a delay of %.0f s (%s). The price: at least %.1f %% of a backlog of ten"
                        + " minutes is late (%s).",
                mean,
                longest.size(),
                least,
                most,
                Prediction.verdict(LONGEST.holds(least) && LONGEST.holds(most)),
                Prediction.verdict(idleInTime),
                lanes,
                Prediction.verdict(lanes == 0),
                late,
                LATE.verdict(late));
    }

    private static boolean isFirstMinutes(String end) {
        double seconds = Double.parseDouble(end);
        return seconds > -20 && seconds < 80;
    }
}
