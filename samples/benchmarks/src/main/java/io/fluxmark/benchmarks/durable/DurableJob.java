package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.Answer;
import io.fluxmark.benchmarks.CountSumMax;
import io.fluxmark.benchmarks.Event;
import io.fluxmark.benchmarks.Generator;
import io.fluxmark.benchmarks.Tally;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TableSink;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The pipeline as a job over a filled log: state, offsets and rows in one synced commit at a time. */
final class DurableJob implements AutoCloseable {

    private static final String NAME = "bench";

    private final FilledLog log;
    private final WindowSpec windows;
    private final StateStore store;
    private final TableSink<Long, CountSumMax.Summary> table;

    private DurableJob(FilledLog log, WindowSpec windows, StateStore store) {
        this.log = log;
        this.windows = windows;
        this.store = store;
        this.table = TransactionalSink.table(store, "totals", KeyCodec.<Long>tagged(), new SummaryCodec());
    }

    /** Opens the store of a directory, or makes it. */
    static DurableJob open(Path directory, FilledLog log, WindowSpec windows) {
        return new DurableJob(
                log, windows, Objects.requireNonNull(StateStore.open(directory).block(), "store"));
    }

    /** Runs over all events; done when the last result is durable. */
    long runToEnd(CheckpointSpec spec) {
        checkpoints(spec.drainWhen(Mono.just(true))).blockLast();
        return log.count();
    }

    /** One element per durable commit. */
    Flux<Checkpoint> checkpoints(CheckpointSpec spec) {
        EventFlux<Event> events = LogSource.of(log.events())
                .recordKeys(EventRecords::key)
                .watermarksMillis(
                        Event::timestamp,
                        WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(Generator.BOUND_MILLIS)));
        boolean alone = log.events().topic().partitionCount() == 1;
        return (alone ? events.keyByLong(Event::key) : events.keyByRecordKey(Event::key))
                .window(windows)
                .aggregate(new CountSumMax())
                .writeTo(table, spec.named(NAME));
    }

    /** What the store holds, read back from its rows and counters. */
    Answer answer() {
        Tally tally = new Tally();
        table.rows()
                .doOnNext(row -> {
                    CountSumMax.Summary value = row.value();
                    tally.add(row.key(), row.window().start(), value.count(), value.sum(), value.max());
                })
                .blockLast();
        return tally.answer(status().lanes().stream()
                .mapToLong(lane -> lane.counts().get(Counter.DROPPED))
                .sum());
    }

    /** The number of the store's newest commit. */
    long commits() {
        return Objects.requireNonNull(store.info().block(), "info").commit();
    }

    /** The size of the store's file. */
    long fileBytes() {
        return Objects.requireNonNull(store.info().block(), "info").fileBytes();
    }

    JobStatus status() {
        return Objects.requireNonNull(
                JobStatus.read(store, NAME, log.events().topic()).block(), "status");
    }

    @Override
    public void close() {
        store.close();
    }
}
