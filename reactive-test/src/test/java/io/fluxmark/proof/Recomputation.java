package io.fluxmark.proof;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowResult.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a lane must hold after a number of records: one plain loop over them, by the rules of SEMANTICS S01 to S15, that
 * shares nothing with the operators.
 */
final class Recomputation {

    private static final class Cell {
        private long sum;
        private long count;
        private long late;
        private int revision = -1;
    }

    private final TreeMap<Long, TreeMap<String, Cell>> open = new TreeMap<>();
    private final Map<Counter, Long> eventTime = zeros();
    private final Map<Counter, Long> window = zeros();
    private final List<WindowResult<String, Long>> changes = new ArrayList<>();
    private final List<LateEvent<Tick>> late = new ArrayList<>();
    private long maximum = Long.MIN_VALUE;
    private long watermark = Long.MIN_VALUE;

    private Recomputation() {}

    /**
     * @param records the records of the lane, empty where broken
     * @param drained whether the stream ends behind them
     */
    static LaneImage of(List<Optional<Tick>> records, boolean drained) {
        Recomputation lane = new Recomputation();
        for (Optional<Tick> record : records) {
            count(lane.eventTime, Counter.INGESTED);
            if (record.isEmpty()) {
                count(lane.eventTime, Counter.REJECTED);
            } else {
                lane.add(record.get());
            }
        }
        if (drained) {
            lane.advance(Long.MAX_VALUE);
        }
        return lane.image();
    }

    private void add(Tick tick) {
        count(window, Counter.INGESTED);
        long start = Math.floorDiv(tick.time(), ProofJob.SIZE) * ProofJob.SIZE;
        long last = start + ProofJob.SIZE - 1;
        TimeWindow span = new TimeWindow(start, last + 1);
        if (watermark >= last + ProofJob.LATENESS) {
            count(window, Counter.SIDE);
            count(window, Counter.LATE_ASSIGNMENTS);
            late.add(new LateEvent<>(tick, tick.time(), watermark, List.of(span)));
        } else {
            count(window, Counter.ACCEPTED_ASSIGNMENTS);
            Cell cell = open.computeIfAbsent(start, s -> new TreeMap<>()).computeIfAbsent(tick.key(), k -> new Cell());
            if (watermark < last) {
                count(window, Counter.ON_TIME);
                cell.sum += tick.amount();
                cell.count++;
            } else {
                count(window, Counter.REFIRED);
                fireAgain(tick, span, cell);
            }
        }
        if (tick.time() > maximum) {
            maximum = tick.time();
            advance(maximum - ProofJob.DELAY - 1);
        }
    }

    private void fireAgain(Tick tick, TimeWindow span, Cell cell) {
        boolean first = cell.count == 0;
        int revision = first ? -1 : Math.max(0, cell.revision);
        long old = cell.sum;
        long lateBefore = cell.late;
        cell.sum += tick.amount();
        cell.count++;
        cell.late++;
        if (!first && tick.amount() == 0) {
            cell.revision = revision;
            count(window, Counter.UNCHANGED);
            return;
        }
        if (!first) {
            emit(tick.key(), span, old, Kind.RETRACT, revision, lateBefore);
            count(window, Counter.RETRACTIONS);
        }
        cell.revision = revision + 1;
        emit(tick.key(), span, cell.sum, Kind.LATE, cell.revision, cell.late);
        count(window, Counter.FIRES_LATE);
    }

    private void advance(long target) {
        if (target <= watermark) {
            return;
        }
        long before = watermark;
        watermark = target;
        open.forEach((start, cells) -> {
            long last = start + ProofJob.SIZE - 1;
            if (before < last && target >= last) {
                TimeWindow span = new TimeWindow(start, last + 1);
                cells.forEach((key, cell) -> {
                    emit(key, span, cell.sum, Kind.ON_TIME, 0, cell.late);
                    count(window, Counter.FIRES_ON_TIME);
                });
            }
        });
        open.keySet().removeIf(start -> target >= start + ProofJob.SIZE - 1 + ProofJob.LATENESS);
    }

    private void emit(String key, TimeWindow span, long sum, Kind kind, int revision, long lateCount) {
        changes.add(new WindowResult<>(key, span, sum, kind, revision, lateCount, watermark));
    }

    private LaneImage image() {
        SortedSet<LaneImage.Entry> entries = new TreeSet<>();
        open.forEach((start, cells) -> cells.forEach((key, cell) ->
                entries.add(new LaneImage.Entry(start, key, cell.sum, cell.count, cell.late, cell.revision))));
        Map<PlainBatch.Slot<String>, WindowResult<String, Long>> rows = new HashMap<>();
        for (WindowResult<String, Long> change : changes) {
            if (change.kind() != Kind.RETRACT) {
                rows.put(new PlainBatch.Slot<>(change.key(), change.window()), change);
            }
        }
        return new LaneImage(maximum, watermark, watermark, eventTime, window, entries, changes, rows, late);
    }

    private static void count(Map<Counter, Long> counts, Counter counter) {
        counts.merge(counter, 1L, Long::sum);
    }

    static Map<Counter, Long> zeros() {
        Map<Counter, Long> zeros = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            zeros.put(counter, 0L);
        }
        return zeros;
    }
}
