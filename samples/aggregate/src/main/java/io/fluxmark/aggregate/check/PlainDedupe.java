package io.fluxmark.aggregate.check;

import io.fluxmark.aggregate.run.Event;
import io.fluxmark.windows.Watermark;
import java.util.HashMap;
import java.util.Map;

/** Decides which events are duplicates, by the rule S39 and a map that forgets nothing; and counts. */
final class PlainDedupe {

    private final long timeToLive;
    private final boolean global;

    /** When the first event of each id was that is remembered or once was, by lane and id. */
    private final Map<Id, Long> first = new HashMap<>();

    private long late;
    private long duplicates;

    private record Id(int lane, Object id) {}

    /**
     * Of a run.
     *
     * @param timeToLive of ids, ms; 0 where everything passes
     * @param global whether all partitions are one lane
     */
    PlainDedupe(long timeToLive, boolean global) {
        this.timeToLive = timeToLive;
        this.global = global;
    }

    /** Whether the windows get to see an event. */
    boolean passes(Event event, long timestamp, long watermark) {
        if (timeToLive == 0) {
            return true;
        }
        if (Watermark.reaches(watermark, Watermark.deadline(timestamp, timeToLive))) {
            late++;
            return false;
        }
        Id id = new Id(global ? 0 : event.partition(), event.requireId());
        Long seen = first.get(id);
        if (seen != null && !Watermark.reaches(watermark, Watermark.deadline(seen, timeToLive))) {
            duplicates++;
            return false;
        }
        first.put(id, timestamp);
        return true;
    }

    /** Events that could not be told from duplicates any more. */
    long late() {
        return late;
    }

    long duplicates() {
        return duplicates;
    }
}
