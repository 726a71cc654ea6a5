package io.fluxmark.windows;

import io.fluxmark.windows.internal.PassThroughOperator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * Gives the events of one partition their timestamps and the stream its watermark, event by event (S04). An event that
 * can't be decoded, has no usable timestamp, or lies beyond the guard is counted as rejected and leaves the run; the
 * watermark does not see it. The largest timestamp is part of every checkpoint (S47).
 */
final class EventTimeOperator<S, T> extends PassThroughOperator<StreamElement<S>, StreamElement<T>>
        implements WatermarkSource {

    /** Under which the state of a generator is committed. */
    private static final String GENERATOR_NAME = "generator";

    private final String name;
    private final TimestampReader<S, T> reader;
    private final PartitionWatermark partition;
    private final boolean hasGenerator;
    private final LaneContext lane;
    private final LiveCounters counters = new LiveCounters();

    /** How far it has come, for other threads: told behind each run. */
    private final AtomicReference<Progress> progress;

    private record Progress(long newest, long ofEvents, long watermark, long lastCame, @Nullable DelayChoice delay) {}

    /** When the last run came, or the beginning, epoch ms. */
    private long lastCame;

    /** The watermark in force, which follows from the events or was given by the upstream. */
    private long watermark = Watermark.NONE;

    /** The last one that the upstream gave. */
    private long given = Watermark.NONE;

    EventTimeOperator(
            CoreSubscriber<? super StreamElement<T>> actual, TimeDefinition<S, T> definition, LaneContext lane) {
        super(actual);
        this.name = definition.name();
        this.reader = new TimestampReader<>(definition, lane);
        this.partition = new PartitionWatermark(definition.spec());
        this.hasGenerator = definition.spec().hasGenerator();
        this.lane = lane;
        this.lastCame = lane.clock().now(TimeUnit.MILLISECONDS);
        restore(lane.state());
        this.progress = new AtomicReference<>(progress());
        lane.counters(name, counters);
    }

    private void restore(StateBackend state) {
        long[] stored = state.longs(name, WatermarkSpec.STATE_NAME);
        long[] generator = hasGenerator ? state.longs(name, GENERATOR_NAME) : null;
        if (stored != null) {
            watermark = stored[1];
            partition.restoreMaximum(stored[0]);
        }
        if (generator != null) {
            partition.restore(generator);
        }
        counters.restore(state, name);
    }

    @Override
    protected StreamElement<T> apply(StreamElement<S> element) {
        if (element instanceof EventBatch<S> batch) {
            return assign(batch);
        }
        if (element instanceof Watermark<S> progress) {
            advanceTo(progress.timestamp());
        }
        if (element instanceof CheckpointBarrier<S> barrier) {
            save(barrier.transaction());
        }
        return ControlElements.retype(element);
    }

    private Progress progress() {
        return new Progress(partition.maximum(), partition.watermark(), watermark, lastCame, partition.delay());
    }

    @Override
    public Mono<WatermarkOrigin> origin() {
        return Mono.fromSupplier(() -> {
            Progress now = Objects.requireNonNull(progress.get(), "progress");
            int number = WatermarkSource.onlyPartition(lane);
            PartitionProgress only = new PartitionProgress(
                    number,
                    PartitionProgress.Standing.ACTIVE,
                    now.watermark != Watermark.END,
                    now.newest,
                    now.ofEvents,
                    now.lastCame,
                    lane.lag(number),
                    now.delay);
            return new WatermarkOrigin(name, now.watermark, List.of(only));
        });
    }

    private void advanceTo(long upstream) {
        if (Watermark.advances(upstream, given)) {
            counters.add(Counter.WATERMARK_REGRESSIONS, 1);
        } else {
            given = upstream;
            watermark = Watermark.later(watermark, upstream);
            progress.lazySet(progress());
        }
    }

    private void save(StateTransaction transaction) {
        transaction.longs(name, WatermarkSpec.STATE_NAME, new long[] {partition.maximum(), watermark});
        if (hasGenerator) {
            transaction.longs(name, GENERATOR_NAME, partition.state());
        }
        counters.save(transaction, name);
        reader.flush(transaction);
    }

    private StreamElement<T> assign(EventBatch<S> batch) {
        long now = reader.begin();
        TimedRun<T> run = new TimedRun<>(batch);
        int size = batch.size();
        int rejected = 0;
        int regressions = 0;
        long inForce = watermark;
        List<? extends S> unread = batch.unread();
        for (int i = 0; i < size; i++) {
            T value = unread == null ? reader.read(batch.value(i)) : reader.read(unread, i);
            if (value == null) {
                rejected++;
                continue;
            }
            long timestamp = reader.timestamp();
            run.add(i, value, timestamp, inForce);
            if (!reader.isAhead()) {
                if (!partition.onEvent(timestamp)) {
                    regressions++;
                }
                inForce = Watermark.later(inForce, partition.watermark());
            }
        }
        watermark = inForce;
        if (rejected < size) {
            lastCame = now;
        }
        progress.lazySet(progress());
        reader.end(run);
        counters.add(Counter.INGESTED, size);
        counters.add(Counter.REJECTED, rejected);
        counters.add(Counter.WATERMARK_REGRESSIONS, regressions);
        return run.build(inForce);
    }
}
