package io.fluxmark.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.FlightsFile;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WrongClockTest {

    private static final long DAY = 86_400_000;

    @Test
    void aFlightAcrossMidnightLeavesItsDayAndIsAStrangerInTheNext() {
        List<Misplaced> days = Misplaced.perDay(List.of(
                flight(1, DAY - 1, DAY),
                flight(2, DAY - 1, DAY - 1),
                flight(3, DAY, DAY + 5),
                flight(4, DAY, 3 * DAY)));

        assertThat(days).containsExactly(new Misplaced(0, 2, 1, 1, 0), new Misplaced(DAY, 2, 2, 1, 1));
        assertThat(days.get(0).bias()).isEqualTo(-0.5);
        assertThat(days.get(1).leftShare()).isEqualTo(0.5);
    }

    @Test
    void theWholeFileHasAsManyLeaversAsFlightsOnTheWrongDay() {
        List<Flight> flights = FlightsFile.bundled();
        long wrong = flights.stream()
                .filter(f -> f.eventMillis() / DAY != f.arrivalMillis() / DAY)
                .count();

        assertThat(Misplaced.perDay(flights).stream().mapToLong(Misplaced::left).sum())
                .isEqualTo(wrong);
    }

    @Test
    void exactlyTheOfflineShareIsOnTheWrongDayByArrival() {
        List<PhoneReading> readings = OfflinePhones.week(10_000, 0.2, 7);

        assertThat(readings.stream().filter(r -> r.day() != r.syncDay()).count())
                .isEqualTo(2_000);
        assertThat(readings).isSortedAccordingTo((a, b) -> Long.compare(a.syncedMillis(), b.syncedMillis()));
    }

    @Test
    void theEventClockIsRightWithTheLongDelayAndCountsWhatItLosesWithTheShortOne() {
        List<PhoneReading> readings = OfflinePhones.week(10_000, 0.2, 7);
        Map<Long, Long> truth = PhoneCount.plain(readings, PhoneReading::day);

        PhoneCount patient = PhoneCount.byEventTime(readings, Duration.ofHours(15));
        assertThat(patient.perDay()).isEqualTo(truth);
        assertThat(patient.dropped()).isZero();

        PhoneCount hasty = PhoneCount.byEventTime(readings, Duration.ofHours(2));
        assertThat(hasty.tooMany(truth)).isZero();
        assertThat(hasty.dropped()).isPositive();
        assertThat(hasty.perDay().values().stream().mapToLong(n -> n).sum() + hasty.dropped())
                .isEqualTo(10_000);
    }

    private static Flight flight(long row, long eventMillis, long arrivalMillis) {
        return new Flight(row, arrivalMillis, eventMillis, 0, 0, "AAA", "BBB");
    }
}
