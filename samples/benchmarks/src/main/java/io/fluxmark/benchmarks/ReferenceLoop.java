package io.fluxmark.benchmarks;

/**
 * A hand-written loop over the events: windows per key, count, sum and maximum. The yardstick: no Reactor, no demand, no
 * order of keys, no correction, one thread.
 */
abstract class ReferenceLoop {

    /** The watermark moves only when the largest timestamp has grown by this much. */
    private static final long STEP_MILLIS = 100;

    final Tally tally = new Tally();
    private final Generator generator;
    private long watermark = Long.MIN_VALUE;
    private long nextStep = Long.MIN_VALUE;
    private long late;

    ReferenceLoop(Generator generator) {
        this.generator = generator;
    }

    final Answer run(long events) {
        for (long i = 0; i < events; i++) {
            long bits = Generator.bits(i);
            long timestamp = Generator.timestamp(i, bits);
            if (!add(generator.key(i, bits), Generator.value(bits), timestamp)) {
                late++;
            }
            if (timestamp >= nextStep) {
                nextStep = timestamp + STEP_MILLIS;
                watermark = timestamp - Generator.BOUND_MILLIS - 1;
                fire();
            }
        }
        watermark = Long.MAX_VALUE;
        fire();
        return tally.answer(late);
    }

    /** Whether the watermark has passed what ends, exclusively, at {@code end}. */
    final boolean isClosed(long end) {
        return end - 1 <= watermark;
    }

    /** Adds an event; false where it is late. */
    abstract boolean add(long key, long value, long timestamp);

    /** Gives the results of all that has closed to the tally and forgets them. */
    abstract void fire();
}
