package io.fluxmark.log;

/** Told that the tail of a partition moved or the log was closed. Must not block. */
interface TailListener {
    void onTailMoved();
}
