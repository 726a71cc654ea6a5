package io.fluxmark.windows;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

    private static final Pattern KEYED_STAGE = Pattern.compile("(window|process|join|dedupe)-(\\d+)");

    /** Copies the collections. */
    public LaneCheckpoint {
        positions = List.copyOf(positions);
        counters = Map.copyOf(counters);
    }

    /**
     * The counts of the lane's last windowed operator, join, function over keyed events or dedupe, with the events that dedupes right
     * before it have taken out, and those that event time rejected, or functions failed on, before the first one; zero without one.
     */
    public Counters counts() {
        return countsOf(counters);
    }

    /** The same of any lane's counters by operator. */
    public static Counters countsOf(Map<String, Counters> counters) {
        TreeMap<Integer, Map.Entry<String, Counters>> stages = new TreeMap<>();
        long rejected = 0;
        long failed = 0;
        for (Map.Entry<String, Counters> entry : counters.entrySet()) {
            Matcher matcher = KEYED_STAGE.matcher(entry.getKey());
            if (matcher.matches()) {
                stages.put(Integer.valueOf(matcher.group(2)), entry);
            } else {
                rejected += entry.getValue().get(Counter.REJECTED);
                failed += entry.getValue().get(Counter.FAILED);
            }
        }
        Counters last = Counters.ZERO;
        Counters takenOut = Counters.ZERO;
        for (Map.Entry<String, Counters> stage : stages.values()) {
            last = stage.getValue().plus(takenOut);
            takenOut = stage.getKey().startsWith("dedupe") ? last.notAccepted() : Counters.ZERO;
        }
        return last.withRejected(rejected).withFailed(failed);
    }
}
