package io.fluxmark.aggregate.run;

import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.StateBackend;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.scheduler.Scheduler;

/** A lane with state on the heap, whose counters can be read. */
final class RunLane implements LaneContext {

    private final Scheduler clock;
    private final StateBackend state = StateBackend.heap();
    private final Map<String, LiveCounters> counters = new ConcurrentHashMap<>();

    RunLane(Scheduler clock) {
        this.clock = clock;
    }

    @Override
    public StateBackend state() {
        return state;
    }

    @Override
    public Scheduler clock() {
        return clock;
    }

    @Override
    public void counters(String operator, LiveCounters live) {
        counters.put(operator, live);
    }

    /** The counters by the names of the operators. */
    Map<String, LiveCounters> counters() {
        return counters;
    }
}
