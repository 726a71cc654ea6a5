package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedStage;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Jobs that take duplicates out (S39): over partitions that move between owners, and over all of them at once. */
class DedupeJobTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int EVENTS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 300 : 40;
    private static final long SEED = 5_311;
    private static final Duration LIFE = Duration.ofSeconds(1);
    private static final CheckpointSpec SPEC = CheckpointSpec.everyEvents(1).named("once");
    private static final WatermarkSpec WATERMARKS = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20));

    /** An event: a key, an id and a time. */
    private record Event(String key, String id, long time) {

        static Event parse(String text) {
            String[] parts = text.split(" ", 3);
            return new Event(parts[0], parts[1], Long.parseLong(parts[2]));
        }

        byte[] bytes() {
            return (key + " " + id + " " + time).getBytes(StandardCharsets.UTF_8);
        }
    }

    @TempDir
    Path directory;

    private EventLog log;
    private StateStore store;

    @BeforeEach
    void open() {
        log = EventLog.open(directory.resolve("log")).block(PATIENCE);
        store = StateStore.open(directory.resolve("state")).block(PATIENCE);
    }

    @AfterEach
    void close() {
        store.close();
        log.close();
    }

    private TypedTopic<Event> topic(int partitions) {
        log.createTopic("events", partitions).block(PATIENCE);
        return log.topic("events", record -> Event.parse(EventCodec.utf8().decode(record)));
    }

    private TableSink<String, Long> table() {
        return TransactionalSink.table(store, "counts", KeyCodec.tagged(), Codec.longs());
    }

    private Map<String, Long> rows() {
        Map<String, Long> rows = new TreeMap<>();
        for (WindowResult<String, Long> row : table().rows().toIterable()) {
            rows.merge(row.key(), row.value(), Long::sum);
        }
        return rows;
    }

    private Flux<Checkpoint> perKey(LogSource<Event> source, CheckpointSpec spec) {
        return source.placedExplicitly()
                .watermarksMillis(Event::time, WATERMARKS)
                .keyByRecordKey(Event::key)
                .dedupe(Event::id, KeyCodec.tagged(String.class), LIFE)
                .window(WindowSpec.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregations.counting())
                .writeTo(table(), spec);
    }

    private Counters counts(TypedTopic<Event> topic) {
        return JobStatus.read(store, "once", topic.topic()).block(PATIENCE).lanes().stream()
                .map(JobStatus.Lane::counts)
                .reduce(Counters.ZERO, Counters::plus);
    }

    private static void until(BooleanSupplier holds) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    /** A member of the group that runs the job. */
    private final class Member {

        private final Sinks.Empty<Void> stop = Sinks.empty();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private volatile boolean over;

        Member(TypedTopic<Event> topic, ConsumerGroup group) {
            perKey(LogSource.of(topic).assignedBy(group), SPEC.stopWhen(stop.asMono()))
                    .doFinally(signal -> over = true)
                    .subscribe(checkpoint -> {}, failure::set);
        }

        void stop() {
            stop.tryEmitEmpty();
            until(() -> over);
            assertThat(failure).hasValue(null);
        }
    }

    @Test
    void s53AtEveryOffsetThePartitionMovesAndEachIdCountsOnce() {
        TypedTopic<Event> topic = topic(1);
        ConsumerGroup group = log.group("g");
        Random random = new Random(SEED);
        TreeSet<String> ids = new TreeSet<>();
        Member owner = new Member(topic, group);
        for (int i = 0; i < EVENTS; i++) {
            String id = "i" + random.nextInt(EVENTS / 2);
            ids.add(id);
            topic.topic()
                    .append(AppendRecord.to(0, new Event("k", id, 10L + i).bytes()))
                    .block(PATIENCE);
            long offset = i + 1L;
            until(() -> JobStatus.read(store, "once", topic.topic()).block(PATIENCE).lanes().stream()
                    .anyMatch(lane -> lane.nextOffset() == offset));
            Member next = new Member(topic, group);
            owner.stop();
            owner = next;
        }
        owner.stop();
        perKey(LogSource.of(topic), SPEC.drainWhen(Mono.empty())).blockLast(PATIENCE);
        Counters counted = counts(topic);
        System.out.printf(
                "dedupe in a job that moves at each of %d offsets: %d ids, seed %d: %s%n",
                EVENTS, ids.size(), SEED, counted);
        assertThat(rows()).isEqualTo(Map.of("k", (long) ids.size()));
        assertThat(counted.get(Counter.INGESTED)).isEqualTo(EVENTS);
        assertThat(counted.get(Counter.DUPLICATES)).isEqualTo(EVENTS - ids.size());
        assertThat(counted.sumHolds()).isTrue();
    }

    @Test
    void overAllPartitionsADuplicateIsFoundWhereverItIs() {
        TypedTopic<Event> topic = topic(3);
        for (int i = 0; i < 30; i++) {
            Event event = new Event("k" + i % 4, "i" + i / 3, 10L + i);
            topic.topic().append(AppendRecord.to(i % 3, event.bytes())).block(PATIENCE);
        }
        var counting = LogSource.of(topic)
                .watermarksMillis(Event::time, WATERMARKS)
                .dedupe(Event::id, KeyCodec.tagged(String.class), LIFE)
                .keyBy(Event::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregations.counting());
        JobDescription description = table().describe(counting, SPEC);
        assertThat(description.merged()).isTrue();
        assertThat(description.stages().get(0))
                .isEqualTo(new KeyedStage("dedupe-2", "tagged", "duplicates within PT1S", 0, ""));
        assertThat(description.text()).contains("dedupe-2 (duplicates within PT1S): keys tagged");
        counting.writeTo(table(), SPEC.drainWhen(Mono.empty())).blockLast(PATIENCE);
        assertThat(rows().values().stream().mapToLong(Long::longValue).sum()).isEqualTo(10);
        Counters counted = counts(topic);
        assertThat(counted.get(Counter.DUPLICATES)).isEqualTo(20);
        assertThat(counted.accepted()).isEqualTo(10);
        assertThat(counted.sumHolds()).isTrue();
        assertThat(RowCheck.of(store).block(PATIENCE)).isEmpty();
    }
}
