package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneStateBackend;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.Pane;
import io.fluxmark.windows.PaneEntry;
import io.fluxmark.windows.PaneStore;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Holds a stopped job against its log: what is stored of each lane equals what a plain loop makes of the records below
 * the committed offset, not more and not less.
 */
final class CrashCheck {

    /**
     * What was found.
     *
     * @param records how many records the log has
     * @param offsets the committed offset of each lane
     * @param transactions how many transactions are durable, over all lanes
     */
    record Report(long records, List<Long> offsets, long transactions, boolean finished) {

        long committed() {
            return offsets.stream().mapToLong(offset -> offset).sum();
        }
    }

    private CrashCheck() {}

    /**
     * Checks every lane.
     *
     * @param copy of the job's store, opened apart where the job is to go on: looking at open windows takes a session,
     *     which leaves a trace
     */
    static Report verify(ProofJob job, StateStore copy) {
        Topic topic = job.topic();
        JobStatus status = JobStatus.read(job.store(), ProofJob.NAME, topic).block(ProofJob.PATIENCE);
        List<WindowResult<String, Long>> changes =
                job.changes().changes().collectList().block(ProofJob.PATIENCE);
        List<WindowResult<String, Long>> rows = job.table().rows().collectList().block(ProofJob.PATIENCE);
        List<LateEvent<Tick>> late = job.late().events().collectList().block(ProofJob.PATIENCE);
        long records = 0;
        long transactions = 0;
        for (JobStatus.Lane lane : status.lanes()) {
            int id = lane.lane();
            assertThat(lane.nextOffset())
                    .as("committed offset of lane %d, against the end of the log at %d", id, lane.endOffset())
                    .isLessThanOrEqualTo(lane.endOffset());
            LaneImage stored = new LaneImage(
                    lane.maxima().getOrDefault(ProofJob.EVENT_TIME, Long.MIN_VALUE),
                    lane.watermarks().getOrDefault(ProofJob.EVENT_TIME, Long.MIN_VALUE),
                    lane.watermarks().getOrDefault(ProofJob.WINDOW, Long.MIN_VALUE),
                    counts(lane.counters().get(ProofJob.EVENT_TIME)),
                    counts(lane.counters().get(ProofJob.WINDOW)),
                    entries(copy, lane),
                    changes.stream().filter(c -> laneOf(topic, c.key()) == id).toList(),
                    bySlot(rows.stream()
                            .filter(r -> laneOf(topic, r.key()) == id)
                            .toList()),
                    late.stream()
                            .filter(e -> laneOf(topic, e.value().key()) == id)
                            .toList());
            assertThat(stored.eventTimeCounts().get(Counter.INGESTED))
                    .as(
                            "records in the state of lane %d, whose committed offset is %d: state and offset are of"
                                    + " one commit",
                            id, lane.nextOffset())
                    .isEqualTo(lane.nextOffset());
            stored.assertEquals(
                    Recomputation.of(records(topic.partition(id), lane.nextOffset()), lane.finished()),
                    id,
                    lane.nextOffset());
            assertSum(stored, id);
            records += lane.endOffset();
            transactions += lane.transaction();
        }
        return new Report(
                records,
                status.lanes().stream().map(JobStatus.Lane::nextOffset).toList(),
                transactions,
                status.finished());
    }

    /** How many records of all lanes are committed; does not block. */
    static long committed(ProofJob job) {
        long[] sum = new long[1];
        JobStatus.read(job.store(), ProofJob.NAME, job.topic())
                .subscribe(status -> status.lanes().forEach(lane -> sum[0] += lane.nextOffset()));
        return sum[0];
    }

    /** Every record number stands in the log once, and none is missing. */
    static void assertEachOnce(Topic topic, int count) {
        Set<Long> seen = new HashSet<>();
        for (Partition partition : topic.partitions()) {
            for (LogRecord record : read(partition, partition.endOffset())) {
                long number = Tick.number(record.value());
                assertThat(seen.add(number))
                        .as("record %d stands in the log once", number)
                        .isTrue();
            }
        }
        assertThat(seen).as("records in the log").hasSize(count);
    }

    private static void assertSum(LaneImage stored, int lane) {
        Map<Counter, Long> counts = stored.windowCounts();
        long outcomes = counts.get(Counter.ON_TIME)
                + counts.get(Counter.REFIRED)
                + counts.get(Counter.DROPPED)
                + counts.get(Counter.SIDE)
                + counts.get(Counter.REJECTED);
        assertThat(outcomes).as("outcomes of lane %d sum to its events", lane).isEqualTo(counts.get(Counter.INGESTED));
        assertThat(stored.late()).as("late rows of lane %d", lane).hasSize(Math.toIntExact(counts.get(Counter.SIDE)));
        Map<PlainBatch.Slot<String>, Long> values = new HashMap<>();
        stored.rows().forEach((slot, row) -> values.put(slot, row.value()));
        assertThat(PlainBatch.fold(stored.changes()))
                .as("fold of the changelog of lane %d", lane)
                .isEqualTo(values);
    }

    private static int laneOf(Topic topic, String key) {
        return topic.partitionFor(key.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static Map<PlainBatch.Slot<String>, WindowResult<String, Long>> bySlot(
            List<WindowResult<String, Long>> rows) {
        Map<PlainBatch.Slot<String>, WindowResult<String, Long>> bySlot = new HashMap<>();
        rows.forEach(row -> bySlot.put(new PlainBatch.Slot<>(row.key(), row.window()), row));
        return bySlot;
    }

    private static List<LogRecord> read(Partition partition, long end) {
        return partition.readTo(0, end).collectList().block(ProofJob.PATIENCE);
    }

    private static List<Optional<Tick>> records(Partition partition, long end) {
        List<Optional<Tick>> ticks = new ArrayList<>();
        for (LogRecord record : read(partition, end)) {
            try {
                ticks.add(Optional.of(Tick.CODEC.decode(record.value())));
            } catch (RuntimeException e) {
                ticks.add(Optional.empty());
            }
        }
        return ticks;
    }

    private static SortedSet<LaneImage.Entry> entries(StateStore copy, JobStatus.Lane lane) {
        SortedSet<LaneImage.Entry> entries = new TreeSet<>();
        LaneSession session = copy.openLane(ProofJob.NAME, lane.lane()).block(ProofJob.PATIENCE);
        assertThat(session.restored().transaction())
                .as("transaction that a session of lane %d finds", lane.lane())
                .isEqualTo(lane.transaction());
        PaneStore<String, long[]> panes = LaneStateBackend.of(session, 1 << 20)
                .panes(
                        ProofJob.WINDOW,
                        KeyCodec.tagged(),
                        Aggregations.summingLong(Tick::amount).accumulatorCodec());
        List<PaneEntry<String, long[]>> page = new ArrayList<>();
        for (Pane<String, long[]> pane = panes.first(); pane != null; pane = panes.after(pane.start())) {
            Pane.Walk<String, long[]> walk = pane.walk();
            while (walk.next(page, 100)) {
                for (PaneEntry<String, long[]> entry : page) {
                    entries.add(new LaneImage.Entry(
                            pane.start(), entry.key, entry.accumulator[0], entry.count, entry.late, entry.revision));
                }
                page.clear();
            }
        }
        return entries;
    }

    private static Map<Counter, Long> counts(Counters counters) {
        Map<Counter, Long> counts = Recomputation.zeros();
        if (counters != null) {
            counts.replaceAll((counter, zero) -> counters.get(counter));
        }
        return counts;
    }
}
