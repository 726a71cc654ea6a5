package io.fluxmark.aggregate;

import io.fluxmark.windows.WindowSpec;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Windows as {@code --window} names them.
 *
 * @param spec the definition that the pipeline runs
 * @param zone the time zone of calendar windows, or null
 * @param firstDay the first day of calendar weeks, or null for other windows
 * @param months whether they are calendar months
 */
public record WindowText(WindowSpec spec, @Nullable ZoneId zone, @Nullable DayOfWeek firstDay, boolean months) {

    private static final String REMEDY = "use tumbling:10s[+offset], sliding:10s/2s[+offset], session:5s,"
            + " day:Europe/Berlin, week:Europe/Berlin[/sunday], month:Europe/Berlin, count:100 or global";

    private static final Pattern OFFSET = Pattern.compile("(?<size>[^+-]+)((?<sign>[+-]{1,2})(?<offset>[^+-]+))?");

    /** The windows that {@code text} names; throws {@link UsageException} with the remedy. */
    public static WindowText parse(String text) {
        int colon = text.indexOf(':');
        String kind = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
        String rest = colon < 0 ? "" : text.substring(colon + 1);
        try {
            return switch (kind) {
                case "tumbling" -> fixed(WindowText::tumbling, rest);
                case "sliding" -> fixed(WindowText::sliding, rest);
                case "session" -> plain(WindowSpec.session(duration(rest)));
                case "day" -> days(rest);
                case "week" -> weeks(rest);
                case "month" -> months(rest);
                case "count" -> plain(WindowSpec.count(count(rest)));
                case "global" -> plain(WindowSpec.global());
                default -> throw new UsageException("'" + text + "' names no windows: " + REMEDY);
            };
        } catch (IllegalArgumentException e) {
            throw new UsageException("--window " + text + ": " + e.getMessage());
        } catch (DateTimeException e) {
            throw new UsageException("--window " + text + ": '" + rest
                    + "' is no time zone: use a name as Europe/Berlin, America/New_York or UTC");
        }
    }

    private static WindowText plain(WindowSpec spec) {
        return new WindowText(spec, null, null, false);
    }

    private static WindowText days(String rest) {
        ZoneId zone = ZoneId.of(rest);
        return new WindowText(WindowSpec.days(zone), zone, null, false);
    }

    private static WindowText months(String rest) {
        ZoneId zone = ZoneId.of(rest);
        return new WindowText(WindowSpec.months(zone), zone, null, true);
    }

    private static WindowText weeks(String rest) {
        DayOfWeek firstDay = DayOfWeek.MONDAY;
        String name = rest;
        for (DayOfWeek day : DayOfWeek.values()) {
            String suffix = "/" + day.name().toLowerCase(Locale.ROOT);
            if (rest.toLowerCase(Locale.ROOT).endsWith(suffix)) {
                firstDay = day;
                name = rest.substring(0, rest.length() - suffix.length());
            }
        }
        ZoneId zone = ZoneId.of(name);
        return new WindowText(WindowSpec.weeks(zone, firstDay), zone, firstDay, false);
    }

    private static WindowText fixed(java.util.function.Function<String, WindowSpec> windows, String rest) {
        Matcher parts = OFFSET.matcher(rest);
        if (!parts.matches()) {
            throw new IllegalArgumentException(REMEDY);
        }
        WindowSpec spec = windows.apply(parts.group("size"));
        String offset = parts.group("offset");
        if (offset == null) {
            return plain(spec);
        }
        Duration by = duration(offset);
        return plain(spec.offset(parts.group("sign").endsWith("-") ? by.negated() : by));
    }

    private static WindowSpec tumbling(String size) {
        return WindowSpec.tumbling(duration(size));
    }

    private static WindowSpec sliding(String sizes) {
        int slash = sizes.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("write size and slide, for example sliding:10s/2s");
        }
        return WindowSpec.sliding(duration(sizes.substring(0, slash)), duration(sizes.substring(slash + 1)));
    }

    private static Duration duration(String text) {
        return DurationText.parse(text);
    }

    private static long count(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no number of events: write for example count:100");
        }
    }

    /** The same with other properties of the definition. */
    public WindowText with(WindowSpec changed) {
        return new WindowText(changed, zone, firstDay, months);
    }
}
