package io.fluxmark.sinks;

import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.LaneCheckpoint;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import reactor.core.publisher.Flux;
import reactor.util.function.Tuple2;

/**
 * Lanes' durable transactions as checkpoints: one per store commit, in the order of commits, conflated while there is no
 * demand.
 *
 * <p>Lanes hear of their commits on threads of their own, so a later commit may be told of first. A commit is passed on
 * once no lane has a transaction under way that could belong to it or to an earlier one: every lane that has one has
 * reported this commit or a later one since.
 */
final class Checkpoints {

    private final String job;
    private final Submissions submissions;
    private final long[] reports;
    private final long[] newest;
    private final TreeMap<Long, List<LaneCheckpoint>> held = new TreeMap<>();
    private long delivered = -1;

    private Checkpoints(String job, Submissions submissions) {
        this.job = job;
        this.submissions = submissions;
        this.reports = new long[submissions.lanes()];
        this.newest = new long[submissions.lanes()];
    }

    static Flux<Checkpoint> of(String job, Submissions submissions, Flux<LaneWriter.Committed> lanes) {
        return Flux.defer(() -> {
            Checkpoints checkpoints = new Checkpoints(job, submissions);
            return lanes.concatMapIterable(checkpoints::add)
                    .index()
                    .onBackpressureLatest()
                    .map(checkpoints::conflated);
        });
    }

    /** The checkpoints that the report completes, in order. */
    private List<Checkpoint> add(LaneWriter.Committed committed) {
        int lane = committed.lane().lane();
        long number = committed.commit().number();
        reports[lane]++;
        newest[lane] = number;
        held.computeIfAbsent(number, n -> new ArrayList<>()).add(committed.lane());
        List<Checkpoint> complete = new ArrayList<>();
        for (Iterator<Map.Entry<Long, List<LaneCheckpoint>>> commits =
                        held.entrySet().iterator();
                commits.hasNext(); ) {
            Map.Entry<Long, List<LaneCheckpoint>> commit = commits.next();
            if (!isComplete(commit.getKey())) {
                break;
            }
            commit.getValue().sort((a, b) -> Integer.compare(a.lane(), b.lane()));
            complete.add(new Checkpoint(job, commit.getKey(), 0, commit.getValue()));
            commits.remove();
        }
        return complete;
    }

    private boolean isComplete(long commit) {
        for (int lane = 0; lane < reports.length; lane++) {
            if (newest[lane] < commit && submissions.of(lane) > reports[lane]) {
                return false;
            }
        }
        return true;
    }

    private Checkpoint conflated(Tuple2<Long, Checkpoint> indexed) {
        long skipped = indexed.getT1() - delivered - 1;
        delivered = indexed.getT1();
        Checkpoint newestCheckpoint = indexed.getT2();
        return new Checkpoint(newestCheckpoint.job(), newestCheckpoint.commit(), skipped, newestCheckpoint.lanes());
    }
}
