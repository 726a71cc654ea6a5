package io.fluxmark.aggregate.check;

import io.fluxmark.aggregate.WindowText;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowSpec;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The windows that hold a timestamp, worked out plainly: tumbling, sliding and calendar windows. */
public final class TrueWindows {

    private final WindowText windows;

    /** Those of a definition that follow from the timestamp alone. */
    public TrueWindows(WindowText windows) {
        this.windows = windows;
    }

    /** All windows that hold {@code timestamp}, the earliest first. */
    public List<TimeWindow> of(long timestamp) {
        ZoneId zone = windows.zone();
        if (zone != null) {
            return List.of(calendar(timestamp, zone));
        }
        WindowSpec spec = windows.spec();
        List<TimeWindow> found = new ArrayList<>();
        long last = timestamp - Math.floorMod(timestamp - spec.offsetMillis(), spec.slideMillis());
        for (long start = last; start > timestamp - spec.sizeMillis(); start -= spec.slideMillis()) {
            found.add(0, new TimeWindow(start, start + spec.sizeMillis()));
        }
        return found;
    }

    private TimeWindow calendar(long timestamp, ZoneId zone) {
        LocalDate date = Instant.ofEpochMilli(timestamp).atZone(zone).toLocalDate();
        DayOfWeek firstDay = windows.firstDay();
        if (windows.months()) {
            LocalDate first = date.withDayOfMonth(1);
            return between(first, first.plusMonths(1), zone);
        }
        if (firstDay != null) {
            LocalDate first = date.with(TemporalAdjusters.previousOrSame(Objects.requireNonNull(firstDay)));
            return between(first, first.plusWeeks(1), zone);
        }
        return between(date, date.plusDays(1), zone);
    }

    private static TimeWindow between(LocalDate first, LocalDate next, ZoneId zone) {
        return new TimeWindow(
                first.atStartOfDay(zone).toInstant().toEpochMilli(),
                next.atStartOfDay(zone).toInstant().toEpochMilli());
    }
}
