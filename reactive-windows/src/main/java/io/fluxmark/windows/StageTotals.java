package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * What a keyed stage commits of itself as a whole: its watermark, and what it has counted. Of a stage that is split by key its
 * groups only say it at each barrier, and who gathers them commits the sum. Confined to the lane.
 */
final class StageTotals {

    private final String name;
    private final @Nullable GroupLane group;

    /** What is counted, from what was committed on; in a group from 0. */
    final LiveCounters counters = new LiveCounters();

    /** The watermark that was committed. */
    final long restored;

    private StageTotals(String name, LaneContext lane, @Nullable GroupLane group) {
        this.name = name;
        this.group = group;
        long[] stored = lane.state().longs(name, Watermark.STATE_NAME);
        this.restored = stored == null ? Watermark.NONE : stored[0];
        if (group == null) {
            counters.restore(lane.state(), name);
        }
    }

    /** Those of the stage named {@code name}, as it is named in {@code lane}. */
    static StageTotals open(String name, LaneContext lane) {
        return lane instanceof GroupLane group
                ? new StageTotals(group.stage(), group.parent(), group)
                : new StageTotals(name, lane, null);
    }

    /** A barrier passes. */
    void save(StateTransaction transaction, long watermark) {
        save(transaction, new Saved(watermark, counters.snapshot()));
    }

    private void save(StateTransaction transaction, Saved saved) {
        if (group != null) {
            group.saved(saved);
        } else {
            saved.save(transaction, name);
        }
    }

    /** What one group says at a barrier, or all together. */
    record Saved(long watermark, Counters counters) {

        Saved plus(Saved other) {
            return new Saved(Watermark.earlier(watermark, other.watermark), counters.plus(other.counters));
        }

        void save(StateTransaction transaction, String name) {
            transaction.longs(name, Watermark.STATE_NAME, new long[] {watermark});
            transaction.longs(name, LiveCounters.STATE_NAME, counters.toArray());
        }
    }
}
