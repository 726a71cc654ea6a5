package io.fluxmark.windows;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts while they are counted: written by one lane, readable from any thread at any time, cell by cell. A consistent
 * snapshot is what the lane itself takes between two elements.
 */
public final class LiveCounters {

    /** The name under which an operator commits its counters with {@link StateTransaction#longs}. */
    public static final String STATE_NAME = "counters";

    private final AtomicLongArray cells = new AtomicLongArray(Counter.COUNT);

    /** Counted elsewhere, and part of what these count. */
    private final List<LiveCounters> parts = new CopyOnWriteArrayList<>();

    /** All zero. */
    public LiveCounters() {}

    /** What another one counts is counted here too. */
    void include(LiveCounters part) {
        parts.add(part);
    }

    /** What these have counted themselves, together with what their parts have said. */
    Counters plus(Counters saidByParts) {
        return own().plus(saidByParts);
    }

    void add(Counter counter, long n) {
        int cell = counter.cell;
        cells.lazySet(cell, cells.getPlain(cell) + n);
    }

    long get(Counter counter) {
        return cells.getPlain(counter.cell);
    }

    /** Goes on from what {@code operator} has committed last, if anything. */
    void restore(StateBackend state, String operator) {
        long[] stored = state.longs(operator, STATE_NAME);
        if (stored != null) {
            long[] restored = Counters.ofArray(stored).toArray();
            for (int i = 0; i < restored.length; i++) {
                cells.lazySet(i, restored[i]);
            }
        }
    }

    /** Makes the counts of {@code operator} part of a passing barrier's transaction. */
    void save(StateTransaction transaction, String operator) {
        transaction.longs(operator, STATE_NAME, snapshot().toArray());
    }

    /** The counts now. */
    public Counters snapshot() {
        Counters sum = own();
        for (LiveCounters part : parts) {
            sum = sum.plus(part.snapshot());
        }
        return sum;
    }

    private Counters own() {
        long[] copy = new long[Counter.COUNT];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = cells.get(i);
        }
        return new Counters(copy);
    }
}
