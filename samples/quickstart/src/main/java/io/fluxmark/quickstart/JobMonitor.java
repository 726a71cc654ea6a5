package io.fluxmark.quickstart;

import io.fluxmark.state.LaneStateBackend;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.LiveCounters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What each lane of a job has committed last, in this run or in one before. Thread-safe. */
final class JobMonitor {

    /** The name of the jobs' only windowed stage, as their checkpoints show it. */
    private static final String WINDOW_OPERATOR = "window-2";

    private static final long SMALL_BUDGET = LaneStateBackend.MIN_BUDGET;

    private final Map<Integer, Counters> lanes = new ConcurrentHashMap<>();

    /**
     * Looks up what was committed before: a job that is finished reports no commit any more. To be done before the job
     * runs, since it opens the job's lanes.
     */
    Mono<Void> restore(StateStore store, String job, int laneCount) {
        return Flux.range(0, laneCount)
                .concatMap(lane -> store.openLane(job, lane).doOnNext(session -> {
                    long @Nullable [] cells =
                            LaneStateBackend.of(session, SMALL_BUDGET).longs(WINDOW_OPERATOR, LiveCounters.STATE_NAME);
                    lanes.put(lane, cells == null ? Counters.ZERO : Counters.ofArray(cells));
                }))
                .then();
    }

    void committed(Checkpoint checkpoint) {
        for (LaneCheckpoint lane : checkpoint.lanes()) {
            lanes.put(lane.lane(), lane.counts());
        }
    }

    /** What became of the job's events, over all lanes. */
    Counts counts() {
        Counters all = lanes.values().stream().reduce(Counters.ZERO, Counters::plus);
        return new Counts(
                all.get(Counter.ON_TIME), all.get(Counter.REFIRED), all.get(Counter.DROPPED), all.get(Counter.SIDE));
    }
}
