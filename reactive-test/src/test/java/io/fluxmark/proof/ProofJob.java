package io.fluxmark.proof;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.ChangelogSink;
import io.fluxmark.sinks.LateTable;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TableSink;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.EventSink;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;

/** The job that is crashed: everything a job can write, over a log and a store. */
final class ProofJob implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final String NAME = "proof";
    static final String TOPIC = "ticks";
    static final int PARTITIONS = 4;
    static final long SIZE = 100;
    static final long LATENESS = 100;
    static final long DELAY = 20;

    /** As the job itself names its operators. */
    static final String EVENT_TIME = "event-time-1";

    static final String WINDOW = "window-2";

    private static final int BATCH = 20;

    /** Where the job's key function passes by with each event: to arm something, or to throw. */
    volatile Consumer<Tick> onEvent = tick -> {};

    private final EventLog log;
    private final StateStore store;
    private final TypedTopic<Tick> topic;
    private final TableSink<String, Long> table;
    private final ChangelogSink<String, Long> changes;
    private final LateTable<Tick> late;

    private ProofJob(EventLog log, StateStore store) {
        this.log = log;
        this.store = store;
        topic = new TypedTopic<>(
                log.createTopic(TOPIC, PARTITIONS).block(PATIENCE), record -> Tick.CODEC.decode(record.value()));
        table = TransactionalSink.table(store, "sums", KeyCodec.tagged(), Codec.longs());
        changes = TransactionalSink.changelog(store, "changes", KeyCodec.tagged(), Codec.longs());
        late = LateTable.of(store, "late", Tick.CODEC);
    }

    /** Over real files. */
    static ProofJob open(Path directory) {
        return of(
                EventLog.open(directory.resolve("log")).block(PATIENCE),
                StateStore.open(directory.resolve("state")).block(PATIENCE));
    }

    /** Takes both over: {@link #close} closes them. */
    static ProofJob of(EventLog log, StateStore store) {
        return new ProofJob(log, store);
    }

    Flux<Checkpoint> run(CheckpointSpec spec) {
        return pipeline().writeTo(table.and(changes), spec.named(NAME));
    }

    /** The same with the end of the pipeline under the hands of the test. */
    Flux<Checkpoint> run(CheckpointSpec spec, Mutation mutation) {
        TransactionalSink<WindowResult<String, Long>> sink = table.and(changes);
        EventSink<WindowResult<String, Long>> mutant =
                (definition, checkpoints) -> sink.write(mutation.apply(definition), checkpoints);
        return pipeline().writeTo(mutant, spec.named(NAME));
    }

    private EventFlux<WindowResult<String, Long>> pipeline() {
        return LogSource.of(topic)
                .watermarksMillis(Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(DELAY)))
                .keyByRecordKey(tick -> {
                    onEvent.accept(tick);
                    return tick.key();
                })
                .window(WindowSpec.tumbling(Duration.ofMillis(SIZE)).allowedLateness(Duration.ofMillis(LATENESS)))
                .lateTo(late)
                .aggregate(Aggregations.summingLong(Tick::amount));
    }

    /** Appends in order, a few at a time, beginning with the first few that the log does not have as a whole. */
    void append(List<Tick> ticks) {
        for (int from = 0; from < ticks.size(); from += BATCH) {
            if (!ticks.subList(from, Math.min(ticks.size(), from + BATCH)).stream()
                    .allMatch(this::isAppended)) {
                append(ticks, from);
            }
        }
    }

    private boolean isAppended(Tick tick) {
        int partition = topic().partitionFor(tick.keyBytes());
        return topic().partition(partition).highestSequence(Tick.PRODUCER).orElse(-1) >= tick.number();
    }

    /** Appends the few ticks that begin at {@code from}; those that the log has already are recognised. */
    void append(List<Tick> ticks, int from) {
        List<Tick> some = ticks.subList(from, Math.min(ticks.size(), from + BATCH));
        topic().append(some.stream().map(Tick::record).toList()).block(PATIENCE);
    }

    Topic topic() {
        return topic.topic();
    }

    StateStore store() {
        return store;
    }

    TableSink<String, Long> table() {
        return table;
    }

    ChangelogSink<String, Long> changes() {
        return changes;
    }

    LateTable<Tick> late() {
        return late;
    }

    @Override
    public void close() {
        store.close();
        log.close();
    }
}
