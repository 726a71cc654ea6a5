package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Dial;
import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.PlainPartitions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Five positions of the delay, the current one among them: what waiting buys. */
final class DialTable {

    private static final List<Duration> LADDER = List.of(
            Duration.ZERO, Duration.ofMinutes(30), Duration.ofHours(2), Duration.ofHours(6), Duration.ofHours(24));

    private DialTable() {}

    static List<String> lines(List<Flight> flights, PlainPartitions partitions, DemoSettings settings, Duration size) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "  %-9s %22s %14s %14s %10s %9s",
                "--delay",
                "complete at first",
                "wait p50",
                "wait p99",
                "re-fired",
                "dropped"));
        for (Duration delay : ladder(settings.delay())) {
            Dial.Position position = Dial.at(
                    flights, partitions, delay.toMillis(), settings.lateness().toMillis(), size.toMillis());
            lines.add(String.format(
                    Locale.ROOT,
                    "%s %-9s %20.2f %% %14s %14s %,10d %,9d",
                    delay.equals(settings.delay()) ? ">" : " ",
                    Durations.text(position.delayMillis()),
                    Math.floor(10_000 * position.complete()) / 100,
                    Durations.text(position.waitMedianMillis()),
                    Durations.text(position.waitP99Millis()),
                    position.refired(),
                    position.dropped()));
        }
        return lines;
    }

    /** The usual five; the current delay takes the place of the nearest one. */
    static List<Duration> ladder(Duration current) {
        List<Duration> delays = new ArrayList<>(LADDER);
        Duration nearest = delays.stream()
                .min(Comparator.comparing(delay -> delay.minus(current).abs()))
                .orElseThrow();
        delays.set(delays.indexOf(nearest), current);
        return delays;
    }
}
