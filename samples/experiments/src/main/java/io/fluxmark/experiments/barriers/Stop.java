package io.fluxmark.experiments.barriers;

/**
 * What one barrier did to its lane.
 *
 * @param pauseNanos from the last event before it to the first one behind
 * @param commitNanos from the last event before it until its commit was durable
 * @param during events a second from the end of the pause until the commit was durable; 0 if there was no such time
 * @param after events a second from then to the next barrier
 * @param waited whether the commit before was not durable yet
 */
record Stop(long pauseNanos, long commitNanos, double during, double after, boolean waited) {}
