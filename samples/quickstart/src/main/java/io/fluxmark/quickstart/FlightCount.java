package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.FlightsFile;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;

/** The demo's pipeline with its default settings, for those who want its figures only. */
public final class FlightCount {

    private FlightCount() {}

    /**
     * Feeds the whole file through HTTP, log and windows, in a temporary directory.
     *
     * @param progress takes a line every two seconds
     * @return departures by event time per day, over all airports; the key is the day's start, epoch ms
     */
    public static Map<Long, Long> departuresPerDay(PrintStream progress) throws IOException {
        DemoSettings settings = DemoSettings.defaults();
        try (DataDirectory directory = DataDirectory.open(settings);
                FlightService service = FlightService.open(directory)) {
            FlightRun.Outcomes outcomes = new FlightRun(FlightsFile.bundled(), settings, service, progress).run();
            Map<Long, Long> perDay = new TreeMap<>();
            outcomes.days()
                    .rows()
                    .forEach((cell, stats) -> perDay.merge(cell.startMillis(), stats.departures(), Long::sum));
            return perDay;
        }
    }
}
