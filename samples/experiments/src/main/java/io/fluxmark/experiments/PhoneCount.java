package io.fluxmark.experiments;

import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Readings per day by event time, counted by a pipeline.
 *
 * @param perDay readings per day of the pipeline's final results
 * @param dropped readings that came after their day was closed
 */
record PhoneCount(Map<Long, Long> perDay, long dropped) {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    static PhoneCount byEventTime(List<PhoneReading> readings, Duration delay) {
        AtomicReference<@Nullable LiveCounters> counters = new AtomicReference<>();
        Map<Long, Long> perDay = new TreeMap<>();
        EventFlux.from(Flux.fromIterable(readings))
                .watermarksMillis(PhoneReading::takenMillis, WatermarkSpec.boundedOutOfOrderness(delay))
                .keyBy(reading -> "all")
                .window(WindowSpec.tumbling(DAY))
                .countersTo(counters::set)
                .aggregate(Aggregations.counting())
                .toFlux()
                .doOnNext(result -> fold(result, perDay))
                .blockLast(TIMEOUT);
        LiveCounters counted = Objects.requireNonNull(counters.get(), "counters");
        return new PhoneCount(perDay, counted.snapshot().get(Counter.DROPPED));
    }

    /** Readings per day of whichever clock, counted by a loop. */
    static Map<Long, Long> plain(List<PhoneReading> readings, ToLongFunction<PhoneReading> day) {
        Map<Long, Long> perDay = new TreeMap<>();
        readings.forEach(reading -> perDay.merge(day.applyAsLong(reading), 1L, Long::sum));
        return perDay;
    }

    /** How many readings the pipeline counts for another day than they belong to: they would be too many somewhere. */
    long tooMany(Map<Long, Long> truth) {
        return perDay.entrySet().stream()
                .mapToLong(day -> Math.max(0, day.getValue() - truth.getOrDefault(day.getKey(), 0L)))
                .sum();
    }

    private static void fold(WindowResult<String, Long> result, Map<Long, Long> perDay) {
        long day = result.window().start() / DAY.toMillis();
        perDay.merge(day, result.isRetraction() ? -result.value() : result.value(), Long::sum);
    }
}
