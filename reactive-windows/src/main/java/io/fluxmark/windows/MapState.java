package io.fluxmark.windows;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A map for each key; usable in the calls of a {@link KeyedProcess} only, and there of the key of the call. Each of its
 * entries is an entry of the state of its own: to get or put one costs the same however large the map is, and where there is
 * a time-to-live each entry has its own.
 *
 * @param <M> the keys of the map
 * @param <V> its values
 */
public interface MapState<M, V> {

    /** The value of {@code mapKey}, or null. To change it in place is not to put it. */
    @Nullable
    V get(M mapKey);

    /** Puts a value, not null, in the place of the one there was. It must not change afterwards, unless it is put again. */
    void put(M mapKey, V value);

    /** Forgets an entry, if there is one. */
    void remove(M mapKey);

    /** Whether there is no entry. */
    boolean isEmpty();

    /** How many entries there are; where there is a time-to-live they are walked over for it. */
    long size();

    /**
     * Hands out the entries in the order in which their keys were put first. {@code action} may put, and may remove the
     * entry that it is given; what it puts anew may or may not be shown to it.
     *
     * @throws java.util.ConcurrentModificationException where it has removed the entry that comes next
     */
    void forEach(BiConsumer<? super M, ? super V> action);

    /** Forgets all entries; costs a step for each. */
    void clear();
}
