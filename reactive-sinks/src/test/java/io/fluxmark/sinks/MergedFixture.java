package io.fluxmark.sinks;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.TopicSpec;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.MergedOracle.Tick;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedFlux;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A job that is keyed by something else than its partitions, over a real log and a real store. */
final class MergedFixture implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final String JOB = "merged";
    static final long DELAY = 20;
    static final long SIZE = 100;
    static final long LATENESS = 100;
    static final WindowSpec WINDOWS =
            WindowSpec.tumbling(Duration.ofMillis(SIZE)).allowedLateness(Duration.ofMillis(LATENESS));

    final EventLog log;
    final TypedTopic<Tick> topic;
    private final Path directory;
    WatermarkSpec watermarks = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(DELAY));

    /** Where the job's key function passes by with each event. */
    Consumer<Tick> onEvent = tick -> {};

    /** Among how many lanes the keys are divided; 0 for not at all. */
    int lanes;

    StateStore store;
    TableSink<String, Long> table;
    ChangelogSink<String, Long> changes;
    DeadLetterTable rejected;

    MergedFixture(Path directory, int partitions) {
        this(directory, LogSpec.defaults().durability(Durability.OS), TopicSpec.partitions(partitions));
    }

    MergedFixture(Path directory, LogSpec logSpec, TopicSpec topicSpec) {
        this.directory = directory;
        log = EventLog.open(directory.resolve("log"), logSpec).block(PATIENCE);
        log.createTopic("ticks", topicSpec).block(PATIENCE);
        topic = log.topic(
                "ticks",
                record -> Tick.parse(record.partition(), EventCodec.utf8().decode(record)));
        openStore();
    }

    private void openStore() {
        store = StateStore.open(directory.resolve("state")).block(PATIENCE);
        table = TransactionalSink.table(store, "counts", KeyCodec.tagged(), Codec.longs());
        rejected = DeadLetterTable.of(store, "rejected");
        changes = TransactionalSink.changelog(store, "changes", KeyCodec.tagged(), Codec.longs());
    }

    /** Closes the store as a process that ends does, and opens it again. */
    void reopenStore() {
        store.close();
        openStore();
    }

    Flux<Checkpoint> job(CheckpointSpec spec) {
        KeyedFlux<String, Tick> keyed = LogSource.of(topic)
                .invalidTo(rejected)
                .watermarksMillis(Tick::time, watermarks)
                .map(
                        tick -> { // once for each event, which a key function need not be
                            onEvent.accept(tick);
                            return tick;
                        })
                .keyBy(Tick::key);
        return (lanes == 0 ? keyed : keyed.parallel(lanes))
                .window(WINDOWS)
                .aggregate(Aggregations.counting())
                .writeTo(table.and(changes), spec.named(JOB));
    }

    /** Appends to one partition, null for what can't be decoded. */
    void append(int partition, List<@Nullable Tick> ticks) {
        if (!ticks.isEmpty()) {
            topic.topic()
                    .append(ticks.stream()
                            .map(tick -> AppendRecord.to(partition, bytes(tick == null ? "?" : tick.toString())))
                            .toList())
                    .block(PATIENCE);
        }
    }

    /** Appends events of one key at these times. */
    void append(int partition, String key, long... times) {
        List<@Nullable Tick> ticks = new ArrayList<>();
        for (long time : times) {
            ticks.add(new Tick(partition, key, time));
        }
        append(partition, ticks);
    }

    JobStatus.Lane status() {
        return readStatus().block(PATIENCE);
    }

    Mono<JobStatus.Lane> readStatus() {
        return JobStatus.read(store, JOB, topic.topic())
                .map(status -> status.lanes().get(0));
    }

    Map<PlainBatch.Slot<String>, Long> rows() {
        Map<PlainBatch.Slot<String>, Long> values = new HashMap<>();
        table.rows().toIterable().forEach(r -> values.put(new PlainBatch.Slot<>(r.key(), r.window()), r.value()));
        return values;
    }

    List<WindowResult<String, Long>> emissions() {
        return changes.changes().collectList().block(PATIENCE);
    }

    static Map<PlainBatch.Slot<String>, Long> batch(List<Tick> accepted) {
        Map<PlainBatch.Slot<String>, Long> values = new HashMap<>();
        PlainBatch.evaluate(accepted, Tick::time, Tick::key, WINDOWS, Aggregations.<Tick>counting())
                .forEach(r -> values.put(new PlainBatch.Slot<>(r.key(), r.window()), r.value()));
        return values;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        store.close();
        log.close();
    }
}
