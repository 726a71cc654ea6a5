package io.fluxmark.windows;

/**
 * Where one state of a function lives: in a lane, under a name.
 *
 * @param backend keeps the state
 * @param name of the state, with the operator's
 * @param header what the state says of itself
 * @param keys encodes and orders the keys
 * @param moment whose state is asked for, and when
 * @param counters counts entries that expire
 */
record StatePlace<K>(
        StateBackend backend,
        String name,
        StateHeader header,
        KeyCodec<K> keys,
        Moment<K> moment,
        LiveCounters counters) {}
