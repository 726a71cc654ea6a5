package io.fluxmark.windows;

import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Ticks at the multiples of an interval on the lane's clock, behind whatever else that clock has for the same time, while there
 * is something to tick for: a task sets a flag and wakes the drain loop, which looks at it when there is demand.
 */
final class EarlyTimer {

    private final Scheduler clock;
    private final long everyMillis;
    private final Runnable wake;
    private final Disposable.Swap task = Disposables.swap();

    /** Confined to the drain loop. */
    private boolean armed;

    private volatile boolean due;

    EarlyTimer(Scheduler clock, long everyMillis, Runnable wake) {
        this.clock = clock;
        this.everyMillis = everyMillis;
        this.wake = wake;
    }

    /** Sets the next tick, unless it is set. */
    void arm() {
        if (!armed) {
            armed = true;
            long into = Math.floorMod(clock.now(TimeUnit.MILLISECONDS), everyMillis);
            task.update(clock.schedule(this::comeLast, everyMillis - into, TimeUnit.MILLISECONDS));
        }
    }

    /** Lets go first what else is due now: results show the watermark that silence leads to at this very time. */
    private void comeLast() {
        task.update(clock.schedule(this::tick, 0, TimeUnit.MILLISECONDS));
    }

    private void tick() {
        due = true;
        wake.run();
    }

    /** Whether a tick waits. */
    boolean isDue() {
        return due;
    }

    /** Takes the tick. */
    void take() {
        due = false;
        armed = false;
    }

    void dispose() {
        task.dispose();
    }
}
