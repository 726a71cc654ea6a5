package io.fluxmark.experiments.measure;

/**
 * An event and the moment it comes in.
 *
 * @param key what it is counted under
 * @param eventMillis when it happened, epoch ms
 * @param arrivalMillis when it comes in, epoch ms
 */
public record Arrival(String key, long eventMillis, long arrivalMillis) {}
