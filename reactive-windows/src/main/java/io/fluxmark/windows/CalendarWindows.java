package io.fluxmark.windows;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.util.Objects;

/**
 * Days, weeks or months of a time zone: found from local dates, never from a count of days, so that they are right where
 * clocks change, where midnight or a whole day is missing, and before 1970 (S06, S09).
 *
 * @param zone whose local dates count
 * @param unit how much one window holds
 * @param firstDay of a week
 * @param start the local time of day at which a day begins; where clocks skip it, the first moment after the gap
 */
record CalendarWindows(ZoneId zone, Unit unit, DayOfWeek firstDay, LocalTime start) {

    /** How much one window holds. */
    enum Unit {
        DAY,
        WEEK,
        MONTH
    }

    CalendarWindows {
        Objects.requireNonNull(zone, "zone");
    }

    static CalendarWindows days(ZoneId zone) {
        return new CalendarWindows(zone, Unit.DAY, DayOfWeek.MONDAY, LocalTime.MIDNIGHT);
    }

    static CalendarWindows weeks(ZoneId zone, DayOfWeek firstDay) {
        return new CalendarWindows(zone, Unit.WEEK, Objects.requireNonNull(firstDay, "firstDay"), LocalTime.MIDNIGHT);
    }

    static CalendarWindows months(ZoneId zone) {
        return new CalendarWindows(zone, Unit.MONTH, DayOfWeek.MONDAY, LocalTime.MIDNIGHT);
    }

    CalendarWindows startingAt(Duration offset) {
        if (offset.isNegative() || offset.compareTo(Duration.ofDays(1)) >= 0) {
            throw new IllegalArgumentException(
                    "the offset of a calendar window is a time of day, 0 to less than 24 h, but was " + offset);
        }
        return new CalendarWindows(zone, unit, firstDay, LocalTime.ofNanoOfDay(offset.toNanos()));
    }

    /** The start, epoch ms, of the window that holds {@code timestamp}. */
    long startOf(long timestamp) {
        // A day later than its date: where clocks go back over midnight the day after has begun before.
        LocalDate date = first(dateOf(timestamp).plusDays(1));
        long begin = instant(date);
        while (begin > timestamp) {
            date = first(date.minusDays(1));
            begin = instant(date);
        }
        return begin;
    }

    /** The end, exclusive, of the window that starts at {@code begin}. */
    long endOf(long begin) {
        // A day earlier than its date: where clocks skip the time of its start it may begin on the next.
        LocalDate date = first(dateOf(begin).minusDays(1));
        long end = instant(date);
        while (end <= begin) { // a local date that never was begins where the next one does
            date = next(date);
            end = instant(date);
        }
        return end;
    }

    private LocalDate dateOf(long timestamp) {
        return Instant.ofEpochMilli(timestamp).atZone(zone).toLocalDate();
    }

    private LocalDate first(LocalDate date) {
        return switch (unit) {
            case DAY -> date;
            case WEEK -> date.with(TemporalAdjusters.previousOrSame(firstDay));
            case MONTH -> date.withDayOfMonth(1);
        };
    }

    private LocalDate next(LocalDate date) {
        return switch (unit) {
            case DAY -> date.plusDays(1);
            case WEEK -> date.plusWeeks(1);
            case MONTH -> date.plusMonths(1);
        };
    }

    /** When {@code date} begins: of two such moments the first, of none the first behind the gap. */
    private long instant(LocalDate date) {
        LocalDateTime local = date.atTime(start);
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        return change != null && change.isGap()
                ? change.getInstant().toEpochMilli()
                : local.atZone(zone).toInstant().toEpochMilli();
    }

    @Override
    public String toString() {
        String unitName = unit.name().toLowerCase(java.util.Locale.ROOT);
        return "calendar " + unitName + " " + zone
                + (unit == Unit.WEEK ? " from " + firstDay : "")
                + (start.equals(LocalTime.MIDNIGHT) ? "" : " at " + start);
    }
}
