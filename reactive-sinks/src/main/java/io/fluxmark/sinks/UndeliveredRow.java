package io.fluxmark.sinks;

/**
 * A row of an outbox that was given up after all attempts.
 *
 * @param value the row
 * @param lane the lane that made it
 * @param number its number in the lane
 * @param attempts how often delivery was tried
 * @param cause class and message of the last failure, at most 4,000 characters
 */
public record UndeliveredRow<T>(T value, int lane, long number, int attempts, String cause) {}
