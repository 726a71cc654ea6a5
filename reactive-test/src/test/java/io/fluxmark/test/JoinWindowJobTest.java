package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.StoreDigest;
import io.fluxmark.sinks.TableSink;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.JoinInterval;
import io.fluxmark.windows.JoinKind;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedFlux;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Window joins of two topics, crashed, and interval joins of topics that are appended to while they are read. */
class JoinWindowJobTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String JOB = "joins";
    private static final int CASES = Tier.cases(4, 100);
    private static final int CRASHES = Tier.cases(4, 8);
    private static final long SEED = 45_100;
    private static final long SIZE = 20;

    /** As long as any event may be behind: nothing is late. */
    private static final Duration DELAY = Duration.ofMillis(200);

    @TempDir
    Path directory;

    private EventLog log;
    private StateStore store;

    private static <V> V done(Mono<V> mono) {
        return Objects.requireNonNull(mono.block(PATIENCE), "nothing came");
    }

    private void open(SimulatedDisk disk) {
        log = done(EventLog.open(directory.resolve("log"), LogSpec.defaults().storage(disk)));
        store = done(
                StateStore.open(directory.resolve("state"), StoreSpec.defaults().storage(disk)));
        done(log.createTopic("left", 2));
        done(log.createTopic("right", 2));
    }

    private void close() {
        store.close();
        log.close();
    }

    private KeyedFlux<String, JoinTick> keyed(String topic) {
        return LogSource.of(log.topic(topic, JoinTick.EVENTS))
                .watermarksMillis(JoinTick::time, WatermarkSpec.boundedOutOfOrderness(DELAY))
                .keyByRecordKey(JoinTick::key);
    }

    private TableSink<String, List<String>> table() {
        return TransactionalSink.table(store, "windows", KeyCodec.tagged(), Codec.listOf(Codec.strings()));
    }

    private Flux<Checkpoint> windows(CheckpointSpec spec) {
        return keyed("left")
                .join(keyed("right"))
                .window(WindowSpec.tumbling(Duration.ofMillis(SIZE)))
                .storing(JoinTick.CODEC, JoinTick.CODEC)
                .left(JoinTick::pair)
                .writeTo(table(), spec.named(JOB));
    }

    private Flux<Checkpoint> intervals(JoinInterval interval, CheckpointSpec spec) {
        return keyed("left")
                .join(keyed("right"))
                .within(interval)
                .storing(JoinTick.CODEC, JoinTick.CODEC)
                .full(JoinTick::pair)
                .map(pair -> new WindowResult<>("all", new TimeWindow(0, 1), pair, WindowResult.Kind.ON_TIME, 0, 0, 0))
                .writeTo(
                        TransactionalSink.changelog(store, "pairs", KeyCodec.<String>tagged(), Codec.strings()),
                        spec.named(JOB));
    }

    /** The texts of all windows. */
    private Map<String, List<String>> rows() {
        Map<String, List<String>> rows = new TreeMap<>();
        for (WindowResult<String, List<String>> row : done(table().rows().collectList())) {
            List<String> pairs = new ArrayList<>(row.value());
            Collections.sort(pairs);
            rows.put(row.key() + " " + row.window().start(), pairs);
        }
        return rows;
    }

    private static Map<String, List<String>> nested(List<JoinTick> left, List<JoinTick> right) {
        Map<String, List<String>> rows = new TreeMap<>();
        for (JoinTick l : left) {
            long start = l.time() - Math.floorMod(l.time(), SIZE);
            List<String> row = rows.computeIfAbsent(l.key() + " " + start, place -> new ArrayList<>());
            boolean alone = true;
            for (JoinTick r : right) {
                if (r.key().equals(l.key()) && r.time() >= start && r.time() < start + SIZE) {
                    row.add(JoinTick.pair(l, r));
                    alone = false;
                }
            }
            if (alone) {
                row.add(JoinTick.pair(l, null));
            }
        }
        rows.values().forEach(Collections::sort);
        return rows;
    }

    private static List<JoinTick> ticks(Random random, String side) {
        List<JoinTick> ticks = new ArrayList<>();
        for (@Nullable JoinTick tick : JoinTick.some(random, side)) {
            if (tick != null) {
                ticks.add(tick);
            }
        }
        return ticks;
    }

    private void append(String topic, List<JoinTick> ticks) {
        List<AppendRecord> records = ticks.stream().map(JoinTick.EVENTS::encode).toList();
        if (!records.isEmpty()) {
            done(log.topic(topic, JoinTick.EVENTS).topic().append(records));
        }
    }

    @Test
    void s47s48WindowJoinsEndAsNestedLoopsSayWhereverTheyCrash() {
        int committed = 0;
        for (int i = 0; i < CASES; i++) {
            Random random = new Random(SEED + i);
            List<JoinTick> left = ticks(random, "l");
            List<JoinTick> right = ticks(random, "r");
            SimulatedDisk filled = SimulatedDisk.empty();
            open(filled);
            append("left", left);
            append("right", right);
            close();
            Map<String, List<String>> expected = nested(left, right);
            SimulatedDisk recorded = filled.recording();
            String digest = finish(recorded, 1 + random.nextInt(20), expected);
            DiskReplay replay = recorded.replay();
            for (int crash : random.ints(CRASHES, 0, replay.size() + 1).sorted().toArray()) {
                replay.advanceTo(crash);
                SimulatedDisk found =
                        random.nextBoolean() ? replay.afterKill() : replay.afterPowerCut(random.nextLong());
                open(found);
                committed += done(status()).lanes().stream().anyMatch(lane -> lane.transaction() > 0) ? 1 : 0;
                close();
                assertThat(finish(found, 1 + random.nextInt(20), expected))
                        .as("case %d, crashed behind %d", i, crash)
                        .isEqualTo(digest);
            }
        }
        System.out.printf(
                "window joins in jobs: %d cases, %d crashes, %d of them with something committed, seed %d%n",
                CASES, CASES * CRASHES, committed, SEED);
        assertThat(committed).isPositive();
    }

    private Mono<JobStatus> status() {
        return JobStatus.read(store, JOB, topic("left"), topic("right"));
    }

    private Topic topic(String name) {
        return log.topic(name, JoinTick.EVENTS).topic();
    }

    private String finish(SimulatedDisk disk, int every, Map<String, List<String>> expected) {
        open(disk);
        windows(CheckpointSpec.everyEvents(every).drainWhen(Mono.empty())).blockLast(PATIENCE);
        assertThat(rows()).isEqualTo(expected);
        String digest = done(StoreDigest.of(store)).hash();
        close();
        return digest;
    }

    /** Which topic is read first depends on when its records come: what they come to does not, where nothing is late. */
    @Test
    void s44s45TopicsThatGrowWhileTheyAreReadComeToTheSame() {
        long restarts = 0;
        for (int i = 0; i < CASES; i++) {
            Random random = new Random(SEED - 1 - i);
            JoinInterval interval = new JoinInterval(random.nextInt(30) - 30L, random.nextInt(30));
            List<JoinTick> left = ticks(random, "l");
            List<JoinTick> right = ticks(random, "r");
            open(SimulatedDisk.empty());
            int nextLeft = 0;
            int nextRight = 0;
            while (nextLeft < left.size() || nextRight < right.size()) {
                int toLeft = Math.min(left.size(), nextLeft + random.nextInt(20));
                int toRight = Math.min(right.size(), nextRight + random.nextInt(20));
                int more = toLeft - nextLeft + toRight - nextRight;
                if (more > 0) {
                    // A commit may be of both lanes, so that there are fewer than records.
                    long[] missing = {1L + random.nextInt(more)};
                    CompletableFuture<?> run = intervals(interval, CheckpointSpec.everyEvents(1))
                            .takeUntil(checkpoint ->
                                    (missing[0] -= checkpoint.lanes().size()) <= 0)
                            .then()
                            .toFuture();
                    append("left", left.subList(nextLeft, toLeft));
                    append("right", right.subList(nextRight, toRight));
                    done(Mono.fromFuture(run).thenReturn(missing));
                    restarts++;
                }
                nextLeft = toLeft;
                nextRight = toRight;
            }
            intervals(interval, CheckpointSpec.everyEvents(7).drainWhen(Mono.empty()))
                    .blockLast(PATIENCE);
            List<String> rows = new ArrayList<>(
                    done(TransactionalSink.changelog(store, "pairs", KeyCodec.<String>tagged(), Codec.strings())
                            .changes()
                            .map(WindowResult::value)
                            .collectList()));
            close();
            assertThat(rows)
                    .as("case %d, %s", i, interval)
                    .containsExactlyInAnyOrderElementsOf(PlainJoin.of(
                                    interval,
                                    JoinKind.FULL,
                                    JoinTick::key,
                                    JoinTick::time,
                                    JoinTick::key,
                                    JoinTick::time)
                            .<String>join(left, right, JoinTick::pair));
        }
        System.out.printf("joins of growing topics: %d cases, %d restarts, seed %d%n", CASES, restarts, SEED);
    }
}
