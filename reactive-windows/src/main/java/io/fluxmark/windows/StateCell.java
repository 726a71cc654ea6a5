package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/** An entry of a state of a function: the value, and, with a time-to-live, what tells when it is over. Changed in place. */
final class StateCell<V> {

    /** The index of deadlines does not have the entry. */
    static final long UNFILED = Long.MAX_VALUE;

    /** Null only until it is first written. */
    @Nullable
    V value;

    /** The largest time at which it was written, epoch ms. */
    long last = Long.MIN_VALUE;

    /** Where the index of deadlines has it. */
    long filed = UNFILED;
}
