package io.fluxmark.windows;

import java.util.List;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * What the operators of one lane share: one serial chain from a source to a sink. A pipeline is a recipe; a job makes
 * one lane of it per partition, each with a context of its own.
 */
public interface LaneContext {

    /** No stage has announced how many events a run had better hold. */
    int ANY_RUN_SIZE = Integer.MAX_VALUE;

    /** Where the lane's operators keep their state. */
    StateBackend state();

    /**
     * Where the operators keep their state that are worked on by one of several threads behind a split by key, {@link
     * KeyedFlux#parallel}. Names of operators are different on each. Called at the subscription, once for each of them.
     *
     * @param number from 0
     * @param threads how many there are
     */
    default StateBackend stateOfLane(int number, int threads) {
        return state();
    }

    /** The clock: {@code now(MILLISECONDS)} for dates, {@code now(NANOSECONDS)} for durations. */
    Scheduler clock();

    /** Tells the lane of the counters of an operator, so that they can be shown and committed. */
    void counters(String operator, LiveCounters counters);

    /** Tells the lane of what explains a windowed operator, or a function over keyed events, at the operator's subscription. */
    default void explanation(LiveExplanation live) {}

    /** The partitions of its source that the lane reads, by number; one, number 0, unless the source says otherwise. */
    default List<Integer> partitions() {
        return List.of(0);
    }

    /**
     * How many records of {@code partition} there are that the lane has not read yet, or -1 where its source can't tell.
     * Thread-safe.
     */
    default long lag(int partition) {
        return -1;
    }

    /**
     * Checks that {@code key}, new in this lane, belongs here; throws an {@link IllegalStateException} that names key
     * and partition where it does not.
     */
    default void checkKey(Object key) {}

    /**
     * The most events that a source had better put into a run, at least 1: what the stages behind it have announced. A stage
     * that takes its time over each event announces few, so that a barrier does not wait for more. {@link #ANY_RUN_SIZE}
     * where none has.
     */
    default int runSize() {
        return ANY_RUN_SIZE;
    }

    /** The lane itself, where a stage has put something around it. */
    default LaneContext unwrap() {
        return this;
    }

    /** A lane on its own: state on the heap, the counters known to the operators only. */
    static LaneContext local() {
        return local(Schedulers.parallel());
    }

    /** The same with a clock. */
    static LaneContext local(Scheduler clock) {
        return new LaneContext() {
            private final StateBackend heap = StateBackend.heap();

            @Override
            public StateBackend state() {
                return heap;
            }

            @Override
            public Scheduler clock() {
                return clock;
            }

            @Override
            public void counters(String operator, LiveCounters counters) {
                // the caller of the operator has them
            }
        };
    }
}
