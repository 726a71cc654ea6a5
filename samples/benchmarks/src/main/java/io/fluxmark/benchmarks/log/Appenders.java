package io.fluxmark.benchmarks.log;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Appenders that each append a run of records, wait for the result, and append the next: how long an append takes. One that takes
 * long holds up its own appender, and so is not counted as often as it would be at a fixed rate.
 */
public final class Appenders {

    private static final long MOST_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    private final LogUnderTest log;
    private final Scheduler clock;
    private final Histogram latencies = new ConcurrentHistogram(MOST_NANOS, DIGITS);

    /** To a log, by a clock. */
    public Appenders(LogUnderTest log, Scheduler clock) {
        this.log = log;
        this.clock = clock;
    }

    /** How long each append took, in ns. */
    public Histogram latencies() {
        return latencies;
    }

    /**
     * Has so many appenders append {@code appends} times in all.
     *
     * @param run records in each append
     * @return how many appends were acknowledged
     */
    public long run(int appenders, int run, long appends) {
        Long acknowledged = Flux.range(0, appenders)
                .flatMap(appender -> Mono.defer(() -> timed(appender, run)).repeat(appends / appenders - 1), appenders)
                .count()
                .block();
        return acknowledged == null ? 0 : acknowledged;
    }

    private Mono<Integer> timed(int appender, int run) {
        long began = clock.now(TimeUnit.NANOSECONDS);
        return log.append(appender, run)
                .doOnNext(
                        stored -> latencies.recordValue(Math.min(MOST_NANOS, clock.now(TimeUnit.NANOSECONDS) - began)));
    }
}
