package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.PlainPartitions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The first screen: which number is true, how wrong each other way is, and what the delay costs. */
final class Screen {

    static final Duration HOUR = Duration.ofHours(1);
    static final Duration DAY = Duration.ofDays(1);

    private static final int SHOWN_DIFFERENCES = 5;

    private final List<Flight> flights;
    private final PlainPartitions partitions;
    private final DemoSettings settings;

    Screen(List<Flight> flights, PlainPartitions partitions, DemoSettings settings) {
        this.flights = flights;
        this.partitions = partitions;
        this.settings = settings;
    }

    /** The text, and whether the output equals the batch result. */
    Result render(JobOutcome hours, JobOutcome days) {
        Truth hourly = Truth.of(flights, partitions, settings, HOUR);
        Truth daily = Truth.of(flights, partitions, settings, DAY);
        List<String> lines = new ArrayList<>();
        lines.add(text("Departures per airport and day (UTC): %,d flights, as reported", flights.size()));
        lines.add("");
        lines.addAll(new CountTable(days, daily).lines(settings.full()));
        lines.add("");
        long misplaced = misplaced();
        lines.add(text(
                "By arrival time %,d flights (%.2f %%) stand on the wrong day. By event time none does:",
                misplaced, 100.0 * misplaced / flights.size()));
        lines.add(text(
                "%,d came too late for their day and are %s.",
                days.counts().dropped() + days.counts().side(),
                settings.late() == DemoSettings.Late.SIDE ? "kept aside" : "dropped, and counted"));
        lines.add("");
        lines.add("hours: " + sum(hours.counts()));
        lines.add("days:  " + sum(days.counts()));
        List<String> differences = new ArrayList<>(Comparison.differences("hours", hours, hourly));
        differences.addAll(Comparison.differences("days", days, daily));
        if (differences.isEmpty()) {
            lines.add(text(
                    "The output equals the batch result over the accepted events: %,d airport-hours, %,d airport-days.",
                    hours.rows().size(), days.rows().size()));
        } else {
            lines.add(text(
                    "THE OUTPUT DIFFERS from the batch result over the accepted events in %,d places:",
                    differences.size()));
            differences.stream().limit(SHOWN_DIFFERENCES).forEach(difference -> lines.add("  " + difference));
        }
        lines.add("");
        lines.add(text(
                "The dial, for hours with --lateness %s (waits from a window's end, on the arrival clock; below zero:",
                Durations.text(settings.lateness().toMillis())));
        lines.add("flights that left early carry the event clock ahead of it):");
        lines.addAll(DialTable.lines(flights, partitions, settings, HOUR));
        return new Result(lines, differences.isEmpty());
    }

    private long misplaced() {
        long day = DAY.toMillis();
        return flights.stream()
                .filter(f -> Math.floorDiv(f.eventMillis(), day) != Math.floorDiv(f.arrivalMillis(), day))
                .count();
    }

    private String sum(Counts counts) {
        String side = settings.late() == DemoSettings.Late.SIDE ? text(" + %,d side", counts.side()) : "";
        return text(
                "%,d = %,d on time + %,d re-fired + %,d dropped%s",
                counts.sum(), counts.onTime(), counts.refired(), counts.dropped(), side);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /**
     * What is to be printed.
     *
     * @param lines the screen
     * @param equal whether the output equals the batch result
     */
    record Result(List<String> lines, boolean equal) {}
}
