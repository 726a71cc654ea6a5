package io.fluxmark.experiments.recovery;

/**
 * One recovery from SIGKILL.
 *
 * @param replayed records that were read again
 * @param openNanos until log and store were open
 * @param nanos in all, until the checkpoint at the old position was durable
 * @param storeBytes the size of the store's file
 */
record Comeback(long replayed, long openNanos, long nanos, long storeBytes) {}
