package io.fluxmark.experiments.backpressure;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Lets so many a second through, as the ticks of a clock hand them out; who comes for more waits on his thread, which must be
 * one that may. Of what nobody has come for a second's worth is kept.
 */
final class Pace implements AutoCloseable {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int OPEN = 1 << 30;

    private final int perSecond;
    private final Scheduler clock;
    private final long start;
    private final Semaphore permits = new Semaphore(0);
    private final Disposable ticks;
    private long handedOut;

    Pace(int perSecond, Duration tick, Scheduler clock) {
        this.perSecond = perSecond;
        this.clock = clock;
        this.start = clock.now(TimeUnit.NANOSECONDS);
        this.ticks = clock.schedulePeriodically(this::tick, tick.toNanos(), tick.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void tick() {
        long due = (long) ((clock.now(TimeUnit.NANOSECONDS) - start) / NANOS_PER_SECOND * perSecond);
        int now = (int) Math.min(due - handedOut, perSecond - permits.availablePermits());
        handedOut = due;
        if (now > 0) {
            permits.release(now);
        }
    }

    /** Waits for its turn. */
    void take() {
        try {
            permits.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a turn", e);
        }
    }

    /** Lets everybody through from now on. */
    @Override
    public void close() {
        ticks.dispose();
        permits.release(OPEN);
    }
}
