package io.fluxmark.windows;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** What one pane, a span of event time that windows share, holds for each slot: the accumulator of a key's events. */
abstract class SlotPane<T, A> extends SlotTable {

    /** The first instant of the pane. */
    final long start;

    /** The starts of the first and of the last window over the pane, and how many there are. */
    final long firstWindow;

    final long lastWindow;
    final int windowCount;

    /** The watermark that closes the first of them. */
    private final long closing;

    /** By slot: whether what there is has changed since this was asked last; null where nobody asks. */
    private long @Nullable [] changes;

    SlotPane(long start, WindowSpec windows, int expected, int slotBound) {
        super(expected, slotBound);
        this.start = start;
        this.firstWindow = windows.firstStartOf(start);
        this.lastWindow = windows.startOf(start);
        this.windowCount = (int) ((lastWindow - firstWindow) / windows.slideMillis()) + 1;
        this.closing = Watermark.closing(windows.endOf(firstWindow));
    }

    /** Whether {@code watermark} closes a window over the pane. */
    final boolean isClosedAt(long watermark) {
        return Watermark.reaches(watermark, closing);
    }

    /** From now on it is noted which slots change. */
    final void noteChanges() {
        changes = new long[1];
    }

    /** What there is for {@code slot} has changed. */
    final void change(int slot) {
        if (changes != null) {
            int word = slot / Long.SIZE;
            if (word >= changes.length) {
                changes = Arrays.copyOf(changes, Math.max(word + 1, 2 * changes.length));
            }
            changes[word] |= 1L << slot;
        }
    }

    /** Calls {@code action} with the slots that have changed since the last call, in order. */
    final void takeChanges(IntConsumer action) {
        long[] taken = changes;
        if (taken == null) {
            return;
        }
        for (int word = 0; word < taken.length; word++) {
            for (long bits = taken[word]; bits != 0; bits &= bits - 1) {
                action.accept(word * Long.SIZE + Long.numberOfTrailingZeros(bits));
            }
            taken[word] = 0;
        }
    }

    /** The slots have new numbers; those without one hold nothing. */
    final void renumberChanges(int[] moved) {
        if (changes != null) {
            long[] old = changes;
            changes = new long[1];
            for (int slot = 0; slot < Math.min(moved.length, old.length * Long.SIZE); slot++) {
                if ((old[slot / Long.SIZE] & 1L << slot) != 0 && moved[slot] != KeySlots.NONE) {
                    change(moved[slot]);
                }
            }
        }
    }

    /** Additions less retractions of {@code slot}, which has events. */
    abstract long count(int slot);

    /** Puts what was stored for {@code slot}, for which there is nothing. */
    abstract void put(int slot, A accumulator, long count, int slotBound);

    /** The accumulator of {@code slot}, for reading; null where there is none. */
    abstract @Nullable A get(int slot);

    /** Adds an event where {@code slot} has events already; else it returns false. */
    abstract boolean add(int slot, T event);

    /** Adds the first event of {@code slot}. */
    abstract void addFirst(int slot, T event, int slotBound);

    /** Takes back an event of {@code slot}, which has events; true where it was the last. */
    abstract boolean takeBack(int slot, T event);
}
