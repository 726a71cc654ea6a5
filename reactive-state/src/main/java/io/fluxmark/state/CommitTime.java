package io.fluxmark.state;

/**
 * What of the time that a commit takes is the price of one more commit. Rows are not: each is written once, however many
 * commits they are shared among. Changed state is, since an entry that changes all the time is written by each; so is forcing
 * a file in which next to nothing has changed. Confined to the store thread.
 */
final class CommitTime {

    private long leastForceNanos = Long.MAX_VALUE;

    /**
     * A commit has been measured.
     *
     * @param busyNanos all it took
     * @param forceNanos the part in which it was forced
     * @param stateEntries how many entries of state it changed
     * @param entries how many entries it changed at all
     * @return the part that depends on the number of commits, at most {@code busyNanos}
     */
    long perCommit(long busyNanos, long forceNanos, long stateEntries, long entries) {
        leastForceNanos = Math.min(leastForceNanos, forceNanos);
        long fixed = Math.min(busyNanos, leastForceNanos);
        return entries == 0 ? busyNanos : fixed + (long) ((double) (busyNanos - fixed) * stateEntries / entries);
    }
}
