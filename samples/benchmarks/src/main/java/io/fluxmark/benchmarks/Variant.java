package io.fluxmark.benchmarks;

import io.fluxmark.windows.EventBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * How our pipeline is run.
 *
 * @param runSize how many events travel together at most
 * @param handOver whether another thread does the windows, behind one {@code publishOn}
 * @param demand how many results are asked for at a time; {@link Long#MAX_VALUE} is all
 */
record Variant(int runSize, boolean handOver, long demand) {

    static final Variant PLAIN = new Variant(EventBatch.MAX_SIZE, false, Long.MAX_VALUE);

    private static final int SOME = 256;

    /** Throws {@link IllegalArgumentException} for what can't be run. */
    Variant {
        if (runSize < 1 || runSize > EventBatch.MAX_SIZE) {
            throw new IllegalArgumentException("--run-size is " + runSize + ": use 1 to " + EventBatch.MAX_SIZE);
        }
        if (demand < 1) {
            throw new IllegalArgumentException("--demand is " + demand + ": use 1 or more");
        }
    }

    /** The plain one, and each difference on its own. */
    static List<Variant> all() {
        return List.of(
                PLAIN,
                new Variant(1, PLAIN.handOver, PLAIN.demand),
                new Variant(PLAIN.runSize, true, PLAIN.demand),
                new Variant(PLAIN.runSize, PLAIN.handOver, SOME));
    }

    @Override
    public String toString() {
        List<String> differences = new ArrayList<>();
        if (runSize != PLAIN.runSize) {
            differences.add("run size " + runSize);
        }
        if (handOver) {
            differences.add("publishOn");
        }
        if (demand != PLAIN.demand) {
            differences.add("demand " + demand);
        }
        return differences.isEmpty() ? "Fluxmark" : "Fluxmark, " + String.join(", ", differences);
    }
}
