package io.fluxmark.aggregate.run;

import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.LiveExplanation;
import io.fluxmark.windows.StateBackend;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** A lane with state on the heap, whose counters can be read, and which can say why its windows have not fired. */
final class RunLane implements LaneContext {

    private final Scheduler clock;
    private final int partition;
    private final StateBackend state = StateBackend.heap();
    private final Map<String, LiveCounters> counters = new ConcurrentHashMap<>();
    private @Nullable LiveExplanation explanation;

    RunLane(Scheduler clock, int partition) {
        this.clock = clock;
        this.partition = partition;
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

    @Override
    public void explanation(LiveExplanation live) {
        explanation = live;
    }

    @Override
    public List<Integer> partitions() {
        return List.of(partition);
    }

    /** Why the windows stand where they do; empty before they are subscribed to. */
    Mono<Explanation> explain() {
        return explanation == null ? Mono.empty() : explanation.explain();
    }

    /** The counters by the names of the operators. */
    Map<String, LiveCounters> counters() {
        return counters;
    }
}
