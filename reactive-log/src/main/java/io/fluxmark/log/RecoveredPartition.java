package io.fluxmark.log;

import org.jspecify.annotations.Nullable;

/**
 * A partition as found on opening.
 *
 * @param writer at the end of the last segment, null if there is none
 * @param damage the first damage found, null if all is well
 * @param unjudged the first damage found that may have held sequences nobody knows of, or null
 * @param tornBytes how much of the tail was cut
 * @param clean whether it is as it was when it was closed in order
 */
record RecoveredPartition(
        PartitionView view,
        ProducerRegistry producers,
        ProducerSnapshots snapshots,
        @Nullable SegmentWriter writer,
        @Nullable CorruptSegmentException damage,
        @Nullable CorruptSegmentException unjudged,
        long tornBytes,
        boolean clean) {}
