package io.fluxmark.benchmarks;

/**
 * A hand-written loop over the events: tumbling windows of 10 s per key, count, sum and maximum. The yardstick: no
 * Reactor, no demand, no order of keys, no correction, one thread.
 */
abstract class ReferenceLoop {

    static final long SIZE_MILLIS = 10_000;

    /** The watermark moves only when the largest timestamp has grown by this much. */
    private static final long STEP_MILLIS = 100;

    final Tally tally = new Tally();
    private long watermark = Long.MIN_VALUE;
    private long nextStep = Long.MIN_VALUE;
    private long late;

    final Answer run(long events) {
        for (long i = 0; i < events; i++) {
            long bits = Generator.bits(i);
            long timestamp = Generator.timestamp(i, bits);
            long start = timestamp - timestamp % SIZE_MILLIS;
            if (isClosed(start)) {
                late++;
            } else {
                add(start, Generator.key(bits), Generator.value(bits));
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

    /** Whether the watermark has passed the window that starts at {@code start}. */
    final boolean isClosed(long start) {
        return start + SIZE_MILLIS - 1 <= watermark;
    }

    abstract void add(long start, long key, long value);

    /** Gives the results of all closed windows to the tally and forgets them. */
    abstract void fire();
}
