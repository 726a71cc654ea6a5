package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Days, weeks and months of a time zone, with the numbers of docs/semantics.md (S06, S09). */
class CalendarWindowsTest {

    private static TimeWindow day(String zone, String instant) {
        return WindowSpec.days(ZoneId.of(zone)).windowsOf(millis(instant)).get(0);
    }

    private static long millis(String instant) {
        return OffsetDateTime.parse(instant).toInstant().toEpochMilli();
    }

    @ParameterizedTest
    @CsvSource({
        "Europe/Berlin, 2025-03-30T10:00:00Z, 1743289200, 1743372000, 23",
        "Europe/Berlin, 2025-10-26T10:00:00Z, 1761429600, 1761519600, 25",
        "America/New_York, 2025-03-09T16:00:00Z, 1741496400, 1741579200, 23",
        "America/New_York, 2025-11-02T16:00:00Z, 1762056000, 1762146000, 25",
        "Africa/Cairo, 2025-04-25T10:00:00Z, 1745532000, 1745614800, 23",
        "America/Sao_Paulo, 2018-11-04T15:00:00Z, 1541300400, 1541383200, 23",
        "Australia/Lord_Howe, 2025-04-06T00:00:00Z, 1743858000, 1743946200, 24.5",
    })
    void s09ADayIsAsLongAsItsZoneMakesIt(String zone, String instant, long start, long end, double hours) {
        TimeWindow window = day(zone, instant);
        assertThat(window).isEqualTo(new TimeWindow(start * 1000, end * 1000));
        assertThat((window.end() - window.start()) / 3_600_000.0).isEqualTo(hours);
    }

    @Test
    void s09OfTwoMidnightsTheFirstCounts() {
        TimeWindow havana = day("America/Havana", "2025-11-02T16:00:00Z");
        assertThat(havana.end() - havana.start()).isEqualTo(Duration.ofHours(25).toMillis());
        TimeWindow kolkata = day("Asia/Kolkata", "2025-01-01T00:00:00Z");
        assertThat(havana.start()).isEqualTo(millis("2025-11-02T00:00:00-04:00"));
        assertThat(kolkata.start()).isEqualTo(millis("2025-01-01T00:00:00+05:30"));
        assertThat(kolkata.end() - kolkata.start())
                .isEqualTo(Duration.ofHours(24).toMillis());
    }

    @Test
    void s09AfterMidnightInSummerTimeIsTheNextDayWhereAFixedOffsetSaysTheDayBefore() {
        long halfPastMidnight = millis("2025-03-31T00:30:00+02:00");
        assertThat(day("Europe/Berlin", "2025-03-31T00:30:00+02:00"))
                .isEqualTo(new TimeWindow(1_743_372_000_000L, 1_743_458_400_000L));
        WindowSpec fixed = WindowSpec.tumbling(Duration.ofDays(1)).offset(Duration.ofHours(-1));
        assertThat(fixed.startOf(halfPastMidnight)).isEqualTo(millis("2025-03-29T23:00:00Z"));
    }

    @Test
    void s09ADayThatNeverWasHasNoWindow() {
        TimeWindow before = day("Pacific/Apia", "2011-12-29T22:00:00-10:00");
        TimeWindow after = day("Pacific/Apia", "2011-12-31T10:00:00+14:00");
        assertThat(before.end()).isEqualTo(after.start());
        assertThat(before.start()).isEqualTo(millis("2011-12-29T00:00:00-10:00"));
        assertThat(after.end()).isEqualTo(millis("2012-01-01T00:00:00+14:00"));
    }

    @Test
    void c41WindowsAreInstantsAndAZoneOnlyNamesThem() {
        ZoneId plusEight = ZoneId.of("+08:00");
        TimeWindow tenSeconds =
                WindowSpec.tumbling(Duration.ofSeconds(10)).windowsOf(0).get(0);
        assertThat(tenSeconds).isEqualTo(new TimeWindow(0, 10_000));
        assertThat(Instant.ofEpochMilli(tenSeconds.start()).atZone(plusEight).toLocalTime())
                .isEqualTo(LocalTime.of(8, 0));
        assertThat(day("+08:00", "1970-01-01T00:00:00Z"))
                .isEqualTo(new TimeWindow(millis("1969-12-31T16:00:00Z"), millis("1970-01-01T16:00:00Z")));
    }

