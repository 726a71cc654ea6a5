package io.fluxmark.experiments.load;

import io.fluxmark.benchmarks.Event;

/**
 * What the job has to do with each event before it counts it: about a microsecond or two of arithmetic. Without it a producer on
 * the same two cores is the one that is overloaded first.
 */
final class Work {

    private static final int ROUNDS = 1_000;
    private static final long MIX = 0xBF58476D1CE4E5B9L;

    private Work() {}

    /** The event with a value that it takes the work to know. */
    static Event on(Event event) {
        long x = event.value();
        for (int round = 0; round < ROUNDS; round++) {
            x = (x ^ (x >>> 30)) * MIX;
        }
        return new Event(event.key(), x, event.timestamp());
    }
}
