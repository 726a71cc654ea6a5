package io.fluxmark.experiments;

import io.fluxmark.experiments.measure.CsvFile;
import io.fluxmark.experiments.measure.Plots;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.XYChart;

/** The phone stream at several shares of offline readings: wrong days by either clock. */
final class PhoneShares {

    private static final int READINGS = 100_000;
    private static final long SEED = 1;
    private static final List<Double> SHARES = List.of(0.0, 0.05, 0.10, 0.20, 0.40);
    private static final Duration LONG_DELAY = Duration.ofHours(15);
    private static final Duration SHORT_DELAY = Duration.ofHours(2);

    private final List<Row> rows;

    private PhoneShares(List<Row> rows) {
        this.rows = rows;
    }

    static PhoneShares measure(PrintStream out) {
        List<Row> rows = new ArrayList<>();
        for (double share : SHARES) {
            out.printf(Locale.ROOT, "E1: phones, %.0f %% offline (seed %d)%n", 100 * share, SEED);
            List<PhoneReading> readings = OfflinePhones.week(READINGS, share, SEED);
            Map<Long, Long> truth = PhoneCount.plain(readings, PhoneReading::day);
            long misplaced = readings.stream()
                    .filter(reading -> reading.day() != reading.syncDay())
                    .count();
            PhoneCount patient = PhoneCount.byEventTime(readings, LONG_DELAY);
            PhoneCount hasty = PhoneCount.byEventTime(readings, SHORT_DELAY);
            rows.add(new Row(
                    share,
                    misplaced,
                    patient.tooMany(truth),
                    patient.dropped(),
                    hasty.tooMany(truth),
                    hasty.dropped()));
        }
        return new PhoneShares(rows);
    }

    List<String> table() {
        List<String> text = new ArrayList<>();
        text.add(String.format(
                Locale.ROOT,
                "The phone stream: %,d readings of a week, a share of them taken offline in the evening and synced the"
                        + " next morning (seed %d).",
                READINGS,
                SEED));
        text.add("");
        text.add("| offline | wrong day by arrival | wrong day by event time, 15 h delay | dropped"
                + " | wrong day by event time, 2 h delay | dropped |");
        text.add("| ---: | ---: | ---: | ---: | ---: | ---: |");
        for (Row row : rows) {
            text.add(String.format(
                    Locale.ROOT,
                    "| %.0f %% | %s | %s | %s | %s | %s |",
                    100 * row.share(),
                    percent(row.misplaced()),
                    percent(row.patientWrong()),
                    percent(row.patientDropped()),
                    percent(row.hastyWrong()),
                    percent(row.hastyDropped())));
        }
        text.add("");
        text.add("The arrival clock is wrong by exactly the offline share. The event clock never puts a reading on a"
                + " wrong");
        text.add("day; with a delay shorter than the longest silence it loses readings instead, and counts each as"
                + " dropped.");
        return text;
    }

    void write(Path directory) throws IOException {
        CsvFile csv = new CsvFile(
                "offline_share", "readings", "wrong_by_arrival", "wrong_15h", "dropped_15h", "wrong_2h", "dropped_2h");
        for (Row row : rows) {
            csv.row(
                    row.share(),
                    READINGS,
                    row.misplaced(),
                    row.patientWrong(),
                    row.patientDropped(),
                    row.hastyWrong(),
                    row.hastyDropped());
        }
        csv.write(directory.resolve("E1-phones.csv"));
        XYChart chart = Plots.lines("Readings of a week, some of them offline", "offline, %", "% of the readings");
        List<Double> x = rows.stream().map(row -> 100 * row.share()).toList();
        Plots.line(chart, "wrong day by arrival", x, shares(Row::misplaced));
        Plots.line(chart, "wrong day by event time", x, shares(Row::patientWrong));
        Plots.line(chart, "dropped by event time, 2 h delay", x, shares(Row::hastyDropped));
        Plots.write(chart, directory.resolve("E1-phones.png"));
    }

    private List<Double> shares(java.util.function.ToLongFunction<Row> value) {
        return rows.stream()
                .map(row -> 100.0 * value.applyAsLong(row) / READINGS)
                .toList();
    }

    private static String percent(long readings) {
        return String.format(Locale.ROOT, "%.2f %%", 100.0 * readings / READINGS);
    }

    private record Row(
            double share, long misplaced, long patientWrong, long patientDropped, long hastyWrong, long hastyDropped) {}
}
