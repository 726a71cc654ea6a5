package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * Makes the value of a window and a key of what the panes under the window hold. The same panes with the same contents
 * always make the same value, bit for bit, whenever and for whatever reason it is made: what a correction takes back is
 * what was emitted. Confined to the lane.
 */
abstract class PaneFold<A> {

    private final Aggregation<?, A, ?> aggregation;
    final SlotPanes<A> panes;

    PaneFold(Aggregation<?, A, ?> aggregation, SlotPanes<A> panes) {
        this.aggregation = aggregation;
        this.panes = panes;
    }

    /** {@link #value} is about {@code window} from now on; windows come in order. */
    abstract void begin(TimeWindow window);

    /** The accumulator of the window for the key of {@code slot}: for reading, until the next call; null without an event. */
    abstract @Nullable A value(int slot);

    /**
     * Puts the accumulators for the next keys of a walk, from number {@code from} on, into an empty {@code page}, as many
     * as there are or the page holds: for reading, until the next call.
     */
    void values(KeyOrder<?> walk, int from, @Nullable A[] page) {
        int count = Math.min(page.length, walk.size() - from);
        for (int i = 0; i < count; i++) {
            page[i] = value(walk.get(from + i));
        }
    }

    /** Hands out the same for the windows that start from {@code first} to {@code last}, whatever was begun. */
    abstract void values(int slot, long first, long last, Values<A> into);

    /** What {@code pane}, over which a window has closed, holds for {@code slot} has changed. */
    abstract void changed(SlotPane<A> pane, int slot);

    /** The slot is another key's from now on. */
    abstract void forget(int slot);

    /** The slots have new numbers. */
    abstract void forgetAll();

    /** Receives the accumulators of windows in order. */
    @FunctionalInterface
    interface Values<A> {

        /** The accumulator, for reading during the call; null without an event. */
        void accept(long windowStart, @Nullable A accumulator);
    }

    final A copy(A accumulator) {
        return aggregation.merge(aggregation.create(), accumulator);
    }

    /** {@code first}, which may be changed, with {@code second} added, which stays as it is. */
    final A merge(A first, A second) {
        return aggregation.merge(first, second);
    }
}
