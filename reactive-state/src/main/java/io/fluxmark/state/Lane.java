package io.fluxmark.state;

import org.jspecify.annotations.Nullable;

/**
 * What the store knows of a lane while it is open. Written by the store thread only, ahead of durability: if the commit
 * fails, the whole incarnation is thrown away and loaded again.
 */
final class Lane {

    private final LaneId id;
    private final int number;
    private volatile long generation;
    private long applied;
    private boolean refusing;
    private @Nullable LaneSession session;

    Lane(LaneId id, int number, long generation, long applied) {
        this.id = id;
        this.number = number;
        this.generation = generation;
        this.applied = applied;
    }

    LaneId id() {
        return id;
    }

    /** Stands for the lane in keys and rows. */
    int number() {
        return number;
    }

    /** Readable from any thread. */
    long generation() {
        return generation;
    }

    long applied() {
        return applied;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void fence() {
        generation = generation + 1;
        refusing = false;
    }

    /** Remembers the newest session and retires the one before. */
    void sessionStarted(@Nullable LaneSession newest) {
        LaneSession previous = session;
        session = newest;
        if (previous != null) {
            previous.retire();
        }
    }

    /** Accepts the next transaction of a generation or says why not; the first refusal closes the generation. */
    void accept(long ofGeneration, long transaction) {
        check(ofGeneration, transaction);
        applied = transaction;
    }

    /** Accepts rows ahead of the next transaction of a generation or says why not, as it does the transaction itself. */
    void acceptAhead(long ofGeneration, long transaction) {
        check(ofGeneration, transaction);
    }

    private void check(long ofGeneration, long transaction) {
        if (ofGeneration != generation) {
            throw new StaleGenerationException("Transaction " + transaction + " of " + id + " belongs to generation "
                    + ofGeneration + " but " + generation + " is in charge; this session must end");
        }
        if (refusing) {
            throw new TransactionRefusedException(
                    "Transaction " + transaction + " of " + id
                            + " follows a refused one; open the lane again and continue from what it restores",
                    null);
        }
        if (transaction != applied + 1) {
            refusing = true;
            throw new TransactionRefusedException(
                    "Transaction " + transaction + " of " + id + " is out of order, " + (applied + 1)
                            + " is next; submit in the order of begin()",
                    null);
        }
    }

    /** Refuses all further transactions of the generation. */
    void refuse() {
        refusing = true;
    }
}
