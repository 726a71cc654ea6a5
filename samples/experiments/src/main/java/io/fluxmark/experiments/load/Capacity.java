package io.fluxmark.experiments.load;

import io.fluxmark.benchmarks.log.Workspace;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The rate that a job sustains: what it works through, while it has more than enough to do, beside a producer that appends as much.
 * The producer takes its part of the machine under every load, so it has to do so here too.
 */
final class Capacity {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final Duration POLL = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Workspace workspace;
    private final Scheduler clock;
    private final Duration warmUp;
    private final Duration time;

    /**
     * @param warmUp runs before what is measured, in each run
     * @param time what is measured
     */
    Capacity(Workspace workspace, Scheduler clock, Duration warmUp, Duration time) {
        this.workspace = workspace;
        this.clock = clock;
        this.warmUp = warmUp;
        this.time = time;
    }

    /**
     * Measures, beginning with a guess: each run's producer appends what the job had worked through in the run before.
     *
     * @param guess events a second
     * @return events a second, of the last run
     */
    double measure(double guess, int runs) {
        double rate = guess;
        for (int run = 0; run < runs; run++) {
            rate = once(rate);
        }
        return rate;
    }

    private double once(double rate) {
        double[] measured = new double[1];
        workspace.within(files -> {
            double seconds = (warmUp.toNanos() + time.toNanos()) / NANOS_PER_SECOND;
            // The job may be twice as fast as the guess, and still has to find something to do.
            try (LoadedJob job = new LoadedJob(files, rate, (long) (rate * seconds))) {
                job.start();
                awaitMoreThan(0, job);
                Mono.delay(warmUp, clock).block();
                long from = job.worked();
                long began = clock.now(TimeUnit.NANOSECONDS);
                Mono.delay(time, clock).block();
                awaitMoreThan(from, job);
                long worked = job.worked() - from;
                measured[0] = worked / ((clock.now(TimeUnit.NANOSECONDS) - began) / NANOS_PER_SECOND);
            }
        });
        return measured[0];
    }

    private void awaitMoreThan(long events, LoadedJob job) {
        Mono.defer(() -> Mono.delay(POLL, clock))
                .repeat(() -> job.worked() <= events)
                .then()
                .block(PATIENCE);
    }
}
