package io.fluxmark.windows;

/** A timer: when it is due, epoch ms, and for which key. There is one such at most. */
record TimerKey<K>(long time, K key) {}
