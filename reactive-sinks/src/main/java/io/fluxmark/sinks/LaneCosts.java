package io.fluxmark.sinks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.scheduler.Scheduler;

/**
 * Takes the time that a lane loses to its checkpoints. The head and the end of the lane use it, each from within its own drain
 * loop; most often one runs inside the other.
 */
final class LaneCosts {

    private final CheckpointCosts job;
    private final int lane;
    private final Scheduler clock;
    private final AtomicLong lost = new AtomicLong();

    /** Whether the head is just handing a barrier on: what happens meanwhile is part of that. */
    private volatile boolean handing;

    /** When the head began to, and when the end began to stand still, 0 if it does not. */
    private long handingSince;

    private long standingSince;

    LaneCosts(CheckpointCosts job, int lane, Scheduler clock) {
        this.job = job;
        this.lane = lane;
        this.clock = clock;
    }

    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }

    /** The head returns a barrier. */
    void handing() {
        handingSince = now();
        handing = true;
    }

    /** The head has its thread back, or, where it stops at barriers, goes on; cheap where no barrier was handed on. */
    void handed() {
        if (handing) {
            handing = false;
            lost.addAndGet(now() - handingSince);
        }
    }

    /** The head stopped, and there was nothing to go on with. */
    void nothingLost() {
        handing = false;
    }

    /** The end begins to look at a barrier. */
    long begins() {
        return now();
    }

    /** The end has put everything into the transaction. */
    void ends(long began) {
        if (!handing) {
            lost.addAndGet(now() - began);
        }
    }

    /** The end can take no more input before a commit is durable. */
    void stands() {
        standingSince = now();
    }

    /**
     * A transaction is durable.
     *
     * @param storeNanos what the store's thread needed for it
     * @param more whether there is input that had to wait, where the end stood still
     */
    void durable(long storeNanos, boolean more) {
        if (standingSince != 0) {
            if (more) {
                lost.addAndGet(now() - standingSince);
            }
            standingSince = 0;
        }
        job.add(lane, lost.getAndSet(0), storeNanos);
    }
}
