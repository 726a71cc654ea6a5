package io.fluxmark.sinks;

import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.LaneCheckpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import reactor.core.publisher.Flux;
import reactor.util.function.Tuple2;

/** Lanes' durable transactions as checkpoints: one per store commit, conflated while there is no demand. */
final class Checkpoints {

    private final String job;
    private final Map<Long, List<LaneCheckpoint>> open = new TreeMap<>();
    private long delivered = -1;

    private Checkpoints(String job) {
        this.job = job;
    }

    static Flux<Checkpoint> of(String job, Flux<LaneWriter.Committed> lanes) {
        return Flux.defer(() -> {
            Checkpoints checkpoints = new Checkpoints(job);
            return lanes.<Checkpoint>handle((committed, sink) -> {
                        Checkpoint complete = checkpoints.add(committed);
                        if (complete != null) {
                            sink.next(complete);
                        }
                    })
                    .index()
                    .onBackpressureLatest()
                    .map(checkpoints::conflated);
        });
    }

    /** The checkpoint, when all of the job's lanes in the commit have reported. */
    private @org.jspecify.annotations.Nullable Checkpoint add(LaneWriter.Committed committed) {
        long number = committed.commit().number();
        long expected = committed.commit().lanes().stream()
                .filter(lane -> lane.job().equals(job))
                .count();
        List<LaneCheckpoint> lanes = open.computeIfAbsent(number, n -> new ArrayList<>());
        lanes.add(committed.lane());
        if (lanes.size() < expected) {
            return null;
        }
        open.remove(number);
        lanes.sort((a, b) -> Integer.compare(a.lane(), b.lane()));
        return new Checkpoint(job, number, 0, lanes);
    }

    private Checkpoint conflated(Tuple2<Long, Checkpoint> indexed) {
        long skipped = indexed.getT1() - delivered - 1;
        delivered = indexed.getT1();
        Checkpoint newest = indexed.getT2();
        return new Checkpoint(newest.job(), newest.commit(), skipped, newest.lanes());
    }
}
