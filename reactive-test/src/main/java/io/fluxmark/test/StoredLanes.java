package io.fluxmark.test;

import io.fluxmark.log.EventCodec;
import io.fluxmark.log.Topic;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the lanes of a job have to store, found from the records of their partitions. */
final class StoredLanes<T, K, R> {

    private final List<Expectation<T, K, R>> expectations;
    private final List<Integer> sizes;

    private StoredLanes(List<Expectation<T, K, R>> expectations, List<Integer> sizes) {
        this.expectations = expectations;
        this.sizes = sizes;
    }

    static <T, K, A, R> StoredLanes<T, K, R> of(
            WindowedPipeline<T, K, A, R> pipeline, Topic topic, EventCodec<T> codec) {
        List<Expectation<T, K, R>> expectations = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        for (int partition = 0; partition < topic.partitionCount(); partition++) {
            List<T> records = RestartEquivalence.read(topic, partition, codec);
            expectations.add(Expectation.of(pipeline.dropping(), records));
            sizes.add(records.size());
        }
        return new StoredLanes<>(expectations, sizes);
    }

    /** Holds what is stored against the records before each lane's committed offset. */
    void check(JobStatus status, List<WindowResult<K, R>> rows, boolean drained) {
        List<WindowResult<K, R>> expected = new ArrayList<>();
        StringBuilder when = new StringBuilder("with the committed offsets");
        for (JobStatus.Lane lane : status.lanes()) {
            int offset = (int) lane.nextOffset();
            if (drained && (!lane.finished() || offset != sizes.get(lane.lane()))) {
                throw new RuleViolation("a drained job has read everything", "got " + lane);
            }
            int events = drained ? offset + 1 : offset;
            if (lane.transaction() > 0) {
                checkLane(lane, events);
            }
            expected.addAll(expectations.get(lane.lane()).emissionsAfter(events));
            when.append(' ').append(offset);
        }
        Emissions.check(expected, rows, when.toString());
    }

    private void checkLane(JobStatus.Lane lane, int events) {
        Expectation<T, K, R> expectation = expectations.get(lane.lane());
        String where = "lane " + lane.lane() + ", committed offset " + lane.nextOffset();
        Tally expected = expectation.tallyAfter(events);
        Tally counted = Tally.of(counters(lane));
        if (!counted.hasOutcomesOf(expected) || !counted.sumHolds()) {
            throw new RuleViolation(
                    "S12, S48: counters, state and offsets are of one commit",
                    where + "\n  expected " + expected.outcomes() + "\n  got      " + counted.outcomes());
        }
        long watermark = expectation.watermarkAfter(events);
        lane.watermarks().forEach((operator, stored) -> {
            if (stored != watermark) {
                throw new RuleViolation(
                        "S47: the watermark of each partition is part of every commit",
                        where + "\n  expected W=" + watermark + "\n  got      W=" + stored + " in " + operator);
            }
        });
    }

    private static Counters counters(JobStatus.Lane lane) {
        Counters window = Counters.ZERO;
        long rejected = 0;
        long failed = 0;
        for (Map.Entry<String, Counters> each : lane.counters().entrySet()) {
            if (each.getKey().startsWith("window")) {
                window = each.getValue();
            } else {
                rejected += each.getValue().get(Counter.REJECTED);
                failed += each.getValue().get(Counter.FAILED);
            }
        }
        return window.withRejected(rejected).withFailed(failed);
    }

    /** What all events became. */
    Equivalence total() {
        Equivalence sum = Equivalence.none();
        for (Expectation<T, K, R> expectation : expectations) {
            sum = sum.plus(expectation.total());
        }
        return sum;
    }
}
