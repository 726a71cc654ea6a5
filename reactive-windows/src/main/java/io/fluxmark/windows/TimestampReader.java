package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * Reads from what a source emits the event and its time, and judges whether that is one (S36). What is not is handed to
 * the invalid output. Confined to the lane; holds the timestamp read last.
 */
final class TimestampReader<S, T> {

    private final EventDecoder<S, ? extends T> decoder;
    private final TimestampFunction<? super T> timestamps;
    private final InvalidSink.Output invalid;
    private final Scheduler clock;
    private final WatermarkSpec.FarFuture farFuture;
    private final long maxAhead;
    private final UnitCheck units;

    private long latest = Long.MAX_VALUE;
    private long timestamp;
    private boolean ahead;

    /** What the source emitted last: the run that it is in, and where, or by itself. */
    private @Nullable List<? extends S> currentRun;

    private int currentIndex;
    private @Nullable S current;

    TimestampReader(TimeDefinition<S, T> definition, LaneContext lane) {
        this.decoder = definition.decoder();
        this.timestamps = definition.timestamps();
        this.invalid = definition.invalid().open(lane);
        this.farFuture = definition.spec().farFuture();
        this.maxAhead = definition.spec().maxAheadMillis();
        this.clock = lane.clock();
        this.units = new UnitCheck(definition.name());
    }

    /** Has to be called before a run of events is read: the guard moves with the clock. Returns the time, epoch ms. */
    long begin() {
        long now = clock.now(TimeUnit.MILLISECONDS);
        if (farFuture != WatermarkSpec.FarFuture.TRUST) {
            long end = now + maxAhead;
            latest = end < 0 ? Long.MAX_VALUE : end;
        }
        return now;
    }

    /** Reads an event; null when it is invalid, which has been told then. */
    @Nullable
    T read(S source) {
        currentRun = null;
        current = source;
        T decoded;
        try {
            decoded = decoder.decode(source);
        } catch (RuntimeException e) {
            return rejectUndecoded(e);
        }
        return timed(decoded);
    }

    /** Reads an event of a run, of which nothing else is made; null when it is invalid, which has been told then. */
    @Nullable
    T read(List<? extends S> run, int index) {
        if (currentRun != run) { // to write a reference costs as much as the rest of this
            currentRun = run;
        }
        currentIndex = index;
        T decoded;
        try {
            decoded = decoder.decodeAt(run, index);
        } catch (RuntimeException e) {
            return rejectUndecoded(e);
        }
        return timed(decoded);
    }

    private @Nullable T timed(@Nullable T decoded) {
        if (decoded == null) {
            return reject(source(), "it decodes to nothing", null);
        }
        try {
            timestamp = timestamps.epochMillis(decoded);
        } catch (RuntimeException e) {
            return rejectUndecoded(e);
        }
        if (timestamp < -WindowSpec.MAX_MILLIS || timestamp > WindowSpec.MAX_MILLIS) {
            units.see(timestamp);
            return reject(decoded, "the timestamp " + timestamp + " ms is not a time", null);
        }
        ahead = timestamp > latest;
        if (ahead && farFuture == WatermarkSpec.FarFuture.REJECT) {
            units.see(timestamp);
            return reject(
                    decoded,
                    "the timestamp " + timestamp + " ms is more than " + maxAhead
                            + " ms in the future; correct the clock that made it, or widen maxAhead",
                    null);
        }
        return decoded;
    }

    /**
     * Has to be called behind a run with what was accepted of it. The look at units is taken here, a run at a time: among
     * the reading of events it would cost every lane, and not only its first hundred events.
     */
    void end(TimedRun<?> run) {
        if (units.isOpen()) {
            run.showTimestamps(units);
        }
    }

    /** The same of the event read last alone. */
    void end() {
        if (units.isOpen()) {
            units.see(timestamp);
        }
    }

    /** The same of a run that was put together otherwise. */
    void end(EventBatch<T> run) {
        for (int i = 0; i < run.size() && units.isOpen(); i++) {
            units.see(run.timestamp(i));
        }
    }

    private @Nullable T rejectUndecoded(RuntimeException cause) {
        return reject(source(), "no timestamp can be had: " + cause, cause);
    }

    private S source() {
        List<? extends S> run = currentRun;
        return run == null ? Objects.requireNonNull(current, "current") : run.get(currentIndex);
    }

    /** Hands an event to the invalid output; always null. */
    @Nullable
    T reject(Object event, String reason, @Nullable Throwable cause) {
        InvalidEvent rejected = new InvalidEvent(Objects.requireNonNull(event, "event"), reason, cause);
        try {
            invalid.accept(rejected, source());
        } catch (Throwable t) {
            FailedEvent.addTo(t, event);
            throw t;
        }
        return null;
    }

    /** A barrier passes: what was rejected before it belongs to its transaction. */
    void flush(StateTransaction transaction) {
        invalid.flush(transaction);
    }

    /** The timestamp of the event read last, epoch ms. */
    long timestamp() {
        return timestamp;
    }

    /** Whether that event lies beyond the guard: then it does not move the watermark. */
    boolean isAhead() {
        return ahead;
    }
}
