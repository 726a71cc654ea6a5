package io.fluxmark.experiments.commitorder;

/** What arrives from a producer that sends 2 % of its records again, some time later. */
final class Resends {

    /** Of so many records one is sent again. */
    private static final int BLOCK = 50;

    private static final int DELIVERED = BLOCK + 1;

    /** How many blocks later: 1,000 records. */
    private static final int LATER = 20;

    private Resends() {}

    /** The record that is the n-th to arrive, from 0. What the first blocks repeat is of the very first. */
    static long record(long n) {
        long block = n / DELIVERED;
        long within = n % DELIVERED;
        return within < BLOCK
                ? block * BLOCK + within
                : Math.max(0, block - LATER) * BLOCK + Records.key(block) % BLOCK;
    }

    /** How many different records there are among the first {@code n} to arrive, of whole blocks. */
    static long different(long n) {
        if (n % DELIVERED != 0) {
            throw new IllegalArgumentException("whole blocks of " + DELIVERED + " arrive but was asked for " + n);
        }
        return n / DELIVERED * BLOCK;
    }

    /** The least number of arrivals that is a multiple of {@code of} and of whole blocks. */
    static long arrivals(int of) {
        return (long) DELIVERED * of;
    }
}
