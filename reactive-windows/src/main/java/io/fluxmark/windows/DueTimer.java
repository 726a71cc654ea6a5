package io.fluxmark.windows;

/**
 * A timer that a function has failed on: what {@link FunctionFailure#event} is then.
 *
 * @param key the key that it was set for
 * @param timestamp when it was due, epoch ms
 */
public record DueTimer(Object key, long timestamp) {}
