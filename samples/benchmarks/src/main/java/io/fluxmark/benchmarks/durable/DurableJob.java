package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.Answer;
import io.fluxmark.benchmarks.CountSumMax;
import io.fluxmark.benchmarks.Event;
import io.fluxmark.benchmarks.Generator;
import io.fluxmark.benchmarks.Tally;
import io.fluxmark.log.Partition;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.CheckpointCosts;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TableSink;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedFlux;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The pipeline as a job over a filled log: state, offsets and rows in one synced commit at a time. */
public final class DurableJob implements AutoCloseable {

    private static final String NAME = "bench";

    /** Keys are divided among no lanes. */
    private static final int ONE_LANE = 0;

    private final TypedTopic<Event> events;
    private final WindowSpec windows;
    private final StateStore store;
    private final TableSink<Long, CountSumMax.Summary> table;

    private DurableJob(TypedTopic<Event> events, WindowSpec windows, StateStore store) {
        this.events = events;
        this.windows = windows;
        this.store = store;
        this.table = TransactionalSink.table(store, "totals", KeyCodec.<Long>tagged(), new SummaryCodec());
    }

    /** Opens the store of a directory, or makes it. */
    static DurableJob open(Path directory, FilledLog log, WindowSpec windows) {
        return open(directory, log.events(), windows, StoreSpec.defaults());
    }

    /** Opens the store of a directory, or makes it, for events of a {@link FilledLog}. */
    public static DurableJob open(Path directory, TypedTopic<Event> events, WindowSpec windows, StoreSpec spec) {
        return new DurableJob(
                events,
                windows,
                Objects.requireNonNull(StateStore.open(directory, spec).block(), "store"));
    }

    /** Runs over all events there are; done when the last result is durable. Gives how many these were. */
    public long runToEnd(CheckpointSpec spec) {
        checkpoints(spec.drainWhen(Mono.just(true))).blockLast();
        return count();
    }

    private EventFlux<Event> timed() {
        return LogSource.of(events)
                .recordKeys(EventRecords::key)
                .watermarksMillis(
                        Event::timestamp,
                        WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(Generator.BOUND_MILLIS)));
    }

    private long count() {
        return events.topic().partitions().stream()
                .mapToLong(Partition::endOffset)
                .sum();
    }

    /** One element per durable commit. Cold; runs the job while subscribed. */
    public Flux<Checkpoint> checkpoints(CheckpointSpec spec) {
        EventFlux<Event> timed = timed();
        boolean alone = events.topic().partitionCount() == 1;
        return totals(alone ? timed.keyByLong(Event::key) : timed.keyByRecordKey(Event::key), spec);
    }

    private Flux<Checkpoint> totals(KeyedFlux<Long, Event> keyed, CheckpointSpec spec) {
        return keyed.window(windows).aggregate(new CountSumMax()).writeTo(table, spec.named(NAME));
    }

    /**
     * Runs over all events there are, merged, and done when the last result is durable. Gives how many these were.
     *
     * @param lanes among how many lanes keys are divided; 0 leaves one lane
     */
    long runMergedToEnd(CheckpointSpec spec, int lanes) {
        KeyedFlux<Long, Event> keyed = timed().keyByLong(Event::key);
        totals(lanes == ONE_LANE ? keyed : keyed.parallel(lanes), spec.drainWhen(Mono.just(true)))
                .blockLast();
        return count();
    }

    /** What the store holds, read back from its rows and counters. */
    public Answer answer() {
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
    public long commits() {
        return Objects.requireNonNull(store.info().block(), "info").commit();
    }

    /** The size of the store's file. */
    public long fileBytes() {
        return Objects.requireNonNull(store.info().block(), "info").fileBytes();
    }

    /** What its checkpoints have cost since the store was opened. */
    public CheckpointCosts costs() {
        return CheckpointCosts.of(store, NAME);
    }

    JobStatus status() {
        return Objects.requireNonNull(
                JobStatus.read(store, NAME, events.topic()).block(), "status");
    }

    @Override
    public void close() {
        store.close();
    }
}
