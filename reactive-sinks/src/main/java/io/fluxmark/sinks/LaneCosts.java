package io.fluxmark.sinks;

import io.fluxmark.state.StoreCommit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.scheduler.Scheduler;

/**
 * Takes the time that a lane loses to its checkpoints. Where it waits for a commit, the part of the wait counts that depends on
 * how many commits there are. The head and the end of the lane use it, each from within its own drain loop; most often one runs
 * inside the other.
 */
final class LaneCosts {

    private final CheckpointCosts job;
    private final int lane;
    private final Scheduler clock;
    private final AtomicLong lost = new AtomicLong();

    /** Whether the head is just handing a barrier on: what happens meanwhile is part of that. */
    private volatile boolean handing;

    /** When the head began to, and when the end had put everything into the transaction, 0 before. */
    private long handingSince;

    private volatile long ended;

    /** When the end began to stand still, 0 if it does not. */
    private long standingSince;

    /** The part of the newest commit that depends on how many there are. */
    private volatile double share = 1;

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
        ended = 0;
        handingSince = now();
        handing = true;
    }

    /** The head has its thread back, or, where it stops at barriers, goes on; cheap where no barrier was handed on. */
    void handed() {
        if (handing) {
            handing = false;
            long now = now();
            long waits = ended == 0 ? now : ended;
            lost.addAndGet(waits - handingSince + shared(now - waits));
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
        if (handing) {
            ended = now();
        } else {
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
     * @param more whether there is input that had to wait, where the end stood still
     */
    void durable(StoreCommit commit, boolean more) {
        share = commit.busyNanos() == 0 ? 1 : (double) commit.perCommitNanos() / commit.busyNanos();
        if (standingSince != 0) {
            if (more) {
                lost.addAndGet(shared(now() - standingSince));
            }
            standingSince = 0;
        }
        job.add(
                lane,
                lost.getAndSet(0),
                commit.perCommitNanos() / Math.max(1, commit.lanes().size()));
    }

    private long shared(long nanos) {
        return (long) (share * nanos);
    }
}
