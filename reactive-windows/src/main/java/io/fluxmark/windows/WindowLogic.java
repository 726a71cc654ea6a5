package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * What the windows of one kind do with events and with progress. The operator around it takes the input apart, decides
 * when which of the methods is called, and hands the results out. Confined to the lane.
 */
abstract class WindowLogic<T, K, A, R> {

    /** How many events are looked up together: what all of them need has to fit into the nearest cache. */
    static final int CHUNK = 64;

    private static final Logger LOG = Loggers.getLogger(WindowLogic.class);

    final WindowDefinition<T, K, A, R> definition;
    final WindowSpec windows;
    final Aggregation<? super T, A, R> aggregation;
    final LaneContext lane;
    final LiveCounters counters;
    final WindowResults<K, R> results;

    final LateSink.@Nullable Output<? super T> late;

    /** Outcomes of the current run, added to the counters at its end. */
    private int onTime;

    private long assignments;

    /** The number of the event that is being added. */
    int at;

    /** Up to which event of the run {@link #lookUp} has been done. */
    private int lookedUp;

    private boolean warned;

    WindowLogic(
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LiveCounters counters,
            WindowResults<K, R> results) {
        this(definition, lane, counters, results, openLate(definition, lane));
    }

    /** With the output of late events that is open already. */
    WindowLogic(
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LiveCounters counters,
            WindowResults<K, R> results,
            LateSink.@Nullable Output<? super T> late) {
        this.definition = definition;
        this.windows = definition.windows();
        this.aggregation = definition.aggregation();
        this.lane = lane;
        this.counters = counters;
        this.results = results;
        this.late = late;
    }

    static <T> LateSink.@Nullable Output<? super T> openLate(
            WindowDefinition<T, ?, ?, ?> definition, LaneContext lane) {
        LateSink<? super T> sink = definition.late();
        return sink == null ? null : sink.open(lane);
    }

    /**
     * Adds events of {@code run}, from number {@code from} on, each at the watermark before it, until one of these fires or
     * forgets something, or a run of results is full.
     *
     * @return the number of the first event that has not been added
     */
    final int addAll(EventBatch<T> run, int from) {
        int next = from;
        at = from;
        try {
            do {
                if (next == 0 || next == lookedUp) {
                    lookedUp = Math.min(run.size, next + CHUNK);
                    lookUp(run, next, lookedUp);
                }
                next = addSome(run, next, lookedUp);
            } while (next == lookedUp && next < run.size);
        } catch (Throwable t) {
            FailedEvent.addTo(t, run, at);
            throw t;
        }
        return next;
    }

    /**
     * Brings near what events {@code from} to {@code to}, exclusive, of {@code run} will need: at most {@value #CHUNK} at a
     * time, so that it is still near when they are added.
     */
    void lookUp(EventBatch<T> run, int from, int to) {
        // nothing to gain where state is not on the heap
    }

    /** {@link #addAll} for events up to {@code to}, exclusive, noting in {@link #at} which is being added. */
    int addSome(EventBatch<T> run, int from, int to) {
        int i = from;
        while (i < to && passTo(run.watermarkBefore(i)) && !results.isFull()) {
            at = i;
            add(run, i);
            i++;
        }
        return i;
    }

    /** Moves on to {@code watermark}, unless that is due to fire or forget something: then false. */
    final boolean passTo(long watermark) {
        if (Watermark.advances(results.watermark, watermark)) {
            if (isDue(watermark)) {
                return false;
            }
            results.watermark = watermark;
            results.forwardable = watermark;
        }
        return true;
    }

    /** Judges event number {@code i} of a run by the watermark in force and adds it; emits what that brings forth. */
    abstract void add(EventBatch<T> run, int i);

    /** Whether an advance to {@code watermark} fires or forgets anything. */
    abstract boolean isDue(long watermark);

    /** Begins an advance that is due; the results' watermark is already the new one. */
    abstract void beginAdvance(long before);

    /** Begins the early results that the clock has made due. */
    abstract void beginEarly();

    /** Goes on with what was begun: true when it is through, false when a run of results is full. */
    abstract boolean proceed();

