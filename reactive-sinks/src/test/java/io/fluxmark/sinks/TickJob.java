package io.fluxmark.sinks;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.Partition;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.LiveExplanation;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A log with a topic of ticks, a store, and a job that counts them per key and window of 10 ms. */
final class TickJob implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));

    /** An event: a key and its time. */
    record Tick(String key, long time) {

        static Tick parse(String text) {
            int at = text.indexOf('@');
            return new Tick(text.substring(0, at), Long.parseLong(text.substring(at + 1)));
        }
    }

    final Path directory;
    final EventLog log;
    final StateStore store;
    final TypedTopic<Tick> topic;
    WindowSpec windows = TEN;
    WatermarkSpec watermarks = WatermarkSpec.ascending();

    /** Of each lane that has been subscribed to, what explains its windows. */
    final List<LiveExplanation> explanations = Collections.synchronizedList(new ArrayList<>());

    /** Is given late events. */
    Consumer<LateEvent<Tick>> late = event -> {};

    /** What stands between the source and the key. */
    UnaryOperator<EventFlux<Tick>> before = events -> events;

    private TickJob(Path directory, int partitions) {
        this.directory = directory;
        log = EventLog.open(directory.resolve("log")).block(PATIENCE);
        log.createTopic("ticks", partitions).block(PATIENCE);
        topic = log.topic("ticks", record -> Tick.parse(EventCodec.utf8().decode(record)));
        store = StateStore.open(directory.resolve("state")).block(PATIENCE);
    }

    static TickJob open(Path directory, int partitions) {
        return new TickJob(directory, partitions);
    }

    /** Appends ticks, as {@code key@time}, to a partition. */
    void append(int partition, List<String> ticks) {
        topic.topic()
                .append(ticks.stream()
                        .map(tick -> AppendRecord.to(partition, tick.getBytes(StandardCharsets.UTF_8)))
                        .toList())
                .block(PATIENCE);
    }

    /** The same to partition 0. */
    void append(String... ticks) {
        append(0, List.of(ticks));
    }

    Partition partition(int number) {
        return topic.topic().partition(number);
    }

    TableSink<String, Long> table(String name) {
        return TransactionalSink.table(store, name, KeyCodec.tagged(), Codec.longs());
    }

    ChangelogSink<String, Long> changelog(String name) {
        return TransactionalSink.changelog(store, name, KeyCodec.tagged(), Codec.longs());
    }

    EventFlux<WindowResult<String, Long>> counts() {
        return before.apply(LogSource.of(topic).placedExplicitly().watermarksMillis(Tick::time, watermarks))
                .keyByRecordKey(Tick::key)
                .window(windows)
                .lateTo(event -> late.accept(event))
                .explainTo(explanations::add)
                .aggregate(Aggregations.counting());
    }

    /** The job; not subscribed to. */
    Flux<Checkpoint> run(TransactionalSink<WindowResult<String, Long>> sink, CheckpointSpec spec) {
        return counts().writeTo(sink, spec);
    }

    JobStatus status(String job) {
        return JobStatus.read(store, job, topic.topic()).block(PATIENCE);
    }

    /** The rows of a table, as {@code key[start,end)} to value. */
    static Map<String, Long> rows(TableSink<String, Long> table) {
        Map<String, Long> rows = new TreeMap<>();
        table.rows().toIterable().forEach(row -> rows.put(slot(row.key(), row.window()), row.value()));
        return rows;
    }

    /** The emissions of a changelog in their order, as {@code kind key[start,end)=value}. */
    static List<String> changes(ChangelogSink<String, Long> changelog) {
        return changelog
                .changes()
                .map(row -> row.kind() + " " + slot(row.key(), row.window()) + "=" + row.value())
                .collectList()
                .block(PATIENCE);
    }

    private static String slot(String key, TimeWindow window) {
        return key + "[" + window.start() + "," + window.end() + ")";
    }

    /** The newest counts of all lanes that any of the checkpoints tells of. */
    static Counters counts(List<Checkpoint> checkpoints) {
        Map<Integer, Counters> newest = new HashMap<>();
        for (Checkpoint checkpoint : checkpoints) {
            for (LaneCheckpoint lane : checkpoint.lanes()) {
                newest.put(lane.lane(), lane.counts());
            }
        }
        return newest.values().stream().reduce(Counters.ZERO, Counters::plus);
    }

    /** Comes back once the condition, which may block, holds, and fails when it does not in time. */
    static void until(String what, BooleanSupplier condition) {
        Flux.interval(Duration.ofMillis(2), Schedulers.boundedElastic())
                .onBackpressureDrop()
                .filter(tick -> condition.getAsBoolean())
                .next()
                .timeout(PATIENCE, Mono.error(() -> new AssertionError("in vain waited until " + what)))
                .block();
    }

    @Override
    public void close() {
        store.close();
        log.close();
    }
}
