package io.fluxmark.aggregate.frontier;

import io.fluxmark.aggregate.WindowText;
import io.fluxmark.aggregate.run.InputSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All of a run of {@code fluxmark frontier}.
 *
 * @param input where events come from
 * @param windows the windows
 * @param windowName as they were named
 * @param delays the delays to compare
 * @param auto the shares of events in time for which a delay is to be found from the events, at most the longest of the delays
 * @param maxAhead how far in the future a time may lie
 * @param failFast whether the first rejected line ends the run
 * @param csv where the figures go, or null
 * @param png where the plot goes, or null
 */
public record FrontierSettings(
        InputSettings input,
        WindowText windows,
        String windowName,
        List<Duration> delays,
        List<Double> auto,
        Duration maxAhead,
        boolean failFast,
        @Nullable Path csv,
        @Nullable Path png) {}
