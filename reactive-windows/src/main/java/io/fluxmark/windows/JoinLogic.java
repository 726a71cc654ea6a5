package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * Joins the events of two streams that belong together by key and time (S44), and emits those that have found no partner once
 * the watermark says that none can come (S45). Confined to the lane.
 *
 * <p>An event finds every partner that is here, and waits for those to come; so each pair is found once, by the one of it that
 * comes last. It is late at or before the watermark, and then it is not joined at all: its partners may be gone already. What an
 * event changes it changes after all functions have been called for it: where one fails, nothing has happened.
 *
 * <p>A pair has the later one's time, which is not late. What is emitted alone has the time at which that was certain.
 */
final class JoinLogic<K, L, R, O> extends KeyedLogic<JoinEvent<L, R>, O> {

    /** A result that is not emitted yet. */
    private record Made<O>(O value, long time) {}

    /** Makes what is emitted of an event and a partner of it. */
    private interface Maker<V, W> {
        void make(V event, W partner, long time);
    }

    private final JoinDefinition<K, L, R, O> definition;
    private final JoinInterval interval;
    private final LiveCounters counters;
    private final KnownKeys known;
    private final JoinSide<K, L> left;
    private final JoinSide<K, R> right;
    private final TimerQueue<JoinTimerKey<K>> timers;
    private final List<Made<O>> made = new ArrayList<>();

    /** Null where a failure ends the stream. */
    private final FailureSink.@Nullable Output failures;

    /** The watermark, and while timers are called, the one before. */
    private long before;

    JoinLogic(JoinDefinition<K, L, R, O> definition, LaneContext lane, LiveCounters counters) {
        this.definition = definition;
        this.interval = definition.interval();
        this.counters = counters;
        this.known = new KnownKeys(lane);
        this.left = new JoinSide<>(definition, definition.left(), false, lane);
        this.right = new JoinSide<>(definition, definition.right(), true, lane);
        long[] stored = lane.state().longs(definition.name(), Watermark.STATE_NAME);
        this.watermark = stored == null ? Watermark.NONE : stored[0];
        this.before = watermark;
        this.output.closed = watermark;
        this.timers = new TimerQueue<>(
                definition.name(),
                lane.state(),
                definition.header(),
                new JoinTimerKeyCodec<>(definition.keyCodec()),
                watermark);
        FailureSink sink = definition.failures();
        this.failures = sink == null ? null : sink.open(lane);
    }

    @Override
    void add(EventBatch<JoinEvent<L, R>> run, int i) {
        JoinEvent<L, R> event = run.value(i);
        long time = run.timestamp(i);
        L ofLeft = event.left();
        if (ofLeft != null) {
            add(left, ofLeft, run, i, right, interval.firstRight(time), interval.lastRight(time), this::make);
        } else {
            R ofRight = Objects.requireNonNull(event.right(), "right");
            add(right, ofRight, run, i, left, interval.firstLeft(time), interval.lastLeft(time), (r, l, at) -> {
                make(l, r, at);
            });
        }
    }

    /** Takes an event of one side, whose partners are those of the other at the times from {@code from} to {@code to}. */
    @SuppressWarnings("CatchingUnchecked") // a function can throw a checked exception without saying so
    private <V, W> void add(
            JoinSide<K, V> side,
            V event,
            EventBatch<JoinEvent<L, R>> run,
            int i,
            JoinSide<K, W> other,
            long from,
            long to,
            Maker<V, W> maker) {
        long time = run.timestamp(i);
        if (Watermark.isLate(watermark, time)) {
            counters.add(side.late(event, time, watermark), 1);
            return;
        }
        if (run.sign(i) < 0) {
            throw new IllegalStateException("a retraction of " + event + " reached " + definition.name()
                    + ": a join takes none; use an allowed lateness of 0 and no early results before it");
        }
        K key;
        try {
            key = side.input.keyOf(event);
        } catch (Exception e) {
            failedOn(event, time, run.position(i), Counter.FAILED, e);
            return;
        }
        known.require(key);
        List<JoinRow<W>> partners = other.find(key, from, to);
        try {
            for (JoinRow<W> partner : partners) {
                maker.make(event, partner.value, Math.max(time, partner.time));
            }
        } catch (Exception e) {
            failedOn(event, time, run.position(i), Counter.FAILED, e);
            return;
        }
        boolean matched = !made.isEmpty();
        if (matched && other.keeps) {
            other.rows.match(key, from, to);
        }
        side.rows.add(key, time, event, matched);
        if (side.keeps && !matched) {
            timers.set(side.end(time), new JoinTimerKey<>(side.isRight, key));
        }
        emit(Counter.JOINED);
        counters.add(Counter.ON_TIME, 1);
    }

    private void make(@Nullable L ofLeft, @Nullable R ofRight, long time) {
        O value = definition.joiner().apply(ofLeft, ofRight);
        made.add(new Made<>(Objects.requireNonNull(value, "the joiner returned null"), time));
    }

    private void failedOn(
            Object event, long time, @Nullable EventPosition position, Counter counter, Exception failure) {
        made.clear();
        if (failures == null) {
            throw Exceptions.propagate(failure);
        }
        counters.add(counter, 1);
        failures.accept(new FunctionFailure(event, definition.name(), time, position, failure));
    }

    private void emit(Counter counter) {
        for (Made<O> each : made) {
            output.add(each.value, each.time, 1);
        }
        counters.add(counter, made.size());
        made.clear();
    }

    @Override
    boolean hasDueTimers(long atWatermark) {
        return timers.isDue(atWatermark);
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
            TimerKey<JoinTimerKey<K>> timer = timers.poll();
            if (timer == null) {
                timers.finish();
                settle(watermark);
                return true;
            }
            output.closed = Watermark.later(before, Watermark.before(timer.time(), 1));
            if (timer.key().ofRight()) {
                emitAlone(right, timer, ofRight -> make(null, ofRight, timer.time()));
            } else {
                emitAlone(left, timer, ofLeft -> make(ofLeft, null, timer.time()));
            }
        }
        return false;
    }

    @SuppressWarnings("CatchingUnchecked") // a function can throw a checked exception without saying so
    private <V> void emitAlone(JoinSide<K, V> side, TimerKey<JoinTimerKey<K>> timer, Consumer<V> maker) {
        K key = timer.key().key();
        for (JoinRow<V> row : side.endingAt(key, timer.time())) {
            if (row.matched) {
                continue;
            }
            try {
                maker.accept(row.value);
            } catch (Exception e) {
                FailedEvent.addTimerTo(e, key, timer.time());
                failedOn(row.value, row.time, null, Counter.FAILED_TIMERS, e);
            }
            emit(Counter.UNMATCHED);
        }
    }

    @Override
    void settle(long target) {
        watermark = target;
        before = target;
        output.closed = target;
        timers.pass(target);
        left.rows.advance(target);
        right.rows.advance(target);
    }

    @Override
    void flush(StateTransaction transaction) {
        timers.flush(transaction);
        left.flush(transaction);
        right.flush(transaction);
        transaction.longs(definition.name(), Watermark.STATE_NAME, new long[] {watermark});
        if (failures != null) {
            failures.flush(transaction);
        }
        counters.save(transaction, definition.name());
    }

    @Override
    long entries() {
        return left.rows.entries() + right.rows.entries() + timers.size();
    }

    @Override
    long timers() {
        return timers.size();
    }

    @Override
    long noTimerBefore() {
        return timers.size() == 0 ? Watermark.END : timers.due();
    }
}
