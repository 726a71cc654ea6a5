package io.fluxmark.experiments.silence;

import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.experiments.measure.StateSamples;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Some partitions of a script in one lane: merged, or a single one. */
final class MergedRun {

    static final Duration SIZE = Duration.ofSeconds(10);
    static final Duration DELAY = Duration.ofSeconds(5);

    private static final long STATE_INTERVAL = 5_000;

    private final Playback<Reading> playback = new Playback<>();
    private final SortedMap<Long, Long> fired = new TreeMap<>();
    private final StateSamples state = new StateSamples(Playback.START, STATE_INTERVAL);
    private @Nullable LiveCounters counters;
    private long late;

    private MergedRun() {}

    /**
     * What a run has come to.
     *
     * @param fired when the first result of a window came out, by the end of the window
     * @param late events of the silent partition that came too late for their window
     * @param state entries held
     */
    record Outcome(SortedMap<Long, Long> fired, long late, StateSamples state, Counters counters) {}

    /**
     * Runs the first partitions of a script.
     *
     * @param silence after which a partition is idle, or null for never
     */
    static Outcome of(Script script, int partitions, @Nullable Duration silence) {
        MergedRun run = new MergedRun();
        WatermarkSpec spec = WatermarkSpec.boundedOutOfOrderness(DELAY);
        run.subscribe(run.playback
                .events()
                .watermarksByPartition(
                        partitions,
                        Reading::partition,
                        Reading::eventMillis,
                        silence == null ? spec : spec.idleAfter(silence),
                        invalid -> {}));
        script.play(partitions, run::event);
        return run.end();
    }

    /** Runs one partition of a script in a lane of its own. */
    static Outcome ofLane(Script script, int partition) {
        MergedRun run = new MergedRun();
        run.subscribe(run.playback
                .events()
                .watermarksMillis(Reading::eventMillis, WatermarkSpec.boundedOutOfOrderness(DELAY)));
        script.play(Script.PARTITIONS, (millis, reading) -> {
            if (reading.partition() == partition) {
                run.event(millis, reading);
            }
        });
        return run.end();
    }

    private void subscribe(EventFlux<Reading> timed) {
        playback.run(
                timed.keyBy(Reading::key)
                        .window(WindowSpec.tumbling(SIZE))
                        .lateTo(this::late)
                        .countersTo(live -> counters = live)
                        .aggregate(Aggregations.counting()),
                this::result);
    }

    private void event(long millis, Reading reading) {
        playback.event(millis, reading);
        if (state.isDue(millis)) {
            state.add(millis, playback.stateEntries());
        }
    }

    private void result(WindowResult<Integer, Long> result) {
        fired.putIfAbsent(result.window().end(), playback.now());
    }

    private void late(LateEvent<Reading> event) {
        if (event.value().partition() == Script.SILENT) {
            late++;
        }
    }

    private Outcome end() {
        SortedMap<Long, Long> before = new TreeMap<>(fired);
        playback.end();
        Counters counted = Objects.requireNonNull(counters, "counters").snapshot();
        if (!counted.sumHolds() || counted.get(Counter.REJECTED) > 0) {
            throw new IllegalStateException("events are missing: " + counted);
        }
        return new Outcome(before, late, state, counted);
    }
}
