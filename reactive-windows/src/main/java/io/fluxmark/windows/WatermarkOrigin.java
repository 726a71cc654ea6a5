package io.fluxmark.windows;

import java.util.List;

/**
 * Where a watermark comes from, as an {@link Explanation} tells it.
 *
 * @param operator the operator that gives events their time
 * @param watermark what that has come to, epoch ms; the windows may not have heard of it yet
 * @param partitions how far each partition has come; empty where the clock makes the watermark
 */
public record WatermarkOrigin(String operator, long watermark, List<PartitionProgress> partitions) {

    /** Copies the list. */
    public WatermarkOrigin {
        partitions = List.copyOf(partitions);
    }

    /** The partitions that hold the watermark where it is; none when all are idle, have ended, or there are none. */
    public List<PartitionProgress> holders() {
        return partitions.stream().filter(PartitionProgress::holds).toList();
    }

    /** Whether the clock makes the watermark, and not events. */
    public boolean followsClock() {
        return partitions.isEmpty();
    }
}
