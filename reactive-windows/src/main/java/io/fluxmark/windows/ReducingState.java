package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * One value for each key, reduced of all that were added; usable in the calls of a {@link KeyedProcess} only, and there
 * of the key of the call.
 *
 * @param <V> the value
 */
public interface ReducingState<V> {

    /** What the values added come to, or null where there are none. */
    @Nullable
    V get();

    /** Adds a value, not null. */
    void add(V value);

    /** Forgets all that was added. */
    void clear();
}
