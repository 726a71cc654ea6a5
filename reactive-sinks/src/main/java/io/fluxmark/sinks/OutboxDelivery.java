package io.fluxmark.sinks;

/**
 * One attempt to deliver a committed row. {@code (job, lane, number)} names the row for good: a receiver that remembers it can
 * tell a repetition.
 *
 * @param value the row
 * @param job the job's name
 * @param lane the lane that made it
 * @param number its number in the lane, rising
 * @param attempt from 1; a later one follows a failure, which may have come after the effect
 * @param repeated whether an earlier run of the job had committed the row, and may have delivered it
 */
public record OutboxDelivery<T>(T value, String job, int lane, long number, int attempt, boolean repeated) {}
