package io.fluxmark.test;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.StateTransaction;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A transaction that keeps what the operators say of themselves as a barrier passes, and commits nothing. */
final class RecordingTransaction implements StateTransaction {

    private static final String COUNTERS = "counters";

    private final long id;
    private final Map<String, Counters> counters = new HashMap<>();

    RecordingTransaction(long id) {
        this.id = id;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public void longs(String operator, String name, long[] values) {
        if (name.equals(COUNTERS)) {
            counters.put(operator, Counters.ofArray(values));
        }
    }

    @Override
    public String toString() {
        return "transaction " + id;
    }

    /** The counts of the windowed operator with what was rejected before it, or null when it wrote none. */
    @Nullable
    Counters counts() {
        Counters window = null;
        long rejected = 0;
        long failed = 0;
        for (Map.Entry<String, Counters> each : counters.entrySet()) {
            if (each.getKey().startsWith("window")) {
                window = each.getValue();
            } else {
                rejected += each.getValue().get(Counter.REJECTED);
                failed += each.getValue().get(Counter.FAILED);
            }
        }
        return window == null ? null : window.withRejected(rejected).withFailed(failed);
    }
}
