package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Calendar windows hold their events and leave no hole, wherever clocks change (S06, S09, S53.12). */
class CalendarPropertiesTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final long SEED = 60_001;

    private static final Set<String> ZONES = Set.of(
            "Europe/Berlin",
            "America/New_York",
            "Africa/Cairo",
            "America/Sao_Paulo",
            "America/Havana",
            "Australia/Lord_Howe",
            "Asia/Kolkata",
            "Pacific/Apia",
            "Europe/Paris",
            // Where clocks have gone back over midnight, so that a date came twice:
            "America/St_Johns",
            "America/Juneau");

    private static List<WindowSpec> windows(ZoneId zone) {
        return List.of(
                WindowSpec.days(zone),
                WindowSpec.days(zone).offset(Duration.ofMinutes(150)),
                WindowSpec.days(zone).offset(Duration.ofMinutes(23 * 60 + 30)),
                WindowSpec.weeks(zone, DayOfWeek.MONDAY),
                WindowSpec.weeks(zone, DayOfWeek.SUNDAY),
                WindowSpec.months(zone));
    }

    private static void verify(WindowSpec windows, long moment) {
        long start = windows.startOf(moment);
        long end = windows.endOf(start);
        assertThat(start <= moment
                        && moment < end
                        && windows.startOf(start) == start
                        && windows.startOf(end - 1) == start
                        && windows.startOf(end) == end)
                .as("%s at %s: [%s, %s)", windows, Instant.ofEpochMilli(moment), start, end)
                .isTrue();
    }

    private static long[] around(Random random, long change) {
        long within = Duration.ofDays(2).toMillis();
        return new long[] {
            change - 1,
            change,
            change + 1,
            change + Duration.ofMinutes(1).toMillis(),
            random.nextLong(change - within, change + within)
        };
    }

    private static List<Long> changes(ZoneId zone) {
        List<Long> changes = new ArrayList<>();
        zone.getRules().getTransitions().forEach(t -> changes.add(t.toEpochSecond() * 1000));
        Instant from = Instant.parse("2025-01-01T00:00:00Z");
        for (int i = 0; i < 4; i++) {
            ZoneOffsetTransition next = zone.getRules().nextTransition(from);
            if (next != null) {
                from = next.getInstant();
                changes.add(from.toEpochMilli());
            }
        }
        return changes;
    }

    @Test
    void s06s09EveryMomentIsInItsOwnWindowWhereverClocksChange() {
        Collection<String> zones = THOROUGH ? ZoneId.getAvailableZoneIds() : ZONES;
        Random random = new Random(SEED);
        int cases = 0;
        for (String id : zones) {
            ZoneId zone = ZoneId.of(id);
            List<Long> moments = changes(zone);
            for (int i = 0; i < 50; i++) {
                moments.add(random.nextLong(-Duration.ofDays(365).toMillis(), 0)); // 1969
            }
            for (long moment : moments) {
                for (long each : around(random, moment)) {
                    windows(zone).forEach(windows -> verify(windows, each));
                    cases++;
                }
            }
        }
        System.out.printf("calendar windows: %d moments of %d zones in 6 kinds, seed %d%n", cases, zones.size(), SEED);
        assertThat(cases).isGreaterThan(2_000);
    }

    /** By the local dates alone, without asking when a day begins. */
    @Test
    void s09ADayIsTheMomentsOfOneLocalDateAndAWeekOfSevenAndAMonthOfItsName() {
        Random random = new Random(SEED);
        int cases = THOROUGH ? 200_000 : 10_000;
        List<String> zones = ZONES.stream()
                .filter(id -> !id.equals("America/Juneau") && !id.equals("America/St_Johns"))
                .sorted()
                .toList();
        long to = Instant.parse("2030-01-01T00:00:00Z").toEpochMilli();
        for (int i = 0; i < cases; i++) {
            ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
            long moment = i % 2 == 0 ? random.nextLong(-to / 2, to) : near(random, zone);
            LocalDate date = date(zone, moment);
            TimeWindow day = WindowSpec.days(zone).windowsOf(moment).get(0);
            assertThat(date(zone, day.start())).isEqualTo(date);
            assertThat(date(zone, day.end() - 1)).isEqualTo(date);
            assertThat(date(zone, day.start() - 1)).isBefore(date);
            assertThat(date(zone, day.end())).isAfter(date);
            LocalDate monday = LocalDate.ofEpochDay(Math.floorDiv(date.toEpochDay() + 3, 7L) * 7 - 3);
            TimeWindow week =
                    WindowSpec.weeks(zone, DayOfWeek.MONDAY).windowsOf(moment).get(0);
            assertThat(date(zone, week.start())).isAfterOrEqualTo(monday);
            assertThat(date(zone, week.start() - 1)).isBefore(monday);
            assertThat(date(zone, week.end())).isAfterOrEqualTo(monday.plusDays(7));
            assertThat(date(zone, week.end() - 1)).isBefore(monday.plusDays(7));
            TimeWindow month = WindowSpec.months(zone).windowsOf(moment).get(0);
            assertThat(date(zone, month.start())).isEqualTo(date.withDayOfMonth(1));
            assertThat(date(zone, month.start() - 1).getMonth())
                    .isEqualTo(date.getMonth().minus(1));
            assertThat(date(zone, month.end())).isEqualTo(date.withDayOfMonth(1).plusMonths(1));
        }
        System.out.printf("calendar windows by local dates: %d cases, seed %d%n", cases, SEED);
    }

    private static long near(Random random, ZoneId zone) {
        List<Long> changes = changes(zone);
        long change = changes.get(random.nextInt(changes.size()));
        return random.nextLong(change - 100_000_000L, change + 100_000_000L);
    }

    private static LocalDate date(ZoneId zone, long moment) {
        ZoneOffset offset = zone.getRules().getOffset(Instant.ofEpochMilli(moment));
        return LocalDate.ofEpochDay(Math.floorDiv(moment + offset.getTotalSeconds() * 1000L, 86_400_000L));
    }
}
