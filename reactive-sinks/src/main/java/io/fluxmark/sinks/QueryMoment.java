package io.fluxmark.sinks;

import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.Watermark;
import java.util.List;

/**
 * The commit that an answer is of: how far the jobs that fill the table had come in it.
 *
 * @param commit the number of the store's commit
 * @param lanes the lanes that have written to the table, by job and number, with their watermarks and positions
 */
public record QueryMoment(long commit, List<CommittedLane> lanes) {

    /** Copies the list. */
    public QueryMoment {
        lanes = List.copyOf(lanes);
    }

    /**
     * How far the whole table is complete, epoch ms: the lowest watermark of its lanes. {@link Watermark#NONE} as long as one of them
     * has had no event; then look at {@link #lanes}, each of which has keys of its own.
     */
    public long watermark() {
        return lanes.stream()
                .map(CommittedLane::watermark)
                .reduce(Watermark::earlier)
                .orElse(Watermark.NONE);
    }

    /** Whether the window has fired in every lane: a row that is missing then has no events on time. */
    public boolean hasFired(TimeWindow window) {
        return Watermark.closes(watermark(), window.end());
    }
}
