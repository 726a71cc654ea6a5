package io.fluxmark.http;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.JobMonitor;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A log, a store, and a job that counts what comes per key and second; values are {@code key@millis}. */
final class CountingJob implements AutoCloseable {

    static final String NAME = "counting";
    static final Duration PATIENCE = Duration.ofSeconds(60);

    final EventLog log;
    private final StateStore store;
    private final TypedTopic<String> topic;
    private final Scheduler clock;

    private CountingJob(Path directory, Scheduler clock) {
        this.clock = clock;
        log = Objects.requireNonNull(EventLog.open(directory.resolve("log")).block(PATIENCE));
        log.createTopic("seconds", 1).block(PATIENCE);
        topic = log.topic("seconds", EventCodec.utf8());
        store = Objects.requireNonNull(
                StateStore.open(directory.resolve("state")).block(PATIENCE));
    }

    static CountingJob open(Path directory, Scheduler clock) {
        return new CountingJob(directory, clock);
    }

    void append(String... values) {
        topic.topic()
                .append(Arrays.stream(values)
                        .map(value -> AppendRecord.to(0, value.getBytes(StandardCharsets.UTF_8)))
                        .toList())
                .block(PATIENCE);
    }

    Flux<Checkpoint> run() {
        return LogSource.of(topic)
                .placedExplicitly()
                .watermarksMillis(
                        text -> Long.parseLong(text.substring(text.indexOf('@') + 1)), WatermarkSpec.ascending())
                .keyByRecordKey(text -> text.substring(0, text.indexOf('@')))
                .window(WindowSpec.tumbling(Duration.ofSeconds(1)))
                .aggregate(Aggregations.counting())
                .writeTo(
                        TransactionalSink.table(store, "counts"),
                        CheckpointSpec.every(Duration.ofSeconds(1)).named(NAME).scheduler(clock));
    }

    JobMonitor monitor() {
        return JobMonitor.of(store, NAME, topic.topic()).clock(clock);
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
