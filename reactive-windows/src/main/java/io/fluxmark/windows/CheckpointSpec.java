package io.fluxmark.windows;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** When a job commits, what it is called, and how it ends. Immutable: each method returns a changed copy. */
public final class CheckpointSpec {

    private static final String NAME = "[A-Za-z0-9._-]{1,100}";

    private final Values values;

    private CheckpointSpec(Values values) {
        this.values = values;
    }

    /**
     * A barrier whenever {@code interval} has passed since the last one and there was any input; behind a million events
     * of a lane at the latest.
     */
    public static CheckpointSpec every(Duration interval) {
        return new CheckpointSpec(new Values()).orEvery(interval);
    }

    /** A barrier behind every {@code events}-th event of a lane, and after a second at the latest. */
    public static CheckpointSpec everyEvents(long events) {
        return new CheckpointSpec(new Values()).orEveryEvents(events);
    }

    /**
     * A barrier behind the event with which a lane has read {@code bytes} since its last one, after a second at the
     * latest; see {@link #orEveryBytes}.
     */
    public static CheckpointSpec everyBytes(long bytes) {
        return new CheckpointSpec(new Values()).orEveryBytes(bytes);
    }

    /**
     * Also when {@code interval} has passed; where the commit before is not durable by then, as soon as it is. A barrier meanwhile
     * would have the lane stand still for a few events.
     */
    public CheckpointSpec orEvery(Duration interval) {
        Duration positive = positive("a checkpoint interval", interval);
        return with(copy -> copy.interval = positive);
    }

    /** Also behind every {@code events}-th event of a lane. */
    public CheckpointSpec orEveryEvents(long events) {
        long least = atLeastOne("event", events);
        return with(copy -> copy.events = least);
    }

    /**
     * Also behind the event with which a lane has read {@code bytes} since its last barrier: keys and values of the
     * source's records, as they are once unpacked. A barrier stands behind a whole record, so one record may be more.
     */
    public CheckpointSpec orEveryBytes(long bytes) {
        long least = atLeastOne("byte", bytes);
        return with(copy -> copy.bytes = least);
    }

    /**
     * Also whenever {@code demand} emits: each lane sets a barrier at once, in front of what it reads next, even if there
     * was no input since its last one. What is emitted while a barrier is still to be set asks for that one. Each lane subscribes
     * with unbounded demand; the end of {@code demand} changes nothing, its error fails the job.
     */
    public CheckpointSpec orWhen(Publisher<?> demand) {
        Objects.requireNonNull(demand, "demand");
        return with(copy -> copy.demand = demand);
    }

    /**
     * Each lane stops at its barrier: it reads no further record until the barrier's commit is durable. Without this a lane
     * goes on meanwhile, up to its next barrier, which is faster and means the same; this mode is for comparison, and for sources
     * that should rest while the disk works.
     */
    public CheckpointSpec stopTheWorld() {
        return with(copy -> copy.stopsTheWorld = true);
    }

    /**
     * How long a commit may take: if it is not durable so long after its barrier has come to the end of its lane, the job
     * fails with a retryable error. Unlimited by default. A barrier on its way costs nothing of it: neither one that waits
     * behind a firing, nor one that downstream does not ask for. Measured on {@link #scheduler}.
     *
     * <p>The commit that was late may become durable after all; the next run begins behind it if it has, and the store
     * refuses it from then on if it has not.
     */
    public CheckpointSpec timeout(Duration limit) {
        Duration positive = positive("the time-out of a checkpoint", limit);
        return with(copy -> copy.timeout = positive);
    }

    /**
     * How many time-outs in a row a lane bears before it fails; 0 by default. Transactions of a lane become durable in
     * order, so none can be given up for a later one: bearing a time-out means that the same commit is waited for once more
     * as long, while the lane stands still at its next barrier. A commit that becomes durable begins the count anew.
     */
    public CheckpointSpec tolerateTimeouts(int inARow) {
        if (inARow < 0) {
            throw new IllegalArgumentException("time-outs in a row are 0 or more but were " + inARow);
        }
        return with(copy -> copy.toleratedTimeouts = inARow);
    }

