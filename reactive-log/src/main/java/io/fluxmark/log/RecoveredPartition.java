package io.fluxmark.log;

import org.jspecify.annotations.Nullable;

/**
 * A partition as found on opening.
 *
 * @param writer at the end of the last segment, null if there is none
 * @param damage the first damage found, null if all is well
 * @param tornBytes how much of the tail was cut
 */
record RecoveredPartition(
        PartitionView view,
        ProducerRegistry producers,
        @Nullable SegmentWriter writer,
        @Nullable CorruptSegmentException damage,
        long tornBytes) {}
