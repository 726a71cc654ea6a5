package io.fluxmark.windows;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The slots of keys that no pane holds anything for. Most keys come back with one of the next panes: a key is to lose its
 * slot only when panes have gone twice without it, or when no pane is left. Confined to the lane.
 */
final class IdleSlots {

    private static final int FEWEST = 16;

    private int[] fresh = new int[FEWEST];
    private int freshSize;

    private int[] old = new int[FEWEST];
    private int oldSize;

    /** By slot: the round in which it was added last. */
    private long[] rounds = new long[FEWEST];

    private long round = 1;

    /** No pane holds anything for the key of {@code slot} any more. */
    void add(int slot) {
        if (freshSize == fresh.length) {
            fresh = Arrays.copyOf(fresh, freshSize * 2);
        }
        if (slot >= rounds.length) {
            rounds = Arrays.copyOf(rounds, Math.max(slot + 1, rounds.length * 2));
        }
        fresh[freshSize++] = slot;
        rounds[slot] = round;
    }

    /** Panes have gone: hands out the slots that have been idle, maybe in use again, since they went before. */
    void age(IntConsumer action) {
        for (int i = 0; i < oldSize; i++) {
            if (rounds[old[i]] != round) {
                action.accept(old[i]);
            }
        }
        round++;
        int[] emptied = old;
        old = fresh;
        oldSize = freshSize;
        fresh = emptied;
        freshSize = 0;
    }

    /** Hands out all, and forgets them. */
    void drain(IntConsumer action) {
        age(action);
        age(action);
        clear();
    }

    /** Forgets all. */
    void clear() {
        freshSize = 0;
        oldSize = 0;
        fresh = new int[FEWEST];
        old = new int[FEWEST];
        rounds = new long[FEWEST];
    }
}
