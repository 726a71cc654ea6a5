package io.fluxmark.windows;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the values of windows of those of their panes. The same events always make the same value, bit for bit, whenever
 * and for whatever reason it is made: what a correction takes back is what was emitted. Confined to the lane.
 */
abstract class PaneFold<T, A, R> {

    /** How many keys are loaded together: what is put together for them is still near when values are made of it. */
    static final int PAGE = 64;

    private final Aggregation<? super T, A, R> aggregation;
    final SlotPanes<T, A> panes;

    PaneFold(Aggregation<? super T, A, R> aggregation, SlotPanes<T, A> panes) {
        this.aggregation = aggregation;
        this.panes = panes;
    }

    /** {@link #load} is about {@code window} from now on; windows come in order. */
    abstract void begin(TimeWindow window);

    /** Puts together what the window has for the keys of {@code slots}: at most {@value #PAGE}. */
    abstract void load(int[] slots);

    /** Whether the window has an event for number {@code i} of those. */
    abstract boolean has(int i);

    /** Makes the value of that key. */
    abstract R result(int i);

    /** Hands out the values of the windows that start from {@code first} to {@code last}, whatever was begun. */
    abstract void results(int slot, long first, long last, Results<R> into);

    /** What {@code pane}, over which a window has closed, holds for {@code slot} has changed. */
    abstract void changed(SlotPane<T, A> pane, int slot);

    /** The slot is another key's from now on. */
    abstract void forget(int slot);

    /** The slots have new numbers. */
    abstract void forgetAll();

    /** Receives the values of windows in order. */
    @FunctionalInterface
    interface Results<R> {

        /** The value; null without an event. */
        void accept(long windowStart, @Nullable R value);
    }

    final A copy(A accumulator) {
        return aggregation.merge(aggregation.create(), accumulator);
    }

    /** {@code first}, which may be changed, with {@code second} added, which stays as it is. */
    final A merge(A first, A second) {
        return aggregation.merge(first, second);
    }

    final R resultOf(@Nullable A accumulator) {
        return Objects.requireNonNull(
                aggregation.result(Objects.requireNonNull(accumulator, "accumulator")), "the aggregation's result");
    }
}
