package io.fluxmark.sinks;

/**
 * A committed change.
 *
 * @param lane the lane of the job that made it
 * @param number its number in the lane, from 0 without gaps
 * @param value what was emitted
 */
public record Change<T>(int lane, long number, T value) {}
