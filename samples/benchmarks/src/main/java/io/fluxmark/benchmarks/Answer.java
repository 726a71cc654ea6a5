package io.fluxmark.benchmarks;

/**
 * What a contender found out; equal for all, or the rates mean nothing.
 *
 * @param results pairs of window and key
 * @param checksum over the key, window start and count of each result
 * @param valueChecksum over the sum and maximum of each result
 * @param lateDrops events behind their window
 */
public record Answer(long results, long checksum, long valueChecksum, long lateDrops) {}
