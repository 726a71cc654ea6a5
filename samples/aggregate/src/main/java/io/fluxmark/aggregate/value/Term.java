package io.fluxmark.aggregate.value;

import io.fluxmark.aggregate.UsageException;
import io.fluxmark.aggregate.input.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One aggregation that was asked for.
 *
 * @param text as it was asked for, which names its member of the value
 * @param kind what is computed
 * @param field of what; null for a count
 */
public record Term(String text, Kind kind, @Nullable Field field) {

    /** The aggregations. */
    public enum Kind {
        /** How many events. */
        COUNT,
        /** The exact sum. */
        SUM,
        /** The smallest. */
        MIN,
        /** The largest. */
        MAX,
        /** The exact sum divided by the number of values, rounded once. */
        AVG
    }

    /** The terms of a list separated by commas. */
    public static List<Term> parse(String list) {
        List<Term> terms = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String part : list.split(",", -1)) {
            Term term = parseOne(part.strip());
            if (!seen.add(term.text)) {
                throw new UsageException("--agg has '" + term.text + "' twice: once is enough");
            }
            terms.add(term);
        }
        return List.copyOf(terms);
    }

    private static Term parseOne(String text) {
        if (text.equals("count")) {
            return new Term(text, Kind.COUNT, null);
        }
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        for (Kind kind : Kind.values()) {
            if (kind != Kind.COUNT && kind.name().toLowerCase(Locale.ROOT).equals(name)) {
                if (colon < 0) {
                    throw new UsageException("--agg " + name + " needs a field: write " + name + ":FIELD");
                }
                return new Term(text, kind, Field.of(text.substring(colon + 1)));
            }
        }
        throw new UsageException(
                "'" + text + "' is no aggregation: use count, sum:F, min:F, max:F or avg:F, separated by commas");
    }

    Cell newCell() {
        return switch (kind) {
            case COUNT -> new Cell.Count();
            case SUM -> new Cell.Sum(false);
            case AVG -> new Cell.Sum(true);
            case MIN -> new Cell.Extreme(-1);
            case MAX -> new Cell.Extreme(1);
        };
    }
}
