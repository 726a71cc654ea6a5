package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Quantiles;
import io.fluxmark.experiments.measure.StateSamples;
import io.fluxmark.windows.Counters;

/**
 * What one run has come to, for the windows of the judged span.
 *
 * @param onTime events that were counted when their window fired first
 * @param corrections results that late events have put in the place of earlier ones
 * @param side events that went to the late output
 * @param byAge what the results in force count
 * @param latencies from the end of a window to its first result, ms, one for each window and key
 * @param state entries held
 * @param counters of the whole run
 */
record Outcome(
        long onTime,
        long corrections,
        long side,
        CompletenessByAge byAge,
        Quantiles latencies,
        StateSamples state,
        Counters counters) {

    double latencySeconds(double share) {
        return latencies.at(share) / 1_000.0;
    }
}
