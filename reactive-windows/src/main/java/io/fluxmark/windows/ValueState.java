package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * One value for each key; usable in the calls of a {@link KeyedProcess} only, and there of the key of the call.
 *
 * @param <V> the value
 */
public interface ValueState<V> {

    /** The value, or null where there is none. To change it in place is not to set it. */
    @Nullable
    V get();

    /** Sets the value, not null. It must not change afterwards, unless it is set again. */
    void set(V value);

    /** Forgets the value. */
    void clear();
}
