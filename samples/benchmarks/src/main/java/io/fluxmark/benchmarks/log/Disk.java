package io.fluxmark.benchmarks.log;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import reactor.core.scheduler.Scheduler;

/**
 * How long the disk takes to force a file: as long as it takes here, or at least so long.
 *
 * @param leastNanos 0 for as long as it takes
 */
record Disk(long leastNanos, Scheduler clock) {

    /** Does what forces a file. */
    <E extends Exception> void force(Force<E> action) throws E {
        long began = clock.now(TimeUnit.NANOSECONDS);
        action.run();
        long left = leastNanos - (clock.now(TimeUnit.NANOSECONDS) - began);
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = leastNanos - (clock.now(TimeUnit.NANOSECONDS) - began);
        }
    }

    /** Forces a file. */
    interface Force<E extends Exception> {
        void run() throws E;
    }
}
