package io.fluxmark.benchmarks.log;

import io.fluxmark.log.AppendResult;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Appenders that each append one record, wait for its result, and append the next: how long an append takes. One that takes long
 * holds up its own appender, and so is not counted as often as it would be at a fixed rate.
 */
final class Appenders {

    private static final long MOST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    private final LogUnderTest log;
    private final Scheduler clock;
    private final Histogram latencies = new ConcurrentHistogram(MOST_NANOS, DIGITS);

    Appenders(LogUnderTest log, Scheduler clock) {
        this.log = log;
        this.clock = clock;
    }

    /** In ns. */
    Histogram latencies() {
        return latencies;
    }

    /** Has so many appenders append {@code records} in all, and answers how many were acknowledged. */
    long run(int appenders, long records) {
        Long acknowledged = Flux.range(0, appenders)
                .flatMap(appender -> Mono.defer(() -> timed(appender)).repeat(records / appenders - 1), appenders)
                .count()
                .block();
        return acknowledged == null ? 0 : acknowledged;
    }

    private Mono<AppendResult> timed(int appender) {
        long began = clock.now(TimeUnit.NANOSECONDS);
        return log.append(appender)
                .doOnNext(
                        result -> latencies.recordValue(Math.min(MOST_NANOS, clock.now(TimeUnit.NANOSECONDS) - began)));
    }
}
