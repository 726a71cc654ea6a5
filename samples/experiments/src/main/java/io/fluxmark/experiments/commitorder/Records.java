package io.fluxmark.experiments.commitorder;

/** A source that can be read again from any offset: what it gives is a function of the offset. */
final class Records {

    /** How many keys are counted. */
    static final int KEYS = 10_000;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long MIX = 0xBF58476D1CE4E5B9L;

    private Records() {}

    /** The key of a record, 0 to {@link #KEYS} exclusive, all equally frequent. */
    static int key(long record) {
        long z = (record + 1) * GOLDEN;
        z = (z ^ (z >>> 30)) * MIX;
        return (int) Long.remainderUnsigned(z ^ (z >>> 27), KEYS);
    }
}
