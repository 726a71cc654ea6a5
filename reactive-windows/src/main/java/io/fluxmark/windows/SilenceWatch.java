package io.fluxmark.windows;

import io.fluxmark.windows.CombinedWatermark.State;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/**
 * Tells which partitions are idle, and lets the watermark follow the clock where that was chosen. Confined to the drain
 * loop.
 *
 * <p>A partition's silence begins at the later of its last event and the moment when everything that there is of it has
 * been read and downstream has demand; where either is lost, it begins anew (S27, S28). The time for which the drain loop
 * is at work, on events of others or in a downstream that takes its time, is left out of it.
 */
final class SilenceWatch {

    private static final long NOT_SILENT = Long.MIN_VALUE;
    private static final long STEPS = 10;

    private final CombinedWatermark combined;
    private final WakeTimer timer;
    private final long idleAfter;
    private final long followAfter;
    private final long step;

    /** Since when each partition is silent, ns. */
    private final long[] since;

    /** Since when the drain loop has been at work, ns, while it is. */
    private long workingSince;

    private boolean working;

    /** How far the watermark has followed the clock since the last event, ms, and how far in silences before this one. */
    private long followed;

    private long followedBefore;

    SilenceWatch(CombinedWatermark combined, WatermarkSpec spec, WakeTimer timer) {
        this.combined = combined;
        this.timer = timer;
        this.idleAfter = spec.idleAfterNanos();
        this.followAfter = spec.followAfterNanos();
        this.step = Math.max(TimeUnit.MILLISECONDS.toNanos(1), followAfter / STEPS);
        this.since = new long[combined.partitions()];
        Arrays.fill(since, NOT_SILENT);
    }

    /** Partition {@code p} has had an event. */
    void onEvent(int p) {
        since[p] = NOT_SILENT;
        followed = 0;
        followedBefore = 0;
    }

    /** The drain loop is at work: who can't be read meanwhile is not silent, and no silence counts before {@link #rest}. */
    void work() {
        if (!working) {
            working = true;
            workingSince = timer.now();
        }
    }

    /** The drain loop has nothing more to do. */
    void rest() {
        working = false;
    }

    private void leaveOutWork(long now) {
        long worked = now - workingSince;
        if (!working || worked == 0) {
            return;
        }
        workingSince = now;
        for (int p = 0; p < since.length; p++) {
            if (since[p] != NOT_SILENT) {
                since[p] += worked;
            }
        }
    }

    /** Nothing is demanded, or not everything is read: no silence counts. */
    void interrupt() {
        Arrays.fill(since, NOT_SILENT);
        followedBefore = followed;
    }

    /** Who has something unread is not idle (S28): it holds the watermark before anything else is read. */
    void activateUnread(IntPredicate isCaughtUp) {
        for (int p = 0; p < since.length; p++) {
            if (combined.state(p) == State.IDLE && !isCaughtUp.test(p)) {
                combined.activate(p);
            }
        }
    }

    /** Looks at the clock while there is demand; {@code isCaughtUp} says which partitions have nothing unread. */
    void check(IntPredicate isCaughtUp) {
        long now = timer.now();
        leaveOutWork(now);
        long shortest = Long.MAX_VALUE;
        long wait = Long.MAX_VALUE;
        for (int p = 0; p < since.length; p++) {
            if (combined.state(p) != State.FINISHED) {
                long silence = silence(p, now, isCaughtUp.test(p));
                shortest = Math.min(shortest, silence);
                wait = Math.min(wait, untilIdle(p, silence));
            }
        }
        wait = Math.min(wait, follow(shortest));
        if (wait != Long.MAX_VALUE) {
            timer.wakeAt(now + wait, now);
        }
    }

    /** For how long partition {@code p} has been silent, ns; -1 when it has something unread, which makes it active. */
    private long silence(int p, long now, boolean isCaughtUp) {
        if (!isCaughtUp) {
            since[p] = NOT_SILENT;
            combined.activate(p);
            return -1;
        }
        if (since[p] == NOT_SILENT) {
            since[p] = now;
        }
        return now - since[p];
    }

    /** Makes a partition idle when its silence is long enough; else says how long that will take, ns. */
    private long untilIdle(int p, long silence) {
        if (idleAfter == WatermarkSpec.NEVER || silence < 0 || combined.state(p) == State.IDLE) {
            return Long.MAX_VALUE;
        }
        if (silence < idleAfter) {
            return idleAfter - silence;
        }
        combined.idle(p);
        return Long.MAX_VALUE;
    }

    /** Follows the clock when all have been silent for long enough; says how long the next step will take, ns. */
    private long follow(long silence) {
        long base = combined.highest();
        if (followAfter == WatermarkSpec.NEVER || base == Watermark.NONE) {
            return Long.MAX_VALUE;
        }
        if (silence < 0) {
            followedBefore = followed;
            return Long.MAX_VALUE;
        }
        if (silence < followAfter) {
            return followAfter - silence;
        }
        long steps = (silence - followAfter) / step;
        followed = followedBefore + TimeUnit.NANOSECONDS.toMillis(followAfter + steps * step);
        combined.advanceTo(base + followed);
        return followAfter + (steps + 1) * step - silence;
    }

    /** How far the watermark has followed the clock, ms: what {@link #restore} goes on from. */
    long followed() {
        return followed;
    }

    void restore(long followedMillis) {
        followed = followedMillis;
        followedBefore = followedMillis;
    }

    void dispose() {
        timer.dispose();
    }
}
