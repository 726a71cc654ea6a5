package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/** Whose state a call of a user's function is about, and at what time. Confined to the lane. */
final class Moment<K> {

    private @Nullable K key;

    /** Where changes of the call are remembered, if they may be taken back. */
    final UndoLog undo = new UndoLog();

    /** The time of the event or timer. */
    long timestamp;

    /** The watermark by which entries expire. */
    long watermark = Watermark.NONE;

    void begin(K ofCall, long at, long inForce) {
        key = ofCall;
        timestamp = at;
        watermark = inForce;
    }

    void end() {
        key = null;
    }

    K key() {
        K present = key;
        if (present == null) {
            throw new IllegalStateException(
                    "the context, its states and its timers belong to a call of the function: use"
                            + " them within it, on its thread, and nowhere else");
        }
        return present;
    }
}
