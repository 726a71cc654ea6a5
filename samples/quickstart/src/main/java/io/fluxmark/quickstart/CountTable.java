package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Cell;
import io.fluxmark.quickstart.plain.Tally;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** The same departures counted four ways, with each way's error against the truth. */
final class CountTable {

    private static final int BUSIEST = 5;
    private static final int WORST = 5;
    private static final String FORMAT = "%-16s %9s   %11s %7s   %11s %7s   %11s %7s";

    private final JobOutcome days;
    private final Truth truth;
    private final TreeSet<Long> dates = new TreeSet<>();

    /** Counts per day; only days on which something really departed are shown. */
    CountTable(JobOutcome days, Truth truth) {
        this.days = days;
        this.truth = truth;
        truth.all().keySet().forEach(cell -> dates.add(cell.startMillis()));
    }

    /** The busiest airports over all days, then the worst or all of their days. */
    List<String> lines(boolean full) {
        List<String> lines = new ArrayList<>();
        lines.add(heading("", "TRUE", "EVENT TIME", "", "ARRIVAL TIME", "", "ACCEPTED", ""));
        lines.add(heading("", "(batch,", "(the", "error", "(batch)", "error", "(batch)", "error"));
        lines.add(heading("", "all)", "pipeline)", "", "", "", "", ""));
        List<String> airports = busiest();
        lines.add(dates.size() + " days");
        for (String airport : airports) {
            lines.add(line("  " + airport, total(airport)));
        }
        List<Row> rows = airportDays(airports);
        if (!full) {
            rows.sort(Comparator.comparingLong(Row::worst).reversed().thenComparing(Row::cell));
            rows = rows.subList(0, Math.min(WORST, rows.size()));
        }
        lines.add(full ? "All " + rows.size() + " days of these airports" : "Their " + rows.size() + " worst days");
        for (Row row : rows) {
            lines.add(line("  " + row.cell().airport() + " " + date(row.cell()), row));
        }
        return lines;
    }

    private List<String> busiest() {
        Map<String, Long> totals = new TreeMap<>();
        truth.all().forEach((cell, tally) -> totals.merge(cell.airport(), tally.count(), Long::sum));
        return totals.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(BUSIEST)
                .map(Map.Entry::getKey)
                .toList();
    }

    private List<Row> airportDays(List<String> airports) {
        List<Row> rows = new ArrayList<>();
        for (String airport : airports) {
            for (long date : dates) {
                rows.add(row(new Cell(airport, date)));
            }
        }
        return rows;
    }

    private Row row(Cell cell) {
        Stats stats = days.rows().get(cell);
        return new Row(
                cell,
                count(truth.all(), cell),
                stats == null ? 0 : stats.departures(),
                count(truth.arrival(), cell),
                count(truth.accepted(), cell));
    }

    private Row total(String airport) {
        return new Row(
                new Cell(airport, dates.first()),
                sum(airport, cell -> row(cell).truth()),
                sum(airport, cell -> row(cell).pipeline()),
                sum(airport, cell -> row(cell).arrival()),
                sum(airport, cell -> row(cell).accepted()));
    }

    private long sum(String airport, Function<Cell, Long> value) {
        return dates.stream()
                .mapToLong(date -> value.apply(new Cell(airport, date)))
                .sum();
    }

    private static long count(Map<Cell, Tally> cells, Cell cell) {
        Tally tally = cells.get(cell);
        return tally == null ? 0 : tally.count();
    }

    private static String date(Cell cell) {
        return Instant.ofEpochMilli(cell.startMillis())
                .atOffset(ZoneOffset.UTC)
                .toLocalDate()
                .toString();
    }

    private static String heading(Object... columns) {
        return String.format(Locale.ROOT, FORMAT, columns).stripTrailing();
    }

    private static String line(String label, Row row) {
        return String.format(
                Locale.ROOT,
                FORMAT,
                label,
                number(row.truth()),
                number(row.pipeline()),
                error(row.pipeline() - row.truth()),
                number(row.arrival()),
                error(row.arrival() - row.truth()),
                number(row.accepted()),
                error(row.accepted() - row.truth()));
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String error(long value) {
        return value == 0 ? "0" : String.format(Locale.ROOT, "%+,d", value);
    }

    private record Row(Cell cell, long truth, long pipeline, long arrival, long accepted) {
        long worst() {
            return Math.max(Math.abs(arrival - truth), Math.abs(pipeline - truth));
        }
    }
}
