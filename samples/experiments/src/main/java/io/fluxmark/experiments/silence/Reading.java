package io.fluxmark.experiments.silence;

/**
 * An event of a partition.
 *
 * @param partition from 0
 * @param key what it is counted under
 * @param eventMillis when it happened, epoch ms
 */
record Reading(int partition, int key, long eventMillis) {}
