package io.fluxmark.windows;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of the keys of some events, looked up together before any of these is added: look-ups that do not depend on
 * each other wait for memory at the same time. Confined to the lane.
 *
 * <p>The keys are not kept: an event whose key has no slot yet is asked for it once more. So is one whose key function
 * fails, and those behind it: when it is its turn it may fail.
 */
abstract class KeyRun<T, K> {

    /** The slots that the keys have. */
    final KeySlots<K> slots;

    private final int[] found = new int[WindowLogic.CHUNK];
    private int first;

    /** What {@link KeySlots#partings} was when the slots were looked up. */
    private long partings;

    private KeyRun(KeySlots<K> slots) {
        this.slots = slots;
    }

    /** The keys of {@code events}, none of which has a slot yet. */
    @SuppressWarnings("unchecked") // a LongKey is a function that makes a Long of an event
    static <T, K> KeyRun<T, K> of(WindowLogic<T, K, ?, ?> events) {
        return events.definition.key() instanceof LongKey
                ? (KeyRun<T, K>) new OfLongs<>((LongKey<T>) events.definition.key(), new LongSlots())
                : new OfObjects<>(
                        events, new HashedSlots<>(events.definition.keyCodec().order()));
    }

    /** Looks up the keys of events {@code from} to {@code to}, exclusive, of {@code run}. */
    final void find(EventBatch<T> run, int from, int to) {
        int known = find(run, from, to, found);
        Arrays.fill(found, known, to - from, KeySlots.NONE);
        first = from;
        partings = slots.partings();
    }

    /** Puts their slots into {@code into}, up to the first whose key function fails; returns how many there are. */
    abstract int find(EventBatch<T> run, int from, int to, int[] into);

    /** Whether {@link #get} still says what is. */
    final boolean isCurrent() {
        return partings == slots.partings();
    }

    /** The slot of the key of event {@code i}, or {@link KeySlots#NONE}, as it was found. */
    final int get(int i) {
        return found[i - first];
    }

    /** The same as it is; {@link KeySlots#NONE} also where the key may have lost its slot since. */
    final int slot(int i) {
        return isCurrent() ? get(i) : KeySlots.NONE;
    }

    private static final class OfObjects<T, K> extends KeyRun<T, K> {

        private final WindowLogic<T, K, ?, ?> events;
        private final HashedSlots<K> hashed;

        OfObjects(WindowLogic<T, K, ?, ?> events, HashedSlots<K> slots) {
            super(slots);
            this.events = events;
            this.hashed = slots;
        }

        @Override
        int find(EventBatch<T> run, int from, int to, int[] into) {
            // A new array each time: to put new objects into an old one costs more, with most garbage collectors.
            @Nullable Object[] keys = new Object[to - from];
            int known = events.readKeys(run, keys, from, to);
            hashed.findAll(keys, known, into);
            return known;
        }
    }

    private static final class OfLongs<T> extends KeyRun<T, Long> {

        private final LongKey<T> key;
        private final LongSlots longs;
        private final long[] keys = new long[WindowLogic.CHUNK];

        OfLongs(LongKey<T> key, LongSlots slots) {
            super(slots);
            this.key = key;
            this.longs = slots;
        }

        @Override
        int find(EventBatch<T> run, int from, int to, int[] into) {
            int known = readKeys(run, from, to);
            longs.findAll(keys, known, into);
            return known;
        }

        private int readKeys(EventBatch<T> run, int from, int to) {
            int i = from;
            try {
                for (; i < to; i++) {
                    keys[i - from] = key.function().applyAsLong(run.value(i));
                }
            } catch (RuntimeException e) {
                return i - from;
            }
            return i - from;
        }
    }
}
