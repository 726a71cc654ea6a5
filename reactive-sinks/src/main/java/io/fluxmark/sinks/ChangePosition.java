package io.fluxmark.sinks;

import java.util.Map;
import java.util.TreeMap;

/**
 * A place in the changes of a changelog: of each lane the number of the next change. Immutable.
 *
 * @param next by lane; of a lane that is not in it, all changes are still to come
 */
public record ChangePosition(Map<Integer, Long> next) {

    private static final ChangePosition BEGIN = new ChangePosition(Map.of());

    /** Copies the map. */
    public ChangePosition {
        next.forEach((lane, number) -> {
            if (lane < 0 || number < 0) {
                throw new IllegalArgumentException(
                        "lanes and numbers are not negative but were " + lane + " and " + number);
            }
        });
        next = Map.copyOf(next);
    }

    /** Before the first change. */
    public static ChangePosition begin() {
        return BEGIN;
    }

    /** The number of the next change of a lane. */
    public long of(int lane) {
        return next.getOrDefault(lane, 0L);
    }

    /** The place behind a change: where to go on once everything up to it has been dealt with. */
    public ChangePosition after(Change<?> change) {
        Map<Integer, Long> moved = new TreeMap<>(next);
        moved.put(change.lane(), change.number() + 1);
        return new ChangePosition(moved);
    }
}
