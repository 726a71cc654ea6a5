package io.fluxmark.experiments.interval;

import java.time.Duration;

/**
 * How fast a job went between two of its checkpoints, or over most of a run without any.
 *
 * @param perSecond checkpoints a second
 * @param rate events a second
 * @param cost what {@link io.fluxmark.sinks.CheckpointCosts} says of one checkpoint at the end of the run; zero if there was none
 */
record Pace(double perSecond, double rate, Duration cost) {}
