package io.fluxmark.experiments.barriers;

import io.fluxmark.benchmarks.CountSumMax;
import io.fluxmark.benchmarks.Event;
import io.fluxmark.benchmarks.durable.SummaryCodec;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TableSink;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * One lane with a large map, run for some barriers at a time: each run goes on where the one before has committed. The map is the pane
 * of a day that never ends, with the store's defaults.
 */
final class BarrierLane implements AutoCloseable {

    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Barriers of a run that are not measured. */
    private static final int UNMEASURED = 2;

    /** A lane that goes on is so many barriers further when it is cancelled, and their commits become durable after all. */
    private static final int BEYOND = 2;

    private final Topic topic;
    private final Change change;
    private final Scheduler clock;
    private final StateStore store;
    private final TableSink<Long, CountSumMax.Summary> table;
    private long position;

    /** A store in an empty directory, and the map in it. */
    BarrierLane(Path directory, Topic topic, Change change, Scheduler clock) {
        this.topic = topic;
        this.change = change;
        this.clock = clock;
        this.store = Objects.requireNonNull(StateStore.open(directory).block(), "store");
        this.table = TransactionalSink.table(store, "totals", KeyCodec.<Long>tagged(), new SummaryCodec());
        run(CheckpointSpec.everyEvents(change.events()).orEvery(NEVER), Long.MAX_VALUE, change.keys(), change.keys());
    }

    /** How many events a run for so many barriers may read, one that goes on from where the one before has committed. */
    static long eventsOf(Change change, int barriers) {
        return (long) (barriers + UNMEASURED + BEYOND) * change.events();
    }

    /** What so many barriers did; the first of a run is left out, since the lane has just begun then, and the last one, behind which it ends. */
    List<Stop> stops(boolean stopTheWorld, int barriers) {
        CheckpointSpec spec = CheckpointSpec.everyEvents(change.events()).orEvery(NEVER);
        Measured measured = run(
                stopTheWorld ? spec.stopTheWorld() : spec,
                barriers + UNMEASURED,
                Long.MAX_VALUE,
                eventsOf(change, barriers + BEYOND));
        List<Long> at = new ArrayList<>(measured.durable.keySet());
        List<Stop> stops = new ArrayList<>();
        for (int i = 1; i + 1 < at.size(); i++) {
            stops.add(stop(measured, at.get(i - 1), at.get(i), at.get(i + 1)));
        }
        return stops;
    }

    private record Measured(CycleCodec codec, ConcurrentSkipListMap<Long, Long> durable) {}

    /**
     * Runs until there are so many checkpoints, or one at or behind an offset.
     *
     * @param events that are noted when they are read
     */
    private Measured run(CheckpointSpec spec, long checkpoints, long until, long events) {
        CycleCodec codec = new CycleCodec(change, position, position + events, clock);
        ConcurrentSkipListMap<Long, Long> durable = new ConcurrentSkipListMap<>();
        LogSource.of(new TypedTopic<>(topic, codec))
                .watermarksMillis(Event::timestamp, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyByLong(Event::key)
                .window(WindowSpec.tumbling(Duration.ofDays(1)))
                .aggregate(new CountSumMax())
                .writeTo(table, spec.named("barriers"))
                .take(checkpoints)
                .doOnNext(checkpoint -> {
                    position = checkpoint.lanes().get(0).positions().get(0).nextOffset();
                    durable.put(position, clock.now(TimeUnit.NANOSECONDS));
                })
                .takeUntil(checkpoint -> position >= until)
                .blockLast(PATIENCE);
        return new Measured(codec, durable);
    }

    private static Stop stop(Measured measured, long before, long barrier, long next) {
        CycleCodec codec = measured.codec;
        long began = codec.before(barrier);
        long went = codec.from(barrier);
        long durable = moment(measured, barrier);
        long at = codec.at(durable, barrier, next);
        long last = codec.before(next);
        return new Stop(
                went - began,
                durable - began,
                durable > went ? rate(at - barrier, durable - went) : 0,
                rate(next - at, last - durable),
                moment(measured, before) > began);
    }

    private static long moment(Measured measured, long barrier) {
        return Objects.requireNonNull(measured.durable.get(barrier), "barrier");
    }

    private static double rate(long events, long nanos) {
        return nanos <= 0 ? 0 : events * 1e9 / nanos;
    }

    @Override
    public void close() {
        store.close();
    }
}
