package io.fluxmark.log;

/**
 * What is known of a partition without looking into it.
 *
 * @param startOffset nothing below it belongs to the partition any more
 * @param recoveryPoint everything below it has been forced
 */
record PartitionBounds(long startOffset, long recoveryPoint) {}
