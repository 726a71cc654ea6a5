package io.fluxmark.experiments.interval;

import java.time.Duration;

/**
 * One SIGKILL.
 *
 * @param interval between the checkpoints of the job
 * @param replayed records that were read again
 * @param lostNanos from the signal until a new process had read the record at which the old one was
 */
record Kill(Duration interval, long replayed, long lostNanos) {}
