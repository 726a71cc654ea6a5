package io.fluxmark.windows;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A snapshot of what a windowed operator has counted since its job began. Immutable. */
public final class Counters {

    /** All zero. */
    public static final Counters ZERO = new Counters(new long[Counter.COUNT]);

    private static final List<Counter> NOT_ACCEPTED = List.of(
            Counter.DROPPED, Counter.SIDE, Counter.REJECTED, Counter.UNASSIGNED, Counter.DUPLICATES, Counter.FAILED);

    private final long[] cells;

    Counters(long[] cells) {
        this.cells = cells;
    }

    /** The count of {@code counter}, at least 0. */
    public long get(Counter counter) {
        return cells[counter.cell];
    }

    /** Events added: on time and re-fired, and those that a function was given late. */
    public long accepted() {
        return get(Counter.ON_TIME) + get(Counter.REFIRED) + get(Counter.LATE);
    }

    /** Whether every event has exactly one outcome: the counts sum to the input (S12). */
    public boolean sumHolds() {
        return get(Counter.INGESTED)
                == accepted() + NOT_ACCEPTED.stream().mapToLong(this::get).sum();
    }

    /** The sum of two lanes' counts. */
    public Counters plus(Counters other) {
        long[] sum = cells.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += other.cells[i];
        }
        return new Counters(sum);
    }

    /** Of what was ingested, what came to another end than to be accepted: those outcomes, and as many events ingested. */
    Counters notAccepted() {
        Counters only = ZERO;
        for (Counter outcome : NOT_ACCEPTED) {
            only = only.with(outcome, get(outcome));
        }
        return only;
    }

    /** The same with {@code rejected} more events, ingested and rejected before the operator saw them. */
    public Counters withRejected(long rejected) {
        return with(Counter.REJECTED, rejected);
    }

    /** The same with {@code failed} more events, ingested, that a function before the operator has failed on. */
    public Counters withFailed(long failed) {
        return with(Counter.FAILED, failed);
    }

    private Counters with(Counter outcome, long events) {
        long[] more = cells.clone();
        more[Counter.INGESTED.cell] += events;
        more[outcome.cell] += events;
        return new Counters(more);
    }

    /** The cells, each count at the place of its {@link Counter}; a copy. */
    public long[] toArray() {
        return cells.clone();
    }

    /** Counts from cells as {@link #toArray} made them; counters that came later are 0. */
    public static Counters ofArray(long[] cells) {
        return new Counters(Arrays.copyOf(cells, Counter.COUNT));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Counters that && Arrays.equals(cells, that.cells);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(cells);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("Counters[");
        for (Counter counter : Counter.values()) {
            if (get(counter) != 0) {
                text.append(text.charAt(text.length() - 1) == '[' ? "" : ", ")
                        .append(counter.name().toLowerCase(Locale.ROOT))
                        .append('=')
                        .append(get(counter));
            }
        }
        return text.append(']').toString();
    }
}
