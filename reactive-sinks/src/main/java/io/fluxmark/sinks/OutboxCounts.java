package io.fluxmark.sinks;

/**
 * What an outbox has done since it was made, over all lanes and runs in this process.
 *
 * @param delivered rows that the receiver has acknowledged
 * @param redelivered rows handed over that an earlier run had committed, and may have delivered before
 * @param retried attempts that followed a failed one
 * @param dead rows that were given up: as many as have been added to the dead letters, less those whose commit is still to come
 */
public record OutboxCounts(long delivered, long redelivered, long retried, long dead) {}
