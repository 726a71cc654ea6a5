package io.fluxmark.experiments;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.FlightsFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.CategoryChart;

/** E1: how wrong a daily count is that goes by the arrival of the record instead of the time of the event. */
final class WrongClock implements Experiment {

    @Override
    public List<String> measure(Path directory, PrintStream out) throws IOException {
        List<Flight> flights = FlightsFile.bundled();
        List<Misplaced> days = Misplaced.perDay(flights);
        CsvFile csv = new CsvFile("day", "true", "arrival_time", "bias_percent", "on_another_day", "from_another_day");
        List<String> text = new ArrayList<>();
        text.add("| day (UTC) | true | by arrival time | bias | on another day | from another day |");
        text.add("| --- | ---: | ---: | ---: | ---: | ---: |");
        for (Misplaced day : days) {
            csv.row(date(day), day.departures(), day.arrived(), percent(day.bias()), day.left(), day.strangers());
            text.add(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %,d | %s %% | %,d | %,d |",
                    date(day),
                    day.departures(),
                    day.arrived(),
                    percent(day.bias()),
                    day.left(),
                    day.strangers()));
        }
        csv.write(directory.resolve("E1-days.csv"));
        CategoryChart chart = Plots.bars("Daily departures by the wrong clock", "January 2001 (UTC)", "% of the day");
        List<String> dates = days.stream().map(day -> date(day).substring(8)).toList();
        chart.addSeries(
                "bias of the total",
                dates,
                days.stream().map(day -> 100 * day.bias()).toList());
        chart.addSeries(
                "flights on another day",
                dates,
                days.stream().map(day -> 100 * day.leftShare()).toList());
        Plots.write(chart, directory.resolve("E1-days.png"));
        return text;
    }

    private static String date(Misplaced day) {
        return Instant.ofEpochMilli(day.dayMillis())
                .atOffset(ZoneOffset.UTC)
                .toLocalDate()
                .toString();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%+.2f", 100 * share);
    }
}
