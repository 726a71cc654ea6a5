package io.fluxmark.log;

/**
 * Where a partition ended when it was closed in order.
 *
 * @param endOffset the next offset
 * @param segmentBase the base offset of the last segment
 * @param segmentBytes the length of the last segment
 */
record CleanEnd(long endOffset, long segmentBase, long segmentBytes) {}
