package io.fluxmark.windows;

/** Of whom events without a partner are looked for at a time: the key, and which side. */
record JoinTimerKey<K>(boolean ofRight, K key) {}