    /** Whether an event since has made an early result due at the next tick of the clock. */
    boolean awaitsEarly() {
        return false;
    }

    /** What has changed goes into the transaction of a passing barrier. */
    abstract void flush(StateTransaction transaction);

    /** What goes on from the barrier that has just passed: this, or another that takes over all that is held. */
    WindowLogic<T, K, A, R> successor() {
        return this;
    }

    /** What is held. */
    abstract WindowStatus status();

    /** A run of input is through. */
    final void endRun() {
        if (onTime > 0) {
            counters.add(Counter.ON_TIME, onTime);
            counters.add(Counter.ACCEPTED_ASSIGNMENTS, assignments);
            onTime = 0;
            assignments = 0;
        }
    }

    final void flushLate(StateTransaction transaction) {
        if (late != null) {
            late.flush(transaction);
        }
    }

    /** How many entries are held; from any thread, and then about. */
    long entries() {
        return status().entries();
    }

    /** A ceiling is met: fails where it says so; otherwise the caller leaves the event out. */
    final void refuse(Ceiling ceiling) {
        meet(ceiling);
        counters.add(Counter.REFUSED, 1);
    }

    /** A ceiling is met: fails where it says so, and warns the first time. */
    final void meet(Ceiling ceiling) {
        if (ceiling.policy() == Ceiling.Policy.FAIL) {
            throw new IllegalStateException("operator " + definition.name() + " holds " + ceiling.entries()
                    + " entries, all that its ceiling allows, and needs one more: raise the ceiling, shorten the time"
                    + " for which entries are kept, or choose another policy");
        }
        if (!warned) {
            warned = true;
            LOG.warn(
                    "operator {} has come to its ceiling of {} entries; policy {}",
                    definition.name(),
                    ceiling.entries(),
                    ceiling.policy());
        }
    }

    /**
     * Reads the keys of events {@code from} to {@code to}, exclusive, of {@code run}, up to the first whose key function
     * fails, or returns null; that one is asked again when it is its turn, and may do so then.
     *
     * @param keys they go here, from 0 on
     * @return how many there are
     */
    final int readKeys(EventBatch<T> run, @Nullable Object[] keys, int from, int to) {
        for (int i = from; i < to; i++) {
            Object key;
            try {
                key = definition.key().apply(run.value(i));
            } catch (RuntimeException e) {
                return i - from;
            }
            if (key == null) {
                return i - from;
            }
            keys[i - from] = key;
        }
        return to - from;
    }

    final K key(T event) {
        return Objects.requireNonNull(definition.key().apply(event), "the key function returned null");
    }

    final IllegalStateException nothingToTakeBack(T event, K key) {
        return new IllegalStateException(
                "a retraction of " + event + " for key " + key + ", which has nothing to take back");
    }

    final R result(A accumulator) {
        return Objects.requireNonNull(aggregation.result(accumulator), "the aggregation's result");
    }

    /** The outcome of an event that one window or session, still open, has taken. */
    final void countOnTime() {
        countOnTime(1, 1);
    }

    /** The outcome of events that windows, all still open, have taken, {@code windowCount} times in all. */
    final void countOnTime(int events, long windowCount) {
        onTime += events;
        assignments += windowCount;
    }

    /** The outcome of an event that {@code accepted} windows have taken, and {@code missed} were closed to. */
    final void countAccepted(int accepted, int missed, boolean refired) {
        counters.add(refired ? Counter.REFIRED : Counter.ON_TIME, 1);
        counters.add(Counter.ACCEPTED_ASSIGNMENTS, accepted);
        if (missed > 0) {
            counters.add(Counter.LATE_ASSIGNMENTS, missed);
            counters.add(Counter.PARTIAL, 1);
        }
    }

    /** The outcome of an event that no window takes any more. */
    final void reject(T event, long timestamp, List<TimeWindow> missed) {
        counters.add(Counter.LATE_ASSIGNMENTS, missed.size());
        if (late == null) {
            counters.add(Counter.DROPPED, 1);
        } else {
            late.accept(new LateEvent<>(event, timestamp, results.watermark, missed));
            counters.add(Counter.SIDE, 1);
        }
    }
}
