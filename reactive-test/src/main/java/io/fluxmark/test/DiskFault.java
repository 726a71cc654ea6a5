package io.fluxmark.test;

/** What a {@link SimulatedDisk} can be told to do wrong. */
public enum DiskFault {
    /** A write fails with an {@link java.io.IOException}, and nothing of it is written. */
    WRITE_FAILS,

    /** A write fails with an {@link java.io.IOException} after half of its bytes. */
    SHORT_WRITE,

    /** A force fails, and as on Linux what it was to make durable is still read, but never written by a later one. */
    FORCE_FAILS,

    /** A force reports success and makes nothing durable: a drive that lies, or an fsync that is missing. */
    FORCE_LIES;

    boolean isOfForces() {
        return this == FORCE_FAILS || this == FORCE_LIES;
    }
}