    /** The job's name, under which a later run finds its state: 1 to 100 letters, digits, dots, dashes, underscores. */
    public CheckpointSpec named(String name) {
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException("a job's name matches " + NAME + " but was '" + name + "'");
        }
        return with(copy -> copy.name = name);
    }

    /**
     * When {@code signal} emits or completes: a last barrier in every lane, nothing is fired, and when it is durable the
     * job completes. The next run goes on from there.
     */
    public CheckpointSpec stopWhen(Publisher<?> signal) {
        Objects.requireNonNull(signal, "signal");
        return with(copy -> copy.stop = signal);
    }

    /**
     * When {@code signal} emits or completes: each lane reads what its partition holds by then, the stream ends, every
     * window fires, and the job is finished for good. A finished job with no newer records completes at once.
     */
    public CheckpointSpec drainWhen(Publisher<?> signal) {
        Objects.requireNonNull(signal, "signal");
        return with(copy -> copy.drain = signal);
    }

    /** Where lanes run and the clock they use; {@link Schedulers#parallel()} by default. */
    public CheckpointSpec scheduler(Scheduler scheduler) {
        Objects.requireNonNull(scheduler, "scheduler");
        return with(copy -> copy.scheduler = scheduler);
    }

    /** Events of a lane between barriers, at least 1. */
    public long events() {
        return values.events;
    }

    /** Bytes that a lane reads between barriers, at least 1; {@link Long#MAX_VALUE} if they play no part. */
    public long bytes() {
        return values.bytes;
    }

    /** The longest time between barriers while there is input. */
    public Duration interval() {
        return values.interval;
    }

    /** What asks for barriers, or null. */
    public @Nullable Publisher<?> demand() {
        return values.demand;
    }

    /** Whether lanes wait for their commits. */
    public boolean stopsTheWorld() {
        return values.stopsTheWorld;
    }

    /** How long a commit may take, or null for as long as it likes. */
    public @Nullable Duration timeout() {
        return values.timeout;
    }

    /** How many time-outs in a row a lane bears. */
    public int toleratedTimeouts() {
        return values.toleratedTimeouts;
    }

    /** The job's name, or null. */
    public @Nullable String name() {
        return values.name;
    }

    /** What stops the job, or null. */
    public @Nullable Publisher<?> stop() {
        return values.stop;
    }

    /** What drains the job, or null. */
    public @Nullable Publisher<?> drain() {
        return values.drain;
    }

    /** Where lanes run. */
    public Scheduler scheduler() {
        return values.scheduler == null ? Schedulers.parallel() : values.scheduler;
    }

    private CheckpointSpec with(Consumer<Values> change) {
        Values copy = new Values(values);
        change.accept(copy);
        return new CheckpointSpec(copy);
    }

    private static Duration positive(String what, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(what + " is positive but was " + duration);
        }
        return duration;
    }

    private static long atLeastOne(String what, long number) {
        if (number < 1) {
            throw new IllegalArgumentException("a checkpoint takes at least 1 " + what + " but was given " + number);
        }
        return number;
    }

    private static final class Values {

        /** What one commit may hold is bounded, however long the interval. */
        private long events = 1_000_000;

        private long bytes = Long.MAX_VALUE;
        private Duration interval = Duration.ofSeconds(1);
        private @Nullable Publisher<?> demand;
        private boolean stopsTheWorld;
        private @Nullable Duration timeout;
        private int toleratedTimeouts;
        private @Nullable String name;
        private @Nullable Publisher<?> stop;
        private @Nullable Publisher<?> drain;
        private @Nullable Scheduler scheduler;

        Values() {}

        Values(Values other) {
            events = other.events;
            bytes = other.bytes;
            interval = other.interval;
            demand = other.demand;
            stopsTheWorld = other.stopsTheWorld;
            timeout = other.timeout;
            toleratedTimeouts = other.toleratedTimeouts;
            name = other.name;
            stop = other.stop;
            drain = other.drain;
            scheduler = other.scheduler;
        }
    }
}
