package io.fluxmark.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.quickstart.plain.Cell;
import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.FlightsFile;
import io.fluxmark.quickstart.plain.PlainPartitions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ScreenTest {

    private static final PlainPartitions PARTITIONS = new PlainPartitions(4);
    private static List<Flight> flights = List.of();

    @BeforeAll
    static void readFlights() {
        flights = FlightsFile.bundled();
    }

    @Test
    void aFaultlessOutputIsSaidToBeEqualAndTheSumIsShown() {
        Screen.Result result = render(DemoSettings.defaults(), outcome -> outcome);

        assertThat(result.equal()).isTrue();
        assertThat(result.lines())
                .anyMatch(line -> line.startsWith("The output equals the batch result"))
                .contains("hours: 228,740 = 225,766 on time + 2,658 re-fired + 316 dropped")
                .anyMatch(line -> line.startsWith("  ORD") && line.contains("12,488"))
                .anyMatch(line -> line.startsWith("> 2h"));
        assertThat(result.lines().stream().filter(line -> line.length() > 120)).isEmpty();
    }

    @Test
    void oneFlightTooManyIsADifferenceThatNamesItsCell() {
        Screen.Result result = render(DemoSettings.defaults(), outcome -> {
            Map<Cell, Stats> rows = new HashMap<>(outcome.rows());
            Cell cell = new Cell("ORD", 978307200000L);
            Stats stats = rows.get(cell);
            rows.put(cell, new Stats(stats.departures() + 1, stats.averageDelay()));
            return new JobOutcome(rows, outcome.counts());
        });

        assertThat(result.equal()).isFalse();
        assertThat(result.lines())
                .anyMatch(line -> line.contains("DIFFERS"))
                .anyMatch(line -> line.contains("days ORD 2001-01-01T00:00:00Z: pipeline"));
    }

    @Test
    void aDropThatIsNotCountedIsADifference() {
        Screen.Result result = render(DemoSettings.defaults(), outcome -> {
            Counts counts = outcome.counts();
            return new JobOutcome(
                    outcome.rows(), new Counts(counts.onTime(), counts.refired(), counts.dropped() - 1, counts.side()));
        });

        assertThat(result.equal()).isFalse();
        assertThat(result.lines()).anyMatch(line -> line.contains("days dropped and side: pipeline"));
    }

    @Test
    void theSideIsShownOnlyWhereThereIsOne() {
        DemoSettings side = DemoSettings.defaults().late(DemoSettings.Late.SIDE);

        assertThat(render(side, outcome -> outcome).lines())
                .contains("hours: 228,740 = 225,766 on time + 2,658 re-fired + 0 dropped + 316 side");
    }

    @Test
    void fullShowsEveryDayOfTheFiveAirports() {
        assertThat(render(DemoSettings.defaults().full(true), outcome -> outcome)
                        .lines())
                .filteredOn(line -> line.matches("  [A-Z]{3} 2001-01-\\d\\d .*"))
                .hasSize(70);
    }

    @Test
    void theCurrentDelayTakesTheNearestPlaceOnTheDial() {
        assertThat(DialTable.ladder(Duration.ofHours(5)))
                .containsExactly(
                        Duration.ZERO,
                        Duration.ofMinutes(30),
                        Duration.ofHours(2),
                        Duration.ofHours(5),
                        Duration.ofHours(24));
        assertThat(DialTable.ladder(Duration.ofHours(2))).hasSize(5).contains(Duration.ofHours(2));
    }

    private static Screen.Result render(
            DemoSettings settings, java.util.function.UnaryOperator<JobOutcome> changeDays) {
        Truth hours = Truth.of(flights, PARTITIONS, settings, Screen.HOUR);
        Truth days = Truth.of(flights, PARTITIONS, settings, Screen.DAY);
        return new Screen(flights, PARTITIONS, settings)
                .render(
                        Faultless.outcome(hours, settings.late()),
                        changeDays.apply(Faultless.outcome(days, settings.late())));
    }
}
