package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * Brings objects near before they are worked with. Reads that nothing waits for go on beside each other; where each is
 * followed by the work on what it brings, they go on one after the other, and most of the time of an event is spent
 * waiting for memory.
 */
final class Cache {

    private Cache() {}

    /** Reads a word of {@code object}. */
    static void touch(@Nullable Object object) {
        // The compiler can't know that there is no instance of Void, and so can't leave out the read.
        if (object != null && object.getClass() == Void.class) {
            throw new IllegalStateException("nothing is of this class");
        }
    }
}
