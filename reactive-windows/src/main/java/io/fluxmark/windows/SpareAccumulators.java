package io.fluxmark.windows;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Accumulators made some ahead of need. What is made in one go lies side by side in memory; made one by one between the
 * events, accumulators would be strewn over all that the events leave behind, and each be a cache miss. Never are more
 * made ahead than have been used before, nor more than {@value #MOST}. Confined to the lane.
 */
final class SpareAccumulators<A> {

    private static final int MOST = 64;

    private final Aggregation<?, A, ?> aggregation;
    private final @Nullable Object[] spare = new Object[MOST];
    private int left;
    private int batch = 1;

    SpareAccumulators(Aggregation<?, A, ?> aggregation) {
        this.aggregation = aggregation;
    }

    /** An accumulator without events. */
    @SuppressWarnings("unchecked") // only accumulators are ever put in
    A take() {
        if (left == 0) {
            while (left < batch) {
                spare[left] = aggregation.create();
                left++;
            }
            batch = Math.min(MOST, batch * 2);
        }
        A accumulator = (A) Objects.requireNonNull(spare[--left], "spare");
        spare[left] = null;
        return accumulator;
    }
}
