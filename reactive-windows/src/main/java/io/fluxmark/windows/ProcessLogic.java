package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls a user's function for events and timers, and is the context of its calls. The operator around it takes the input
 * apart, decides when which of the methods is called, and hands out what was emitted. Confined to the lane.
 *
 * <p>While an advance of the watermark calls timers, each is called as if the watermark had come to its time and no further:
 * to that entries have expired or not, and that is what stages behind are told. So nothing depends on how far a watermark
 * jumps, which depends on demand.
 */
final class ProcessLogic<T, K, R> extends KeyedLogic<T, R> implements ProcessContext<K, R> {

    private static final String NO_KEY = "the key function returned null";

    private final ProcessDefinition<T, K, R> definition;
    private final KeyedProcess<K, ? super T, R> process;
    private final StageTotals totals;
    private final LiveCounters counters;
    private final LateSink.@Nullable Output<? super T> late;
    private final Moment<K> moment = new Moment<>();
    private final ProcessStates<K> states;
    private final TimerQueue<K> timers;
    private final KnownKeys known;

    /** Null where a failure ends the stream. */
    private final @Nullable ProcessGuard<R> guard;

    /** The watermark, and while timers are called, the one before. */
    private long before;

    /** The sign of the event of the call, or 0 in a call for a timer. */
    private int sign;

    ProcessLogic(ProcessDefinition<T, K, R> definition, LaneContext lane, StageTotals totals) {
        this.definition = definition;
        this.process = definition.process();
        this.known = new KnownKeys(lane);
        this.totals = totals;
        this.counters = totals.counters;
        this.watermark = totals.restored;
        this.before = watermark;
        this.output.closed = watermark;
        this.timers = new TimerQueue<>(
                definition.name(), lane.state(), definition.header(), definition.keyCodec(), watermark);
        this.states = new ProcessStates<>(definition, lane.state(), moment, counters);
        if (lane instanceof GroupLane group) {
            group.asideTo(output::aside);
        }
        LateSink<? super T> sink = definition.late();
        this.late = sink == null ? null : sink.open(lane);
        FailureSink failures = definition.failures();
        this.guard = failures == null
                ? null
                : new ProcessGuard<>(definition.name(), counters, failures.open(lane), moment.undo, output);
    }

    @Override
    void add(EventBatch<T> run, int i) {
        T event = run.value(i);
        long time = run.timestamp(i);
        boolean isLate = Watermark.isLate(watermark, time);
        if (isLate && late != null) {
            late.accept(new LateEvent<>(event, time, watermark, List.of()));
            counters.add(Counter.SIDE, 1);
            return;
        }
        if (run.sign(i) < 0 && !process.takesRetractions()) {
            throw new IllegalStateException("a retraction of " + event + " reached " + process
                    + ", which does not say in takesRetractions that it can follow");
        }
        if (guard == null) {
            handOver(run, i, keyOf(event));
        } else if (!handOver(run, i, guard)) {
            return;
        }
        counters.add(isLate ? Counter.LATE : Counter.ON_TIME, 1);
    }

    private K keyOf(T event) {
        return Objects.requireNonNull(definition.key().apply(event), NO_KEY);
    }

    private void handOver(EventBatch<T> run, int i, K key) {
        known.require(key);
        moment.begin(key, run.timestamp(i), watermark);
        sign = run.sign(i);
        try {
            process.onEvent(run.value(i), this);
        } finally {
            moment.end();
        }
    }

    /** The same where the function may fail: whether it has not. */
    @SuppressWarnings("CatchingUnchecked") // a function can throw a checked exception without saying so
    private boolean handOver(EventBatch<T> run, int i, ProcessGuard<R> guarded) {
        K key;
        try {
            key = keyOf(run.value(i));
        } catch (Exception e) {
            guarded.failedOn(run, i, e);
            return false;
        }
        known.require(key);
        guarded.begin();
        try {
            handOver(run, i, key);
        } catch (Exception e) {
            guarded.takeBack();
            guarded.failedOn(run, i, e);
            return false;
        }
        guarded.keep();
        return true;
    }

    @Override
    boolean hasDueTimers(long atWatermark) {
        return timers.isDue(atWatermark);
    }

    @Override
    boolean isDue(long atWatermark) {
        return hasDueTimers(atWatermark) || states.isDue(atWatermark);
    }

    @Override
    void beginAdvance(long target) {
        before = watermark;
        watermark = target;
        timers.advance(target);
    }

