package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Cell;
import io.fluxmark.quickstart.plain.Tally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Holds a job's output against the batch over the events that the settings accept: cell by cell, count by count. */
final class Comparison {

    private Comparison() {}

    /** Every difference, in order of airport and time; empty if the output is equal. */
    static List<String> differences(String job, JobOutcome outcome, Truth truth) {
        List<String> differences = new ArrayList<>();
        TreeSet<Cell> cells = new TreeSet<>(truth.accepted().keySet());
        cells.addAll(outcome.rows().keySet());
        for (Cell cell : cells) {
            String pipeline = text(outcome.rows(), cell);
            String batch = batch(truth.accepted(), cell);
            if (!pipeline.equals(batch)) {
                differences.add(job + " " + cell.airport() + " " + Instant.ofEpochMilli(cell.startMillis())
                        + ": pipeline " + pipeline + ", batch " + batch);
            }
        }
        Counts counts = outcome.counts();
        compare(job + " on time", counts.onTime(), truth.onTime(), differences);
        compare(job + " re-fired", counts.refired(), truth.refired(), differences);
        compare(job + " dropped and side", counts.dropped() + counts.side(), truth.tooLate(), differences);
        return differences;
    }

    private static void compare(String what, long pipeline, long batch, List<String> differences) {
        if (pipeline != batch) {
            differences.add(what + ": pipeline " + pipeline + ", batch " + batch);
        }
    }

    private static String text(Map<Cell, Stats> rows, Cell cell) {
        Stats stats = rows.get(cell);
        return stats == null ? "nothing" : stats.departures() + " flights, average delay " + stats.averageDelay();
    }

    private static String batch(Map<Cell, Tally> cells, Cell cell) {
        Tally tally = cells.get(cell);
        return tally == null ? "nothing" : tally.count() + " flights, average delay " + tally.averageDelay();
    }
}
