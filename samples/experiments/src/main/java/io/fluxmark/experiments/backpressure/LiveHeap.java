package io.fluxmark.experiments.backpressure;

import java.lang.management.ManagementFactory;

/** What is on the heap of this process and is still used. */
final class LiveHeap {

    /** The second collection takes what the first one has only made free: by finalizers and references. */
    private static final int COLLECTIONS = 2;

    private static final double MEGABYTE = 1e6;

    private LiveHeap() {}

    /** Collects all of the heap and answers what is left, in MB. */
    static double megabytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return used();
    }

    /** What is used, live or not, in MB. */
    static double used() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEGABYTE;
    }
}
