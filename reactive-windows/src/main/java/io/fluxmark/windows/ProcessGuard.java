package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of calls that a user's function over keyed events fails in, where that does not end the stream: states, timers and
 * what was emitted are as if there had been no call, and what it was for is counted and handed out. Confined to the lane.
 *
 * @param <R> what is emitted
 */
final class ProcessGuard<R> {

    /** What a call has emitted, until it has come to its end. */
    private record Held<R>(R value, long timestamp, int sign) {}

    private final String name;
    private final LiveCounters counters;
    private final FailureSink.Output failures;
    private final UndoLog undo;
    private final ProcessOutput<R> output;
    private final List<Held<R>> held = new ArrayList<>();

    /** What had been counted as expired when the call began. */
    private long expired;

    ProcessGuard(
            String name, LiveCounters counters, FailureSink.Output failures, UndoLog undo, ProcessOutput<R> output) {
        this.name = name;
        this.counters = counters;
        this.failures = failures;
        this.undo = undo;
        this.output = output;
    }

    void begin() {
        undo.begin();
        expired = counters.get(Counter.EXPIRED);
    }

    void emit(R value, long timestamp, int sign) {
        held.add(new Held<>(value, timestamp, sign));
    }

    /** The call has come to its end. */
    void keep() {
        undo.keep();
        held.forEach(each -> output.add(each.value, each.timestamp, each.sign));
        held.clear();
    }

    /** The call has failed. */
    void takeBack() {
        undo.takeBack();
        held.clear();
        counters.add(Counter.EXPIRED, expired - counters.get(Counter.EXPIRED));
    }

    /** The function, or its key, has failed on event {@code i} of {@code run}. */
    void failedOn(EventBatch<?> run, int i, Exception failure) {
        counters.add(Counter.FAILED, 1);
        failures.accept(new FunctionFailure(run.value(i), name, run.timestamp(i), run.position(i), failure));
    }

    /** The function has failed on a timer. */
    void failedOn(TimerKey<?> timer, Exception failure) {
        counters.add(Counter.FAILED_TIMERS, 1);
        failures.accept(
                new FunctionFailure(new DueTimer(timer.key(), timer.time()), name, timer.time(), null, failure));
    }

    /** A barrier passes. */
    void flush(StateTransaction transaction) {
        failures.flush(transaction);
    }
}
