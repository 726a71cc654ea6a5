package io.fluxmark.windows;

import java.util.List;
import java.util.function.Consumer;
import reactor.core.scheduler.Scheduler;

/** A lane that also tells the user of the counters of a keyed stage, and of what explains it. */
record ObservedLane(
        LaneContext lane, Consumer<? super LiveCounters> counting, Consumer<? super LiveExplanation> explaining)
        implements LaneContext {

    @Override
    public StateBackend state() {
        return lane.state();
    }

    @Override
    public Scheduler clock() {
        return lane.clock();
    }

    @Override
    public void counters(String operator, LiveCounters counters) {
        lane.counters(operator, counters);
        counting.accept(counters);
    }

    @Override
    public void explanation(LiveExplanation live) {
        lane.explanation(live);
        explaining.accept(live);
    }

    @Override
    public List<Integer> partitions() {
        return lane.partitions();
    }

    @Override
    public long lag(int partition) {
        return lane.lag(partition);
    }

    @Override
    public void checkKey(Object key) {
        lane.checkKey(key);
    }

    @Override
    public int runSize() {
        return lane.runSize();
    }

    @Override
    public LaneContext unwrap() {
        return lane.unwrap();
    }
}
