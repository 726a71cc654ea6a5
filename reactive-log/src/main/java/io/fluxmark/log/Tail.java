package io.fluxmark.log;

/**
 * The end of what readers may see: always between two batches.
 *
 * @param offset the next offset
 * @param segmentBase the base offset of the segment it lies in
 * @param position the bytes of that segment before it
 */
record Tail(long offset, long segmentBase, long position) {}
