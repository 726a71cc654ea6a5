package io.fluxmark.sinks;

import io.fluxmark.windows.StateBackend;
import io.fluxmark.windows.StateTransaction;
import org.jspecify.annotations.Nullable;

/**
 * Where a lane stands: part of every transaction, beside the state that it belongs to.
 *
 * @param nextOffset the offset of the next record to read
 * @param finished whether the job was drained at that offset
 * @param transaction the transaction that brought it there, 0 before the first
 * @param oldestOffset the same of the oldest transaction that the store may have come back to then; at most {@code nextOffset}
 */
record LanePosition(long nextOffset, boolean finished, long transaction, long oldestOffset) {

    /** The operator name under which jobs keep their own values. */
    static final String OPERATOR = "job";

    static final String NAME = "position";
    static final LanePosition BEGIN = new LanePosition(0, false, 0, 0);

    private static final int OLDEST = 3;

    static LanePosition restore(StateBackend state) {
        long @Nullable [] stored = state.longs(OPERATOR, NAME);
        return stored == null ? BEGIN : of(stored);
    }

    static LanePosition of(long[] stored) {
        // Stores written before there was an oldest offset do not say it.
        long oldest = stored.length > OLDEST ? stored[OLDEST] : stored[0];
        return new LanePosition(stored[0], stored[1] != 0, stored[2], oldest);
    }

    void save(StateTransaction to) {
        to.longs(OPERATOR, NAME, new long[] {nextOffset, finished ? 1 : 0, transaction, oldestOffset});
    }
}
