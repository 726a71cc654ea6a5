package io.fluxmark.benchmarks;

/**
 * A synthetic event.
 *
 * @param key at least 0
 * @param value 0 to 65,535
 * @param timestamp epoch ms
 */
public record Event(long key, long value, long timestamp) {}
