package io.fluxmark.quickstart;

import io.fluxmark.log.Topic;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.LaneCheckpoint;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Mono;

/** What each lane of a job has committed last, in this run or in one before. Thread-safe. */
final class JobMonitor {

    private final Map<Integer, Counters> lanes = new ConcurrentHashMap<>();

    /** Looks up what was committed before: a job that is finished reports no commit any more. */
    Mono<Void> restore(StateStore store, String job, Topic topic) {
        return JobStatus.read(store, job, topic)
                .doOnNext(status -> status.lanes().forEach(lane -> lanes.put(lane.lane(), lane.counts())))
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
