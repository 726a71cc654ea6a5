package io.fluxmark.windows;

import java.util.List;
import java.util.function.Consumer;

/**
 * A list for each key, in the order of adding; usable in the calls of a {@link KeyedProcess} only, and there of the key of
 * the call. It is kept in pieces of a few elements: adding costs the same however long the list is, and a walk holds one
 * piece in memory.
 *
 * @param <E> the elements
 */
public interface ListState<E> {

    /** Adds an element, not null, at the end. It must not change afterwards. */
    void add(E element);

    /** How many elements there are. */
    long size();

    /** Hands out the elements in order; {@code action} may add to the list, which it is not shown, but not clear it. */
    void forEach(Consumer<? super E> action);

    /** A copy of the list, all of it in memory. */
    List<E> get();

    /** Forgets all elements; costs a step for each piece. */
    void clear();
}
