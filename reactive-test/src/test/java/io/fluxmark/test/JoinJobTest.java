package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import io.fluxmark.sinks.ChangelogSink;
import io.fluxmark.sinks.DeadLetterTable;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.sinks.LateTable;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.StoreDigest;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.IntervalJoinFlux;
import io.fluxmark.windows.JoinInterval;
import io.fluxmark.windows.JoinKind;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Jobs that join two topics, killed or without power at any of their writes (S44, S45, S47, S48): what is stored then is what
 * nested loops make of the records before the committed offsets, and in the end everything is as in a run without a crash.
 */
class JoinJobTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String JOB = "joins";
    private static final int CASES = Tier.cases(5, 250);
    private static final int CRASHES = Tier.cases(4, 8);
    private static final long SEED = 100_101;
    private static final List<JoinKind> KINDS = List.of(JoinKind.values());

    @TempDir
    Path directory;

    private long records;
    private long crashes;
    private long positions;

    /** A join over two topics. */
    private record Joined(
            JoinInterval interval,
            JoinKind kind,
            boolean merged,
            int lefts,
            int rights,
            long leftDelay,
            long rightDelay,
            int every) {

        static Joined of(Random random, boolean merged) {
            long lower = random.nextInt(60) - 40L;
            int lefts = 1 + random.nextInt(3);
            return new Joined(
                    new JoinInterval(lower, lower + random.nextInt(50)),
                    KINDS.get(random.nextInt(KINDS.size())),
                    merged,
                    lefts,
                    merged ? 1 + random.nextInt(3) : lefts,
                    random.nextInt(25),
                    random.nextInt(25),
                    1 + random.nextInt(30));
        }

        Flux<Checkpoint> job(EventLog log, StateStore store, CheckpointSpec spec) {
            EventFlux<JoinTick> left = source(log, store, "left", leftDelay);
            EventFlux<JoinTick> right = source(log, store, "right", rightDelay);
            IntervalJoinFlux<String, JoinTick, JoinTick> join = (merged
                            ? left.keyBy(JoinTick::key).join(right.keyBy(JoinTick::key))
                            : left.keyByRecordKey(JoinTick::key).join(right.keyByRecordKey(JoinTick::key)))
                    .within(interval)
                    .storing(JoinTick.CODEC, JoinTick.CODEC)
                    .lateTo(late(store, "left"), late(store, "right"));
            EventFlux<String> pairs =
                    switch (kind) {
                        case INNER -> join.inner(JoinTick::pair);
                        case LEFT -> join.left(JoinTick::pair);
                        case RIGHT -> join.right(JoinTick::pair);
                        case FULL -> join.full(JoinTick::pair);
                    };
            return pairs.map(pair -> new WindowResult<>(
                            key(pair), new TimeWindow(0, 1), pair, WindowResult.Kind.ON_TIME, 0, 0, 0))
                    .writeTo(changes(store), spec.named(JOB));
        }

        private static EventFlux<JoinTick> source(EventLog log, StateStore store, String topic, long delay) {
            return LogSource.of(log.topic(topic, JoinTick.EVENTS))
                    .invalidTo(DeadLetterTable.of(store, "dead-" + topic))
                    .watermarksMillis(JoinTick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(delay)));
        }

        static ChangelogSink<String, String> changes(StateStore store) {
            return TransactionalSink.changelog(store, "pairs", KeyCodec.tagged(), Codec.strings());
        }

        static LateTable<JoinTick> late(StateStore store, String topic) {
            return LateTable.of(store, "late-" + topic, JoinTick.CODEC);
        }

        /** The partitions of each lane as they are read, and what is expected of it. */
        List<JoinOracle> oracles(Topic left, Topic right) {
            List<JoinOracle> oracles = new ArrayList<>();
            for (int lane = 0; lane < (merged ? 1 : lefts); lane++) {
                List<List<@Nullable JoinTick>> partitions = new ArrayList<>();
                read(left, lane, partitions);
                int ofLeft = partitions.size();
                read(right, lane, partitions);
                oracles.add(new JoinOracle(interval, kind, partitions, ofLeft, leftDelay, rightDelay));
            }
            return oracles;
        }

        private void read(Topic topic, int lane, List<List<@Nullable JoinTick>> into) {
            for (int p = 0; p < topic.partitionCount(); p++) {
                if (merged || p == lane) {
                    List<@Nullable JoinTick> ticks = new ArrayList<>();
                    done(topic.partition(p)
                                    .readTo(0, topic.partition(p).endOffset())
                                    .collectList())
                            .forEach(record -> ticks.add(
                                    record.requireValue().length == 1 ? null : JoinTick.EVENTS.decode(record)));
                    into.add(ticks);
                }
            }
        }
    }

    private static String key(String pair) {
        String some = pair.startsWith("null+") ? pair.substring(5) : pair;
        return some.substring(0, some.indexOf(';'));
    }

    private static <V> V done(Mono<V> mono) {
        return Objects.requireNonNull(mono.block(PATIENCE), "nothing came");
    }

    /** Log and store of one process on a simulated disk. */
    private final class Rig implements AutoCloseable {

        final EventLog log;
        final StateStore store;
        final Topic left;
        final Topic right;

        Rig(SimulatedDisk disk, Joined joined) {
            log = done(
                    EventLog.open(directory.resolve("log"), LogSpec.defaults().storage(disk)));
            store = done(StateStore.open(
                    directory.resolve("state"), StoreSpec.defaults().storage(disk)));
            left = done(log.createTopic("left", joined.lefts()));
            right = done(log.createTopic("right", joined.rights()));
        }

        void append(Random random) {
            append(left, JoinTick.some(random, "l"));
            append(right, JoinTick.some(random, "r"));
        }

        private void append(Topic topic, List<@Nullable JoinTick> ticks) {
            List<AppendRecord> all = new ArrayList<>();
            for (JoinTick tick : ticks) {
                all.add(JoinTick.record(tick, all.size()));
            }
            records += all.size();
            for (int from = 0; from < all.size(); from += 20) {
                done(topic.append(all.subList(from, Math.min(all.size(), from + 20))));
            }
        }

        void finish(Joined joined, int every) {
            joined.job(log, store, CheckpointSpec.everyEvents(every).drainWhen(Mono.empty()))
                    .blockLast(PATIENCE);
        }

        JobStatus status() {
            return done(JobStatus.read(store, JOB, left, right));
        }

        List<WindowResult<String, String>> rows() {
            return done(Joined.changes(store).changes().collectList());
        }

        /** How many entries and panes of the operators are in the store. */
        long state(int lane) {
            return done(store.readState(JOB, lane, new byte[0], null)
                    .filter(entry -> entry.key()[0] == 1 || entry.key()[0] == 2)
                    .count());
        }

        @Override
        public void close() {
            store.close();
            log.close();
        }
    }

    @Test
    void s44s45s47s48LanesOverBothTopicsHoldWhatNestedLoopsSayWhereverTheyCrash() {
        run("joins of co-partitioned topics", false);
    }

    @Test
    void s44s45s47s48OneLaneOverAllPartitionsHoldsWhatNestedLoopsSayWhereverItCrashes() {
        run("merged joins", true);
    }

    private void run(String what, boolean merged) {
        for (int i = 0; i < CASES; i++) {
            Random random = new Random(SEED + i);
            check("case " + i, Joined.of(random, merged), random);
        }
        System.out.printf(
                "%s: %d cases, %d records, %d crashes, %d of them with something committed, seed %d%n",
                what, CASES, records, crashes, positions, SEED);
        assertThat(positions).isPositive();
    }

    private void check(String name, Joined joined, Random random) {
        SimulatedDisk filled = SimulatedDisk.empty();
        List<JoinOracle> oracles;
        try (Rig rig = new Rig(filled, joined)) {
            rig.append(random);
            oracles = joined.oracles(rig.left, rig.right);
        }
        SimulatedDisk recorded = filled.recording();
        List<WindowResult<String, String>> undisturbed;
        String digest;
        try (Rig rig = new Rig(recorded, joined)) {
            rig.finish(joined, joined.every());
            checkStored(name + ", not disturbed, " + joined, rig, oracles, true);
            undisturbed = rig.rows();
            digest = done(StoreDigest.of(rig.store)).hash();
        }
        DiskReplay replay = recorded.replay();
        for (int crash : random.ints(CRASHES, 0, replay.size() + 1).sorted().toArray()) {
            replay.advanceTo(crash);
            boolean powerCut = random.nextInt(3) == 0;
            String where = name + ", " + (powerCut ? "power cut" : "killed") + " behind " + crash + ", " + joined;
            SimulatedDisk left = powerCut ? replay.afterPowerCut(random.nextLong()) : replay.afterKill();
            try (Rig rig = new Rig(left, joined)) {
                crashes++;
                positions += checkStored(where, rig, oracles, false) ? 1 : 0;
                rig.finish(joined, 1 + random.nextInt(30));
                checkStored(where + ", in the end", rig, oracles, true);
                assertThat(byLane(rig.rows(), joined, rig.left))
                        .as(where)
                        .isEqualTo(byLane(undisturbed, joined, rig.left));
                assertThat(done(StoreDigest.of(rig.store)).hash()).as(where).isEqualTo(digest);
            }
        }
    }

    /** The rows of each lane in the order in which they were made. */
    private static List<List<String>> byLane(List<WindowResult<String, String>> rows, Joined joined, Topic left) {
        List<List<String>> lanes = new ArrayList<>();
        for (int lane = 0; lane < joined.lefts(); lane++) {
            lanes.add(new ArrayList<>());
        }
        for (WindowResult<String, String> row : rows) {
            int lane = joined.merged() ? 0 : left.partitionFor(row.key().getBytes(StandardCharsets.UTF_8));
            lanes.get(lane).add(row.value());
        }
        return lanes;
    }

    /** Rows, counters, watermark and positions of each lane are of one prefix of its order; whether something is committed. */
    private static boolean checkStored(String where, Rig rig, List<JoinOracle> oracles, boolean drained) {
        List<String> joined = new ArrayList<>();
        long late = 0;
        long rejected = 0;
        boolean some = false;
        for (JobStatus.Lane lane : rig.status().lanes()) {
            if (lane.transaction() == 0) {
                assertThat(drained).as(where).isFalse();
                continue;
            }
            some = true;
            List<Long> offsets = lane.positions().stream()
                    .map(JobStatus.Position::nextOffset)
                    .toList();
            JoinOracle oracle = oracles.get(lane.lane());
            JoinOracle.State expected = oracle.after(
                    (int) offsets.stream().mapToLong(offset -> offset).sum(), lane.finished());
            Counters counts = lane.counts();
            assertThat(offsets).as("%s: positions of one prefix", where).isEqualTo(expected.offsets());
            assertThat(lane.watermarks().get("join-2")).as(where).isEqualTo(expected.watermark());
            assertThat(counts.get(Counter.ON_TIME)).as(where).isEqualTo(expected.accepted());
            assertThat(counts.get(Counter.SIDE)).as(where).isEqualTo(expected.late());
            assertThat(counts.get(Counter.REJECTED)).as(where).isEqualTo(expected.rejected());
            assertThat(counts.sumHolds()).as(where).isTrue();
            assertThat(counts.get(Counter.JOINED) + counts.get(Counter.UNMATCHED))
                    .as(where)
                    .isEqualTo(expected.joined().size());
            joined.addAll(expected.joined());
            late += expected.late();
            rejected += expected.rejected();
            if (drained) {
                assertThat(lane.finished()).as(where).isTrue();
                assertThat((long) oracle.records())
                        .isEqualTo(expected.offsets().stream().mapToLong(n -> n).sum());
                assertThat(rig.state(lane.lane()))
                        .as("%s: state in the end", where)
                        .isZero();
            }
        }
        List<String> rows =
                new ArrayList<>(rig.rows().stream().map(WindowResult::value).toList());
        Collections.sort(rows);
        Collections.sort(joined);
        assertThat(rows).as(where).isEqualTo(joined);
        assertThat(done(Joined.late(rig.store, "left").events().count())
                        + done(Joined.late(rig.store, "right").events().count()))
                .as(where)
                .isEqualTo(late);
        long letters = 0;
        for (String topic : List.of("left", "right")) {
            letters += done(DeadLetterTable.of(rig.store, "dead-" + topic)
                    .letters()
                    .doOnNext(letter -> assertThat(letter.topic()).isEqualTo(topic))
                    .count());
        }
        assertThat(letters).as(where).isEqualTo(rejected);
        return some;
    }
}
