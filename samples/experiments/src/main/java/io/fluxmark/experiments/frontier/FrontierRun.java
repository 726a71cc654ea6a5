package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Arrival;
import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.experiments.measure.Quantiles;
import io.fluxmark.experiments.measure.StateSamples;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import io.fluxmark.windows.WindowedFlux;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An input played through one pipeline, on the clock of its arrivals. */
final class FrontierRun {

    /** Flights are announced up to 80 minutes before they leave. */
    private static final Duration AHEAD = Duration.ofDays(1);

    private static final int STATE_SAMPLES = 400;

    private final Input input;
    private final LatePolicy policy;
    private final Playback<Arrival> playback = new Playback<>();
    private final Quantiles latencies = new Quantiles();
    private final CompletenessByAge byAge = new CompletenessByAge();
    private final StateSamples state;
    private @Nullable LiveCounters counters;
    private long onTime;
    private long corrections;
    private long side;
    private boolean judged;

    private FrontierRun(Input input, LatePolicy policy) {
        this.input = input;
        this.policy = policy;
        this.state = new StateSamples(input.from(), (input.until() - input.from()) / STATE_SAMPLES);
    }

    static Outcome of(Input input, Duration size, Duration delay, LatePolicy policy) {
        return new FrontierRun(input, policy).run(size, delay);
    }

    private Outcome run(Duration size, Duration delay) {
        WindowedFlux<String, Arrival> windowed = playback.events()
                .watermarksMillis(
                        Arrival::eventMillis,
                        WatermarkSpec.boundedOutOfOrderness(delay).maxAhead(AHEAD))
                .keyBy(Arrival::key)
                .window(WindowSpec.tumbling(size).allowedLateness(policy.lateness()))
                .countersTo(live -> counters = live);
        if (policy.side()) {
            windowed = windowed.lateTo(this::late);
        }
        playback.run(windowed.aggregate(Aggregations.counting()), this::result);
        for (Arrival arrival : input.arrivals()) {
            playback.event(arrival.arrivalMillis(), arrival);
            if (state.isDue(playback.now())) {
                state.add(playback.now(), playback.stateEntries());
            }
            if (judged && policy.equals(LatePolicy.DROP)) {
                break; // nothing that follows would change a judged window
            }
        }
        playback.end();
        LiveCounters live = Objects.requireNonNull(counters, "counters");
        return new Outcome(onTime, corrections, side, byAge, latencies, state, live.snapshot());
    }

    private void result(WindowResult<String, Long> result) {
        TimeWindow window = result.window();
        if (!input.judges(window.start())) {
            judged |= window.start() >= input.until();
            return;
        }
        if (result.watermark() == Watermark.END) {
            throw new IllegalStateException(window + " of input " + input.name()
                    + " fires only at the end: judge a shorter span or give more input");
        }
        long age = playback.now() - window.end();
        byAge.add(age, result.isRetraction() ? -result.value() : result.value());
        if (result.kind() == WindowResult.Kind.ON_TIME) {
            latencies.add(age);
            onTime += result.value();
        } else if (result.kind() == WindowResult.Kind.LATE) {
            corrections++;
        }
    }

    private void late(LateEvent<Arrival> late) {
        if (input.judges(late.timestamp())) {
            side++;
        }
    }
}
