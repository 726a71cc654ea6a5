package io.fluxmark.windows;

import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Wakes a drain loop at a time on the lane's clock: one task at most, which does nothing but wake. The time is a lower
 * bound, kept when it moves on: who is woken looks at what is due, and sets the timer again. Confined to the drain loop.
 */
final class WakeTimer {

    /** Far times are approached in hops, so that no scheduler has to add up centuries. */
    private static final long LONGEST = TimeUnit.DAYS.toNanos(1);

    private final Scheduler clock;
    private final Runnable wake;
    private final Disposable.Swap task = Disposables.swap();
    private long armedFor;
    private boolean armed;
    private volatile boolean fired;

    WakeTimer(Scheduler clock, Runnable wake) {
        this.clock = clock;
        this.wake = wake;
    }

    /** The time now, ns, of the clock that {@link #wakeAt} goes by. */
    long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }

    /** Makes sure that the drain loop is woken at {@code due}, ns, if not before. */
    void wakeAt(long due, long now) {
        if (fired) {
            fired = false;
            armed = false;
        }
        if (armed && armedFor - due <= 0) {
            return;
        }
        long delay = Math.min(Math.max(0, due - now), LONGEST);
        armed = true;
        armedFor = now + delay;
        task.update(clock.schedule(this::fire, delay, TimeUnit.NANOSECONDS));
    }

    private void fire() {
        fired = true;
        wake.run();
    }

    void dispose() {
        task.dispose();
    }
}