    @Test
    void s06DaysBefore1970HoldTheirEvents() {
        assertThat(day("UTC", "1969-12-31T12:00:00Z")).isEqualTo(new TimeWindow(millis("1969-12-31T00:00:00Z"), 0));
        assertThat(day("Europe/Berlin", "1969-07-20T20:17:40Z").start()).isEqualTo(millis("1969-07-20T00:00:00+01:00"));
    }

    @Test
    void s09WeeksBeginOnTheirFirstDayAndMonthsOnTheFirst() {
        WindowSpec mondays = WindowSpec.weeks(ZoneId.of("Europe/Berlin"), DayOfWeek.MONDAY);
        TimeWindow week = mondays.windowsOf(millis("2025-03-30T10:00:00Z")).get(0);
        assertThat(week)
                .isEqualTo(new TimeWindow(millis("2025-03-24T00:00:00+01:00"), millis("2025-03-31T00:00:00+02:00")));
        WindowSpec sundays = WindowSpec.weeks(ZoneId.of("America/New_York"), DayOfWeek.SUNDAY);
        assertThat(sundays.startOf(millis("2025-03-09T16:00:00Z"))).isEqualTo(millis("2025-03-09T00:00:00-05:00"));
        TimeWindow month = WindowSpec.months(ZoneId.of("Europe/Berlin"))
                .windowsOf(millis("2025-03-30T10:00:00Z"))
                .get(0);
        assertThat(month)
                .isEqualTo(new TimeWindow(millis("2025-03-01T00:00:00+01:00"), millis("2025-04-01T00:00:00+02:00")));
    }

    @Test
    void aDayMayBeginAtALocalTimeWhateverTheClocksDoBefore() {
        WindowSpec sixToSix = WindowSpec.days(ZoneId.of("Europe/Paris")).offset(Duration.ofHours(6));
        long start = sixToSix.startOf(millis("2023-03-26T14:56:00Z"));
        assertThat(Instant.ofEpochMilli(start)).isEqualTo(Instant.parse("2023-03-26T04:00:00Z"));
        assertThat(sixToSix.startOf(millis("2023-03-26T03:59:59Z"))).isEqualTo(millis("2023-03-25T06:00:00+01:00"));
        assertThat(sixToSix.endOf(millis("2023-03-25T06:00:00+01:00"))).isEqualTo(start);
    }

    @Test
    void s09WindowsOfEachDayFollowEachOtherWithoutHolesIn130Years() {
        for (String zone : new String[] {"Europe/Berlin", "Pacific/Apia", "Africa/Cairo", "America/Havana"}) {
            WindowSpec days = WindowSpec.days(ZoneId.of(zone));
            long end = millis("2030-01-01T00:00:00Z");
            long windows = 0;
            for (long start = days.startOf(millis("1900-01-01T12:00:00Z")); start < end; windows++) {
                long next = days.endOf(start);
                assertThat(days.startOf(start)).isEqualTo(start);
                assertThat(days.startOf(next - 1)).isEqualTo(start);
                assertThat(days.startOf(next)).isEqualTo(next);
                start = next;
            }
            assertThat(windows).isBetween(47_400L, 47_500L);
        }
    }

    @Test
    void dayWindowsFireAtTheirOwnEnd() {
        long start = 1_743_289_200_000L;
        WindowScript script = WindowScript.of(WindowSpec.days(ZoneId.of("Europe/Berlin")));
        assertThat(script.run(start, start + 82_799_999L, start + 82_800_000L, "W" + (start + 82_799_998L)))
                .isEmpty();
        assertThat(script.run(start, start + 82_799_999L, start + 82_800_000L, "W" + (start + 82_799_999L)))
                .containsExactly("+[" + start + "," + (start + 82_800_000L) + "):2");
    }
}
