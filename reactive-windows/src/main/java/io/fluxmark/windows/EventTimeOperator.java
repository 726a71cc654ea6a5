package io.fluxmark.windows;

import io.fluxmark.windows.internal.PassThroughOperator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.scheduler.Scheduler;

/**
 * Gives events their timestamps and the stream its watermark, event by event (S04). An event that can't be decoded, has
 * no usable timestamp, or lies beyond the guard is counted as rejected and leaves the run; the watermark does not see
 * it. The largest timestamp is part of every checkpoint (S47).
 */
final class EventTimeOperator<S, T> extends PassThroughOperator<StreamElement<S>, StreamElement<T>> {

    private final String name;
    private final Function<? super S, ? extends @Nullable T> decoder;
    private final TimestampFunction<? super T> timestamps;
    private final WatermarkSpec spec;
    private final Consumer<? super InvalidEvent> invalid;
    private final LiveCounters counters;
    private final Scheduler clock;

    /** The largest timestamp seen, and the watermark that follows from it or was given by the upstream. */
    private long maximum = Long.MIN_VALUE;

    private long watermark = Watermark.NONE;

    EventTimeOperator(
            CoreSubscriber<? super StreamElement<T>> actual,
            String name,
            Function<? super S, ? extends @Nullable T> decoder,
            TimestampFunction<? super T> timestamps,
            WatermarkSpec spec,
            Consumer<? super InvalidEvent> invalid,
            LaneContext lane) {
        super(actual);
        this.name = name;
        this.decoder = decoder;
        this.timestamps = timestamps;
        this.spec = spec;
        this.invalid = invalid;
        this.clock = lane.clock();
        this.counters = new LiveCounters();
        restore(lane.state());
        lane.counters(name, counters);
    }

    private void restore(StateBackend state) {
        long[] stored = state.longs(name, WatermarkSpec.STATE_NAME);
        if (stored != null) {
            maximum = stored[0];
            watermark = stored[1];
        }
        counters.restore(state, name);
    }

    @Override
    protected StreamElement<T> apply(StreamElement<S> element) {
        if (element instanceof EventBatch<S> batch) {
            return assign(batch);
        }
        if (element instanceof Watermark<S> given && Watermark.advances(watermark, given.timestamp())) {
            watermark = given.timestamp();
        }
        if (element instanceof CheckpointBarrier<S> barrier) {
            barrier.transaction().longs(name, WatermarkSpec.STATE_NAME, new long[] {maximum, watermark});
            counters.save(barrier.transaction(), name);
        }
        return ControlElements.retype(element);
    }

    private StreamElement<T> assign(EventBatch<S> batch) {
        long latest = spec.farFuture() == WatermarkSpec.FarFuture.TRUST ? Long.MAX_VALUE : latestTrusted();
        TimedRun<T> run = new TimedRun<>(batch);
        int rejected = 0;
        for (int i = 0; i < batch.size(); i++) {
            if (!assign(batch.value(i), i, latest, run)) {
                rejected++;
            }
        }
        counters.add(Counter.INGESTED, batch.size());
        counters.add(Counter.REJECTED, rejected);
        return run.build(watermark);
    }

    private long latestTrusted() {
        long latest = clock.now(TimeUnit.MILLISECONDS) + spec.maxAheadMillis();
        return latest < 0 ? Long.MAX_VALUE : latest;
    }

    private boolean assign(S source, int index, long latest, TimedRun<T> run) {
        T value;
        long timestamp;
        try {
            value = decoder.apply(source);
            if (value == null) {
                return reject(source, "it decodes to nothing", null);
            }
            timestamp = timestamps.epochMillis(value);
        } catch (RuntimeException e) {
            return reject(source, "no timestamp can be had: " + e, e);
        }
        if (timestamp < -WindowSpec.MAX_MILLIS || timestamp > WindowSpec.MAX_MILLIS) {
            return reject(value, "the timestamp " + timestamp + " ms is not a time", null);
        }
        boolean ahead = timestamp > latest;
        if (ahead && spec.farFuture() == WatermarkSpec.FarFuture.REJECT) {
            return reject(
                    value,
                    "the timestamp " + timestamp + " ms is more than " + spec.maxAheadMillis()
                            + " ms in the future; correct the clock that made it, or widen maxAhead",
                    null);
        }
        run.add(index, value, timestamp, watermark);
        if (timestamp > maximum && !ahead) {
            maximum = timestamp;
            long next = Watermark.after(maximum, spec.delayMillis());
            if (Watermark.advances(watermark, next)) {
                watermark = next;
            }
        }
        return true;
    }

    private boolean reject(Object event, String reason, @Nullable Throwable cause) {
        invalid.accept(new InvalidEvent(Objects.requireNonNull(event, "event"), reason, cause));
        return false;
    }
}
