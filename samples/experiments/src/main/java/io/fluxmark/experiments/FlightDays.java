package io.fluxmark.experiments;

import io.fluxmark.experiments.measure.CsvFile;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.quickstart.FlightCount;
import io.fluxmark.quickstart.plain.Flight;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.CategoryChart;

/** Departures per day, three ways: what is true, what the pipeline counts by event time, what the arrival clock says. */
final class FlightDays {

    private final List<Misplaced> days;
    private final Map<Long, Long> pipeline;

    private FlightDays(List<Misplaced> days, Map<Long, Long> pipeline) {
        this.days = days;
        this.pipeline = pipeline;
    }

    static FlightDays measure(List<Flight> flights, PrintStream out) throws IOException {
        out.println("E1: flights through HTTP, log and windows");
        return new FlightDays(Misplaced.perDay(flights), FlightCount.departuresPerDay(out));
    }

    /** Flights whose record comes in on another day. */
    long misplaced() {
        return days.stream().mapToLong(Misplaced::left).sum();
    }

    List<String> table() {
        List<String> text = new ArrayList<>();
        text.add("| day (UTC) | true | by event time | error | by arrival time | error | bias | on another day |");
        text.add("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        for (Misplaced day : days) {
            text.add(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %,d | %+d | %,d | %+d | %s %% | %s %% |",
                    date(day),
                    day.departures(),
                    counted(day),
                    counted(day) - day.departures(),
                    day.arrived(),
                    day.arrived() - day.departures(),
                    percent(day.bias()),
                    percent(day.leftShare())));
        }
        text.add("");
        text.add("Days are cut at midnight UTC of the airports' local schedule. By event time means: as the pipeline of"
                + " the");
        text.add("demo counted, with 2 h of delay and 2 h of allowed lateness; its errors are flights that came after"
                + " both,");
        text.add("each of which is in its counter of dropped events.");
        return text;
    }

    void write(Path directory) throws IOException {
        CsvFile csv = new CsvFile(
                "day", "true", "event_time", "arrival_time", "bias_percent", "on_another_day", "from_another_day");
        for (Misplaced day : days) {
            csv.row(
                    date(day),
                    day.departures(),
                    counted(day),
                    day.arrived(),
                    percent(day.bias()),
                    day.left(),
                    day.strangers());
        }
        csv.write(directory.resolve("E1-days.csv"));
        CategoryChart chart = Plots.bars("Daily departures by the wrong clock", "January 2001 (UTC)", "% of the day");
        List<String> dates = days.stream().map(day -> date(day).substring(8)).toList();
        chart.addSeries(
                "bias by arrival time",
                dates,
                days.stream().map(day -> 100 * day.bias()).toList());
        chart.addSeries(
                "flights on another day",
                dates,
                days.stream().map(day -> 100 * day.leftShare()).toList());
        chart.addSeries(
                "bias by event time",
                dates,
                days.stream()
                        .map(day -> 100.0 * (counted(day) - day.departures()) / day.departures())
                        .toList());
        Plots.write(chart, directory.resolve("E1-days.png"));
    }

    private long counted(Misplaced day) {
        return pipeline.getOrDefault(day.dayMillis(), 0L);
    }

    private static String date(Misplaced day) {
        return Instant.ofEpochMilli(day.dayMillis())
                .atOffset(ZoneOffset.UTC)
                .toLocalDate()
                .toString();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f", 100 * share);
    }
}
