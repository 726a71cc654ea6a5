package io.fluxmark.windows;

/** A key, and of what it has more than one: which. */
record SubKey<K, S>(K key, S sub) {}
