package io.fluxmark.experiments.retraction;

import io.fluxmark.experiments.measure.Arrival;
import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.experiments.measure.StateSamples;
import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts per key and minute, and totals of these counts over ten minutes. After every input event the totals in force are
 * compared with the events that have come in by then.
 */
final class ChainedRun {

    private static final Duration LATENESS = Duration.ofMinutes(10);
    private static final long STATE_INTERVAL = 20_000;

    private final long judgedUntil;
    private final Playback<Arrival> playback = new Playback<>();
    private final StateSamples state = new StateSamples(Playback.START, STATE_INTERVAL);
    private final StateSamples excess = new StateSamples(Playback.START, STATE_INTERVAL);
    private final Map<Long, Long> inForce = new HashMap<>();
    private final Map<Long, Long> arrived = new HashMap<>();
    private @Nullable LiveCounters counts;
    private long checks;
    private long differences;

    private ChainedRun(int judgedMinutes) {
        this.judgedUntil = Playback.START + judgedMinutes * CorrectedInput.MINUTE;
    }

    /**
     * What a run has come to, for the judged minutes.
     *
     * @param events that came in
     * @param total of the totals in force at the end
     * @param corrections results of the first stage that were not the first of their minute, retractions among them
     * @param checks how often a total in force was compared with the events that had come in
     * @param differences how often it differed
     * @param state entries held
     * @param excess by how much the totals in force were too high, all together
     */
    record Totals(
            long events,
            long total,
            long corrections,
            long checks,
            long differences,
            StateSamples state,
            StateSamples excess) {

        double excessShare() {
            return (double) (total - events) / events;
        }
    }

    static Totals of(List<Arrival> arrivals, int judgedMinutes, Accumulation accumulation) {
        return new ChainedRun(judgedMinutes).run(arrivals, accumulation);
    }

    /** The pipeline, of which the second stage adds the first one's results up or does something else with them. */
    static <A> EventFlux<WindowResult<String, Long>> pipeline(
            EventFlux<Arrival> events,
            Accumulation accumulation,
            Consumer<LiveCounters> counters,
            WindowSpec second,
            Aggregation<WindowResult<String, Long>, A, Long> aggregation) {
        return events.watermarksMillis(Arrival::eventMillis, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyBy(Arrival::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(CorrectedInput.MINUTE))
                        .allowedLateness(LATENESS)
                        .accumulation(accumulation))
                .countersTo(counters)
                .aggregate(Aggregations.counting())
                .keyBy(result -> "all")
                .window(second)
                .aggregate(aggregation);
    }

    static WindowSpec totals() {
        return WindowSpec.tumbling(Duration.ofMillis(CorrectedInput.TOTAL)).allowedLateness(LATENESS);
    }

    private Totals run(List<Arrival> arrivals, Accumulation accumulation) {
        playback.run(
                pipeline(
                        playback.events(),
                        accumulation,
                        live -> counts = live,
                        totals(),
                        Aggregations.summingLong(WindowResult::value)),
                this::result);
        for (Arrival arrival : arrivals) {
            long total = start(arrival.eventMillis());
            arrived.merge(total, 1L, Long::sum);
            playback.event(arrival.arrivalMillis(), arrival);
            if (state.isDue(playback.now())) {
                state.add(playback.now(), playback.stateEntries());
                excess.add(playback.now(), excess());
            }
            if (inForce.containsKey(total)) {
                check(total);
            }
        }
        playback.end();
        var live = Objects.requireNonNull(counts, "counters").snapshot();
        if (live.accepted() != arrivals.size()) {
            throw new IllegalStateException("an event was not accepted: " + live);
        }
        return new Totals(
                judged(arrived),
                judged(inForce),
                live.get(Counter.FIRES_LATE) + live.get(Counter.RETRACTIONS),
                checks,
                differences,
                state,
                excess);
    }

    private long excess() {
        return inForce.entrySet().stream()
                .mapToLong(total -> total.getValue() - arrived.getOrDefault(total.getKey(), 0L))
                .sum();
    }

    private long judged(Map<Long, Long> totals) {
        return totals.entrySet().stream()
                .filter(total -> total.getKey() < judgedUntil)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void result(WindowResult<String, Long> result) {
        if (!result.isRetraction()) {
            inForce.put(result.window().start(), result.value());
        }
    }

    private void check(long total) {
        checks++;
        if (!Objects.equals(inForce.get(total), arrived.get(total))) {
            differences++;
        }
    }

    private static long start(long eventMillis) {
        return eventMillis - Math.floorMod(eventMillis, CorrectedInput.TOTAL);
    }
}
