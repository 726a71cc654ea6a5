package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.Savepoint;
import io.fluxmark.state.SavepointSpec;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreDurability;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.JoinInterval;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedFlux;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Jobs that join two topics: what they refuse, keep, and let go of. Events are texts as "key:name@time". */
class JoinedTopicsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String JOB = "joins";
    private static final JoinInterval INTERVAL = new JoinInterval(-20, 30);

    @TempDir
    Path directory;

    private EventLog log;
    private StateStore store;

    @BeforeEach
    void open() {
        log = EventLog.open(directory.resolve("log"), LogSpec.defaults().durability(Durability.OS))
                .block(PATIENCE);
        store = StateStore.open(directory.resolve("state")).block(PATIENCE);
    }

    @AfterEach
    void close() {
        store.close();
        log.close();
    }

    private static String key(String event) {
        return event.substring(0, event.indexOf(':'));
    }

    private static long time(String event) {
        return Long.parseLong(event.substring(event.indexOf('@') + 1));
    }

    private static String pair(@Nullable String left, @Nullable String right) {
        return left + "+" + right;
    }

    private LogSource<String> source(String topic, int partitions) {
        log.createTopic(topic, partitions).block(PATIENCE);
        return LogSource.of(log.topic(topic, EventCodec.utf8()));
    }

    private static EventFlux<String> timed(LogSource<String> source, UnaryOperator<WatermarkSpec> watermarks) {
        return source.watermarksMillis(
                JoinedTopicsTest::time, watermarks.apply(WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(10))));
    }

    private KeyedFlux<String, String> keyed(String topic, int partitions) {
        return timed(source(topic, partitions), spec -> spec).keyByRecordKey(JoinedTopicsTest::key);
    }

    private ChangelogSink<String, String> pairs() {
        return TransactionalSink.changelog(store, "pairs", KeyCodec.tagged(), Codec.strings());
    }

    private static WindowResult<String, String> result(String pair) {
        String some = pair.startsWith("null+") ? pair.substring(5) : pair;
        return new WindowResult<>(key(some), new TimeWindow(0, 1), pair, WindowResult.Kind.ON_TIME, 0, 0, 0);
    }

    private Flux<Checkpoint> job(KeyedFlux<String, String> left, KeyedFlux<String, String> right, CheckpointSpec spec) {
        return left.join(right)
                .within(INTERVAL)
                .storing(Codec.strings(), Codec.strings())
                .full(JoinedTopicsTest::pair)
                .map(JoinedTopicsTest::result)
                .writeTo(pairs(), spec.named(JOB));
    }

    private void append(String topic, String... events) {
        Topic to = log.topic(topic, EventCodec.utf8()).topic();
        for (String event : events) {
            to.append(List.of(AppendRecord.of(
                            key(event).getBytes(StandardCharsets.UTF_8), event.getBytes(StandardCharsets.UTF_8))))
                    .block(PATIENCE);
        }
    }

    private long state(int lane) {
        return store.readState(JOB, lane, new byte[0], null)
                .filter(entry -> entry.key()[0] == 1 || entry.key()[0] == 2)
                .count()
                .block(PATIENCE);
    }

    private JobStatus status(TypedTopic<?> left, TypedTopic<?> right) {
        return JobStatus.read(store, JOB, left.topic(), right.topic()).block(PATIENCE);
    }

    /** A map and a filter on either side, each for its own events; the other topic's watermark counts what they leave out. */
    @Test
    void mapsAndFiltersBeforeTheJoinAreOfOneSide() {
        KeyedFlux<String, String> left = timed(source("left", 1), spec -> spec)
                .filter(event -> !event.contains("no"))
                .map(event -> event.replace("l@", "L@"))
                .keyByRecordKey(JoinedTopicsTest::key);
        KeyedFlux<String, String> right = keyed("right", 1);
        append("left", "a:l@10", "a:no@12", "b:l@500");
        append("right", "a:r@20", "a:no@30", "b:r@400");
        job(left, right, CheckpointSpec.everyEvents(2).drainWhen(Mono.empty())).blockLast(PATIENCE);
        assertThat(pairs().changes().map(WindowResult::value).collectList().block(PATIENCE))
                .containsExactly("a:L@10+a:r@20", "a:L@10+a:no@30", "null+b:r@400", "b:L@500+null");
        JobStatus.Lane lane = status(log.topic("left", EventCodec.utf8()), log.topic("right", EventCodec.utf8()))
                .lanes()
                .get(0);
        assertThat(lane.counts().get(Counter.ON_TIME)).isEqualTo(5);
        assertThat(lane.positions()).extracting(JobStatus.Position::nextOffset).containsExactly(3L, 3L);
        assertThat(lane.lag()).isZero();
    }

    /** State is gone from the store when the watermark has passed, while the job goes on. */
    @Test
    void s44StateOfBothSidesLeavesTheStoreOnceTheWatermarkHasPassed() {
        KeyedFlux<String, String> left = keyed("left", 1);
        KeyedFlux<String, String> right = keyed("right", 1);
        for (int i = 0; i < 200; i++) {
            append("left", "k" + i + ":l@" + (1_000 + i % 7));
            append("right", "k" + i + ":r@" + (1_200 + i % 5));
        }
        long before;
        Sinks.Empty<Void> stop = Sinks.empty();
        Flux<Checkpoint> run = job(left, right, CheckpointSpec.everyEvents(50).stopWhen(stop.asMono()));
        run.take(8).blockLast(PATIENCE);
        before = state(0);
        append("left", "z:l@9000");
        append("right", "z:r@9001");
        stop.tryEmitEmpty();
        job(left, right, CheckpointSpec.everyEvents(1)).take(2).blockLast(PATIENCE);
        assertThat(before).isGreaterThan(400);
        // One event, its pane, on each side; the timer of the left one went with the pair that it has made.
        assertThat(state(0)).isLessThanOrEqualTo(8);
        assertThat(pairs().changes().count().block(PATIENCE)).isEqualTo(401);
    }

    @Test
    void eachTopicKeepsWhatTheJobMayReadAgain() {
        KeyedFlux<String, String> left = keyed("left", 2);
        KeyedFlux<String, String> right = keyed("right", 2);
        append("left", "a:l@1", "b:l@2", "c:l@3", "d:l@4");
        append("right", "a:r@1", "b:r@2", "c:r@3");
        job(left, right, CheckpointSpec.everyEvents(1).drainWhen(Mono.empty())).blockLast(PATIENCE);
        JobStatus status = status(log.topic("left", EventCodec.utf8()), log.topic("right", EventCodec.utf8()));
        assertThat(status.lanes()).hasSize(2);
        assertThat(status.lanes())
                .extracting(lane -> lane.positions().stream()
                        .map(JobStatus.Position::partition)
                        .toList())
                .containsExactly(List.of(0, 2), List.of(1, 3));
        assertThat(status.finished()).isTrue();
        assertThat(status.lag()).isZero();
        assertThatThrownBy(() -> JobStatus.read(
                                store, JOB, log.topic("left", EventCodec.utf8()).topic())
                        .block(PATIENCE))
                .hasMessage(
                        "job joins reads more than the partitions of left: name all of the topics that it joins, the"
                                + " left one first");
        StoredJob stored = store.snapshot(StoredJob::all).blockFirst(PATIENCE);
        assertThat(stored.description().text())
                .contains("reads topic left and right, 2 partitions, each in a lane")
                .contains("join-2 (full join from -20 to 30 ms): keys ");
    }

    /** Retention, savepoints and recovery know both topics. */
    @Test
    void whatIsKeptAndRestoredIsOfBothTopics() {
        KeyedFlux<String, String> left = keyed("left", 2);
        KeyedFlux<String, String> right = keyed("right", 2);
        append("left", "a:l@1", "b:l@2", "c:l@3", "d:l@4");
        append("right", "a:r@1", "b:r@2", "c:r@3", "e:r@3", "f:r@3");
        job(left, right, CheckpointSpec.everyEvents(1).drainWhen(Mono.empty())).blockLast(PATIENCE);
        Topic ofLeft = log.topic("left", EventCodec.utf8()).topic();
        Topic ofRight = log.topic("right", EventCodec.utf8()).topic();
        Savepoint savepoint = JobSavepoints.take(store, directory.resolve("savepoints"), SavepointSpec.named("one"))
                .block(PATIENCE);
        SavepointFloor floor = SavepointFloor.register(ofLeft, ofRight, JOB, savepoint);
        for (int p = 0; p < 2; p++) {
            assertThat(floor.lowestNeeded("left", p))
                    .isEqualTo(ofLeft.partition(p).endOffset());
            assertThat(floor.lowestNeeded("right", p))
                    .isEqualTo(ofRight.partition(p).endOffset());
        }
        floor.dispose();
        assertThatThrownBy(() -> SavepointFloor.register(ofLeft, JOB, savepoint))
                .hasMessageContaining("name all of the topics that it joins");

        JobFloor running = new JobFloor(JobTopics.of(ofLeft, ofRight), StoreDurability.SYNC);
        running.restored(ofLeft.partition(1), new LanePosition.Offsets(3, 2));
        running.restored(ofRight.partition(1), new LanePosition.Offsets(7, 6));
        assertThat(running.lowestNeeded("left", 1)).isEqualTo(2);
        assertThat(running.lowestNeeded("right", 1)).isEqualTo(6);
        running.release();

        store.close();
        StoreRecovery recovery = StoreRecovery.of(directory.resolve("state"), StoreSpec.defaults());
        store = recovery.job(JOB, ofLeft, ofRight).open().block(PATIENCE).store();
        assertThat(pairs().changes().count().block(PATIENCE)).isEqualTo(6);
    }

    @Test
    void aKeyInAnotherPartitionOfEitherTopicEndsTheJob() {
        KeyedFlux<String, String> left = keyed("left", 2);
        KeyedFlux<String, String> right = keyed("right", 2);
        Topic topic = log.topic("right", EventCodec.utf8()).topic();
        int wrong = 1 - topic.partitionFor("a".getBytes(StandardCharsets.UTF_8));
        topic.append(List.of(AppendRecord.to(wrong, "a:r@5".getBytes(StandardCharsets.UTF_8))))
                .block(PATIENCE);
        assertThatThrownBy(() -> job(left, right, CheckpointSpec.everyEvents(1).drainWhen(Mono.empty()))
                        .blockLast(PATIENCE))
                .hasMessageContaining("the key 'a' was found in partition " + wrong);
    }

    @Test
    void whatCantBeReadInOneLaneIsRefusedAtAssemblyWithTheRemedy() {
        KeyedFlux<String, String> left = keyed("left", 2);
        CheckpointSpec spec = CheckpointSpec.everyEvents(1);
        assertThatThrownBy(() -> job(left, keyed("three", 3), spec))
                .hasMessage(
                        "topic left has 2 partitions and topic three has 3, so that equal keys lie apart: use keyBy on"
                                + " both sides, or give the topics equally many");
        assertThatThrownBy(() -> job(left, keyed("left", 2), spec))
                .hasMessage(
                        "topic left is joined with itself: read it once, with a function over keyed events (process),"
                                + " or copy it");
        assertThatThrownBy(() -> left.join(keyed("right", 2)).within(INTERVAL).inner(JoinedTopicsTest::pair))
                .hasMessage("a job keeps the events that wait for partners in its store: tell the join how, with"
                        + " storing(leftCodec, rightCodec)");
        assertThatThrownBy(() -> left.join(keyed("right", 2))
                        .window(WindowSpec.tumbling(Duration.ofMillis(10)))
                        .inner(JoinedTopicsTest::pair))
                .hasMessageContaining("with storing(leftCodec, rightCodec)");
        assertThatThrownBy(() -> left.join(timed(source("right", 2), each -> each.idleAfter(Duration.ofSeconds(1)))
                        .keyByRecordKey(JoinedTopicsTest::key)))
                .hasMessageContaining("give the two WatermarkSpecs the same ones");
        assertThatThrownBy(() -> left.join(EventFlux.from(Flux.just("a:r@1")).keyBy(JoinedTopicsTest::key)))
                .hasMessage(
                        "the left side of a join starts at a source with positions and the other one does not: join two"
                                + " log sources in a job, or two streams without positions");
        assertThatThrownBy(() -> left.join(keyed("right", 2)
                        .window(WindowSpec.tumbling(Duration.ofMillis(10)))
                        .aggregate(Aggregations.counting())
                        .keyByRecordKey(WindowResult::key)))
                .hasMessage("between the right log source and a join there may only be map and filter, with"
                        + " FailurePolicy.fail(): write what another stage makes to a topic, and join that, or put the"
                        + " stage behind the join");
        assertThatThrownBy(() -> left.join(timed(source("right", 2).assignedBy(log.group("g")), each -> each)
                        .keyByRecordKey(JoinedTopicsTest::key)))
                .hasMessage("the lanes of a join of left and right can't be shared by a group: leave assignedBy out");
    }

    @Test
    void oneTableForBothSidesIsRefused() {
        DeadLetterTable table = DeadLetterTable.of(store, "dead");
        KeyedFlux<String, String> left =
                timed(source("left", 1).invalidTo(table), spec -> spec).keyByRecordKey(JoinedTopicsTest::key);
        KeyedFlux<String, String> right =
                timed(source("right", 1).invalidTo(table), spec -> spec).keyByRecordKey(JoinedTopicsTest::key);
        assertThatThrownBy(() -> job(left, right, CheckpointSpec.everyEvents(1).drainWhen(Mono.empty()))
                        .blockLast(PATIENCE))
                .hasMessage(
                        "the dead letter table dead of job joins is used in two places, as on both sides of a join: give"
                                + " each a table of its own");
    }
}
