package io.fluxmark.windows;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A pane whose accumulators are objects. */
final class ObjectPane<T, A> extends SlotPane<T, A> {

    private final Aggregation<? super T, A, ?> aggregation;
    private final SpareAccumulators<A> spare;

    /** By place. */
    private @Nullable Object[] accumulators;

    /** By place: additions less retractions; null where nobody needs them. */
    private long @Nullable [] counts;

    ObjectPane(
            Aggregation<? super T, A, ?> aggregation,
            SpareAccumulators<A> spare,
            long start,
            WindowSpec windows,
            int expected,
            int slotBound,
            boolean counted) {
        super(start, windows, expected, slotBound);
        this.aggregation = aggregation;
        this.spare = spare;
        this.accumulators = new Object[places()];
        this.counts = counted ? new long[places()] : null;
    }

    @Override
    boolean holds(int place) {
        return accumulators[place] != null;
    }

    @Override
    void move(int length, int[] to) {
        @Nullable Object[] moved = new Object[length];
        long[] movedCounts = counts == null ? null : new long[length];
        for (int place = 0; place < to.length; place++) {
            if (to[place] != NOWHERE) {
                moved[to[place]] = accumulators[place];
                if (movedCounts != null && counts != null) {
                    movedCounts[to[place]] = counts[place];
                }
            }
        }
        accumulators = moved;
        counts = movedCounts;
    }

    @Override
    @Nullable
    A get(int slot) {
        int place = placeOf(slot);
        return place == NOWHERE ? null : at(place);
    }

    @SuppressWarnings("unchecked") // only accumulators are ever put in
    private @Nullable A at(int place) {
        return (A) accumulators[place];
    }

    /** Puts what there is for each of {@code wanted}, or null, into {@code found}, read and so close at hand. */
    void gather(int[] wanted, @Nullable A[] found) {
        for (int i = 0; i < wanted.length; i++) {
            A accumulator = get(wanted[i]);
            found[i] = accumulator;
            Cache.touch(accumulator);
        }
    }

    @Override
    boolean add(int slot, T event) {
        int place = placeOf(slot);
        A before = place == NOWHERE ? null : at(place);
        if (before == null) {
            return false;
        }
        A after = aggregation.add(before, event);
        if (after != before) { // most change in place, and a reference that stays is not worth writing
            accumulators[place] = after;
        }
        count(place, 1);
        return true;
    }

    @Override
    void addFirst(int slot, T event, int slotBound) {
        A accumulator = aggregation.add(spare.take(), event);
        int place = insert(slot, slotBound);
        accumulators[place] = accumulator;
        count(place, 1);
    }

    @Override
    long count(int slot) {
        return counts == null ? 1 : counts[placeOf(slot)];
    }

    @Override
    void put(int slot, A accumulator, long count, int slotBound) {
        int place = insert(slot, slotBound);
        accumulators[place] = accumulator;
        count(place, count);
    }

    @Override
    boolean takeBack(int slot, T event) {
        int place = placeOf(slot);
        accumulators[place] = aggregation.subtract(Objects.requireNonNull(at(place), "accumulator"), event);
        if (count(place, -1) > 0) {
            return false;
        }
        removed();
        accumulators[place] = null;
        return true;
    }

    private long count(int place, long change) {
        if (counts == null) {
            return 1;
        }
        counts[place] += change;
        return counts[place];
    }
}
