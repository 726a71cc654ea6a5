package io.fluxmark.windows;

import java.util.List;
import reactor.core.scheduler.Scheduler;

/**
 * A lane as the stages before one see it that has announced how many events a run had better hold.
 *
 * @param lane the lane as the stage itself has it
 * @param runSize the fewest that this stage or one behind it has announced
 */
record AnnouncedLane(LaneContext lane, int runSize) implements LaneContext {

    /** The lane for the stages before one that wants runs of at most {@code most} events. */
    static LaneContext of(LaneContext lane, int most) {
        return most < lane.runSize() ? new AnnouncedLane(lane, most) : lane;
    }

    /** Whether a stage may have runs wait in it: not where a barrier would come behind them that is waited for. */
    static boolean asksAhead(LaneContext lane) {
        return lane.runSize() == LaneContext.ANY_RUN_SIZE;
    }

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
    }

    @Override
    public void explanation(LiveExplanation live) {
        lane.explanation(live);
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
    public LaneContext unwrap() {
        return lane.unwrap();
    }
}
