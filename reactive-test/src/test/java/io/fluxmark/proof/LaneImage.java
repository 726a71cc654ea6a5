package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.WindowResult;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * All that a commit holds of one lane.
 *
 * @param maximum the largest timestamp
 * @param eventTimeWatermark the watermark that follows from it
 * @param windowWatermark the watermark that the windows were judged by
 * @param entries the open windows
 * @param changes every emission, in order
 * @param rows the newest emission of each key and window
 * @param late the late events, in order
 */
record LaneImage(
        long maximum,
        long eventTimeWatermark,
        long windowWatermark,
        Map<Counter, Long> eventTimeCounts,
        Map<Counter, Long> windowCounts,
        SortedSet<Entry> entries,
        List<WindowResult<String, Long>> changes,
        Map<PlainBatch.Slot<String>, WindowResult<String, Long>> rows,
        List<LateEvent<Tick>> late) {

    /** What an open window holds for a key. */
    record Entry(long start, String key, long sum, long count, long late, int revision) implements Comparable<Entry> {

        @Override
        public int compareTo(Entry other) {
            int byStart = Long.compare(start, other.start);
            return byStart != 0 ? byStart : key.compareTo(other.key);
        }
    }

    /** Fails with what differs first; {@code this} is what is stored. */
    void assertEquals(LaneImage recomputed, int lane, long offset) {
        String of = " of lane " + lane + " as stored (actual) and as recomputed from records [0, " + offset
                + ") (expected)";
        assertThat(maximum).as("largest timestamp" + of).isEqualTo(recomputed.maximum);
        assertThat(eventTimeWatermark).as("watermark of event time" + of).isEqualTo(recomputed.eventTimeWatermark);
        assertThat(windowWatermark).as("watermark of the windows" + of).isEqualTo(recomputed.windowWatermark);
        assertThat(eventTimeCounts).as("counters of event time" + of).isEqualTo(recomputed.eventTimeCounts);
        assertThat(windowCounts).as("counters of the windows" + of).isEqualTo(recomputed.windowCounts);
        assertThat(entries).as("open windows" + of).isEqualTo(recomputed.entries);
        assertThat(late).as("late events" + of).isEqualTo(recomputed.late);
        assertThat(changes).as("changelog" + of).isEqualTo(recomputed.changes);
        assertThat(rows).as("rows" + of).isEqualTo(recomputed.rows);
    }
}
