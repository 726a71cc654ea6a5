package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Judges events by the identities that have been there before (S39).
 *
 * <p>An identity is remembered from the first event with it until the watermark has come to that event's time plus the
 * time-to-live, whatever comes meanwhile: later events with it do not prolong its life, and earlier ones do not shorten it. An
 * event whose own time plus the time-to-live the watermark has come to is late: what it might be a duplicate of may be
 * forgotten. So of events with one identity within the time-to-live of each other one passes and no more. Confined to the lane.
 */
final class DedupeLogic<T, K, I> {

    /** An identity that is remembered is there, and has nothing more to say. */
    private static final Codec<Boolean> SEEN = new Codec<>() {
        @Override
        public String id() {
            return "seen";
        }

        @Override
        public byte[] encode(Boolean seen) {
            return new byte[0];
        }

        @Override
        public Boolean decode(byte[] bytes) {
            if (bytes.length > 0) {
                throw new IllegalArgumentException(bytes.length + " bytes are not a value of codec " + id());
            }
            return true;
        }
    };

    private final DedupeDefinition<T, K, I> definition;
    private final LiveCounters counters;
    private final KnownKeys places;
    private final LateSink.@Nullable Output<? super T> late;
    private final FailureSink.@Nullable Output failures;
    private final Moment<I> moment = new Moment<>();
    private final Cells<I, Boolean> seen;

    /** The watermark in force. */
    private long watermark;

    DedupeLogic(DedupeDefinition<T, K, I> definition, LaneContext lane, LiveCounters counters) {
        this.definition = definition;
        this.counters = counters;
        this.places = new KnownKeys(lane);
        LateSink<? super T> lateSink = definition.late();
        this.late = lateSink == null ? null : lateSink.open(lane);
        FailureSink failureSink = definition.failures();
        this.failures = failureSink == null ? null : failureSink.open(lane);
        String name = definition.name();
        long[] stored = lane.state().longs(name, Watermark.STATE_NAME);
        this.watermark = stored == null ? Watermark.NONE : stored[0];
        StatePlace<I> place =
                new StatePlace<>(lane.state(), name, definition.header(), definition.codec(), moment, counters);
        this.seen = new Cells<>(
                place, name, definition.codec(), SEEN, definition.timeToLive(), value -> value, this::forget);
    }

    private void forget(I identity) {
        seen.remove(identity);
    }

    /** Whether event {@code i} of {@code run} is the first of its identity; the others are counted, and what is late is told. */
    boolean passes(EventBatch<T> run, int i) {
        T event = run.value(i);
        long time = run.timestamp(i);
        watermark = Watermark.later(watermark, run.watermarkBefore(i));
        counters.add(Counter.INGESTED, 1);
        if (run.sign(i) < 0) {
            throw new IllegalStateException("a retraction of " + event + " reached " + definition.name()
                    + ", which can't tell what it takes back from a duplicate");
        }
        if (Watermark.reaches(watermark, Watermark.deadline(time, definition.timeToLive()))) {
            tooLate(event, time);
            return false;
        }
        I identity = failures == null ? identify(event) : identify(run, i, failures);
        if (identity == null) {
            return false;
        }
        return isFirst(identity, time);
    }

    private void tooLate(T event, long time) {
        if (late == null) {
            counters.add(Counter.DROPPED, 1);
        } else {
            late.accept(new LateEvent<>(event, time, watermark, List.of()));
            counters.add(Counter.SIDE, 1);
        }
    }

    private I identify(T event) {
        K key = definition.keyOf(event);
        I identity = identityOf(key, event);
        places.require(key);
        return identity;
    }

    private I identityOf(K key, T event) {
        return Objects.requireNonNull(definition.identity().apply(key, event), "the id function returned null");
    }

    /** The same where the functions may fail: null, and told, if they do. */
    @SuppressWarnings("CatchingUnchecked") // a function can throw a checked exception without saying so
    private @Nullable I identify(EventBatch<T> run, int i, FailureSink.Output output) {
        T event = run.value(i);
        K key;
        I identity;
        try {
            key = definition.keyOf(event);
            identity = identityOf(key, event);
        } catch (Exception e) {
            counters.add(Counter.FAILED, 1);
            output.accept(new FunctionFailure(event, definition.name(), run.timestamp(i), run.position(i), e));
            return null;
        }
        places.require(key);
        return identity;
    }

    private boolean isFirst(I identity, long time) {
        moment.begin(identity, time, watermark);
        try {
            StateCell<Boolean> cell = seen.find(identity);
            if (cell != null && !seen.isOver(cell)) {
                counters.add(Counter.DUPLICATES, 1);
                return false;
            }
            Objects.requireNonNull(seen.write(identity), "an entry that is not over").value = true;
        } finally {
            moment.end();
        }
        counters.add(Watermark.isLate(watermark, time) ? Counter.LATE : Counter.ON_TIME, 1);
        return true;
    }

    /** Moves on, and lets go of what is over. */
    void advance(long target) {
        watermark = Watermark.later(watermark, target);
        if (seen.isDue(watermark)) {
            seen.sweep(watermark);
        }
    }

    /** What has changed goes into the transaction of a passing barrier. */
    void flush(StateTransaction transaction) {
        seen.flush(transaction);
        transaction.longs(definition.name(), Watermark.STATE_NAME, new long[] {watermark});
        if (late != null) {
            late.flush(transaction);
        }
        if (failures != null) {
            failures.flush(transaction);
        }
        counters.save(transaction, definition.name());
        advance(watermark); // what there was no room for in this transaction goes into the next one
    }

    /** How many identities are held, those included that are over and not gone yet. */
    long entries() {
        return seen.size();
    }

    /** How many places their index of deadlines holds. */
    long indexed() {
        return seen.deadlines();
    }
}
