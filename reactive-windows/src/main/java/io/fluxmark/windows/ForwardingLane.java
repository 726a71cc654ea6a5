package io.fluxmark.windows;

import java.util.List;
import reactor.core.scheduler.Scheduler;

/** Something around a lane, which is the lane in all that it does not say itself. */
interface ForwardingLane extends LaneContext {

    /** What it is around. */
    LaneContext lane();

    @Override
    default StateBackend state() {
        return lane().state();
    }

    @Override
    default StateBackend stateOfLane(int number, int threads) {
        return lane().stateOfLane(number, threads);
    }

    @Override
    default Scheduler clock() {
        return lane().clock();
    }

    @Override
    default void counters(String operator, LiveCounters counters) {
        lane().counters(operator, counters);
    }

    @Override
    default void explanation(LiveExplanation live) {
        lane().explanation(live);
    }

    @Override
    default List<Integer> partitions() {
        return lane().partitions();
    }

    @Override
    default long lag(int partition) {
        return lane().lag(partition);
    }

    @Override
    default void checkKey(Object key) {
        lane().checkKey(key);
    }

    @Override
    default int runSize() {
        return lane().runSize();
    }

    @Override
    default LaneContext unwrap() {
        return lane().unwrap();
    }
}
