package io.fluxmark.experiments.frontier;

import java.util.SplittableRandom;

/** How long after it happened an event comes in. */
sealed interface LatenessLaw {

    /** How many points of a window are looked at to say what share of its events is late. */
    int POINTS = 2_000;

    /** The delay of the next event, ms, at least 0. */
    long nextMillis(SplittableRandom random);

    /** The share of events that are delayed by more than so many ms. */
    double beyond(double millis);

    /**
     * What share of the events a window counts that fires at the watermark of its end: an event is missed if its delay is
     * longer than the rest of its window and the out-of-orderness bound together.
     */
    default double completeness(long windowMillis, long boundMillis) {
        double missed = 0;
        for (int i = 0; i < POINTS; i++) {
            missed += beyond((i + 0.5) / POINTS * windowMillis + boundMillis);
        }
        return 1 - missed / POINTS;
    }

    /** A network with retries: most events come soon, some late, none never. */
    record Exponential(double meanMillis) implements LatenessLaw {

        @Override
        public long nextMillis(SplittableRandom random) {
            return Math.round(-meanMillis * Math.log(1 - random.nextDouble()));
        }

        @Override
        public double beyond(double millis) {
            return Math.exp(-millis / meanMillis);
        }
    }

    /** Any delay between two bounds: a device that is offline. */
    record Uniform(long fromMillis, long toMillis) implements LatenessLaw {

        @Override
        public long nextMillis(SplittableRandom random) {
            return fromMillis + random.nextLong(toMillis - fromMillis);
        }

        @Override
        public double beyond(double millis) {
            return Math.min(1, Math.max(0, (toMillis - millis) / (toMillis - fromMillis)));
        }
    }

    /** Two laws, of which a share of the events follows the second. */
    record Mixed(LatenessLaw first, LatenessLaw second, double shareOfSecond) implements LatenessLaw {

        @Override
        public long nextMillis(SplittableRandom random) {
            return (random.nextDouble() < shareOfSecond ? second : first).nextMillis(random);
        }

        @Override
        public double beyond(double millis) {
            return (1 - shareOfSecond) * first.beyond(millis) + shareOfSecond * second.beyond(millis);
        }
    }
}
