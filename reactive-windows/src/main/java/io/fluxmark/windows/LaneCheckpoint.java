package io.fluxmark.windows;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    private static final Pattern KEYED_STAGE = Pattern.compile("(?:window|process)-(\\d+)");

    /** Copies the collections. */
    public LaneCheckpoint {
        positions = List.copyOf(positions);
        counters = Map.copyOf(counters);
    }

    /**
     * The counts of the lane's last windowed operator, or function over keyed events, with the events that event time rejected, or
     * functions failed on, before the first one; zero without one.
     */
    public Counters counts() {
        return countsOf(counters);
    }

    /** The same of any lane's counters by operator. */
    public static Counters countsOf(Map<String, Counters> counters) {
        Counters last = Counters.ZERO;
        int lastStage = 0;
        long rejected = 0;
        long failed = 0;
        for (Map.Entry<String, Counters> entry : counters.entrySet()) {
            int stage = keyedStage(entry.getKey());
            if (stage > lastStage) {
                last = entry.getValue();
                lastStage = stage;
            } else if (stage == 0) {
                rejected += entry.getValue().get(Counter.REJECTED);
                failed += entry.getValue().get(Counter.FAILED);
            }
        }
        return last.withRejected(rejected).withFailed(failed);
    }

    /** The number of a stage that gives each event an outcome; 0 of any other. */
    private static int keyedStage(String operator) {
        Matcher matcher = KEYED_STAGE.matcher(operator);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }
}
