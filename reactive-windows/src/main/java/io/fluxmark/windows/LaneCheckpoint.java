package io.fluxmark.windows;

import java.util.List;
import java.util.Map;

/**
 * What a commit made durable of one lane.
 *
 * @param lane the lane, from 0
 * @param transaction the id of the transaction, rising by one per lane
 * @param positions the next offset to read of each of the lane's partitions
 * @param counters what each operator of the lane has counted up to the barrier
 * @param finished whether the lane has reached the end of its stream for good
 */
public record LaneCheckpoint(
        int lane, long transaction, List<SourcePosition> positions, Map<String, Counters> counters, boolean finished) {

    /** Copies the collections. */
    public LaneCheckpoint {
        positions = List.copyOf(positions);
        counters = Map.copyOf(counters);
    }

    /**
     * The counts of the lane's last windowed operator, with the events that event time rejected, or functions failed on,
     * before the first one; zero without one.
     */
    public Counters counts() {
        return countsOf(counters);
    }

    /** The same of any lane's counters by operator. */
    public static Counters countsOf(Map<String, Counters> counters) {
        Counters window = Counters.ZERO;
        long rejected = 0;
        long failed = 0;
        for (Map.Entry<String, Counters> entry : counters.entrySet()) {
            if (entry.getKey().startsWith("window")) {
                window = entry.getValue();
            } else {
                rejected += entry.getValue().get(Counter.REJECTED);
                failed += entry.getValue().get(Counter.FAILED);
            }
        }
        return window.withRejected(rejected).withFailed(failed);
    }
}