    @Override
    boolean proceed() {
        while (!output.isFull()) {
            TimerKey<K> timer = timers.poll();
            if (timer == null) {
                finishAdvance();
                return true;
            }
            call(timer);
        }
        return false;
    }

    private void call(TimerKey<K> timer) {
        long time = timer.time();
        output.closed = Watermark.later(before, Watermark.before(time, 1));
        output.dueAt(timer);
        moment.begin(timer.key(), time, Watermark.later(before, time));
        sign = 0;
        try {
            if (guard == null) {
                process.onTimer(this);
            } else if (!call(timer, guard)) {
                return;
            }
        } catch (Throwable t) {
            FailedEvent.addTimerTo(t, timer.key(), time);
            throw t;
        } finally {
            moment.end();
        }
        counters.add(Counter.TIMERS, 1);
    }

    /** The same where the function may fail: whether it has not. */
    @SuppressWarnings("CatchingUnchecked") // a function can throw a checked exception without saying so
    private boolean call(TimerKey<K> timer, ProcessGuard<R> guarded) {
        guarded.begin();
        try {
            process.onTimer(this);
        } catch (Exception e) {
            guarded.takeBack();
            guarded.failedOn(timer, e);
            return false;
        }
        guarded.keep();
        return true;
    }

    private void finishAdvance() {
        timers.finish();
        settle(watermark);
    }

    @Override
    void settle(long target) {
        watermark = target;
        before = target;
        output.closed = target;
        timers.pass(target);
        if (states.isDue(target)) {
            states.sweep(target);
        }
    }

    @Override
    void flush(StateTransaction transaction) {
        timers.flush(transaction);
        states.flush(transaction);
        if (late != null) {
            late.flush(transaction);
        }
        if (guard != null) {
            guard.flush(transaction);
        }
        totals.save(transaction, watermark);
        if (states.isDue(watermark)) {
            states.sweep(watermark); // what there was no room for in this transaction goes into the next one
        }
    }

    @Override
    long entries() {
        return states.entries() + timers.size();
    }

    @Override
    long timers() {
        return timers.size();
    }

    @Override
    long noTimerBefore() {
        return timers.size() == 0 ? Watermark.END : timers.due();
    }

    /** How many places the indexes of deadlines hold, and how many timers are stored. */
    long indexed() {
        return states.deadlines() + timers.stored();
    }

    @Override
    public K key() {
        return moment.key();
    }

    @Override
    public long timestamp() {
        moment.key();
        return moment.timestamp;
    }

    @Override
    public long watermark() {
        moment.key();
        return watermark == Watermark.END ? watermark : moment.watermark;
    }

    @Override
    public boolean isLate() {
        moment.key();
        return Watermark.isLate(before, moment.timestamp);
    }

    @Override
    public int sign() {
        moment.key();
        return isTimer() ? 1 : sign;
    }

    private boolean isTimer() {
        return sign == 0;
    }

    @Override
    public <H> H state(StateDescriptor<H> descriptor) {
        return states.handle(descriptor);
    }

    @Override
    public boolean setTimer(long timestamp) {
        K key = moment.key();
        if (timestamp == Watermark.NONE || timestamp == Watermark.END) {
            throw new IllegalArgumentException(
                    "a timer needs a time in between the first and the last there is, but was " + timestamp
                            + ": epoch ms, of the event's order");
        }
        if (watermark == Watermark.END || (isTimer() && timestamp <= moment.timestamp)) {
            return false;
        }
        if (timers.set(timestamp, key) && moment.undo.isOpen()) {
            moment.undo.add(() -> timers.delete(timestamp, key));
        }
        return true;
    }

    @Override
    public boolean deleteTimer(long timestamp) {
        K key = moment.key();
        boolean deleted = timers.delete(timestamp, key);
        if (deleted && moment.undo.isOpen()) {
            moment.undo.add(() -> timers.set(timestamp, key));
        }
        return deleted;
    }

    @Override
    public void emit(R value) {
        moment.key();
        emit(Objects.requireNonNull(value, "emitted value"), 1);
    }

    @Override
    public void retract(R value) {
        moment.key();
        if (!process.emitsRetractions()) {
            throw new IllegalStateException(
                    process + " takes " + value + " back and does not say so: let emitsRetractions answer true");
        }
        emit(Objects.requireNonNull(value, "retracted value"), -1);
    }

    private void emit(R value, int signOfIt) {
        if (guard == null) {
            output.add(value, moment.timestamp, signOfIt);
        } else {
            guard.emit(value, moment.timestamp, signOfIt);
        }
    }
}
