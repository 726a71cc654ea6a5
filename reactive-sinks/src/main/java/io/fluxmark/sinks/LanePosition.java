package io.fluxmark.sinks;

import io.fluxmark.windows.StateBackend;
import io.fluxmark.windows.StateTransaction;
import org.jspecify.annotations.Nullable;

/**
 * Where a lane stands: part of every transaction, beside the state that it belongs to.
 *
 * @param nextOffset the offset of the next record to read
 * @param finished whether the job was drained at that offset
 */
record LanePosition(long nextOffset, boolean finished) {

    /** The operator name under which jobs keep their own values. */
    static final String OPERATOR = "job";

    private static final String NAME = "position";
    private static final LanePosition BEGIN = new LanePosition(0, false);

    static LanePosition restore(StateBackend state) {
        long @Nullable [] stored = state.longs(OPERATOR, NAME);
        return stored == null ? BEGIN : new LanePosition(stored[0], stored[1] != 0);
    }

    void save(StateTransaction transaction) {
        transaction.longs(OPERATOR, NAME, new long[] {nextOffset, finished ? 1 : 0});
    }
}
