package io.fluxmark.windows;

import java.nio.ByteBuffer;
import java.util.Comparator;

/** Timers by time, eight bytes with the sign flipped, and then by key. */
record TimerKeyCodec<K>(KeyCodec<K> keys) implements KeyCodec<TimerKey<K>> {

    @Override
    public String id() {
        return "timer of " + keys.id();
    }

    @Override
    public byte[] encode(TimerKey<K> timer) {
        byte[] key = keys.encode(timer.key());
        return ByteBuffer.allocate(Long.BYTES + key.length)
                .putLong(timer.time() ^ Long.MIN_VALUE)
                .put(key)
                .array();
    }

    @Override
    public TimerKey<K> decode(byte[] bytes) {
        if (bytes.length < Long.BYTES) {
            throw new IllegalArgumentException(bytes.length + " bytes are too few for a key of codec " + id());
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long time = in.getLong() ^ Long.MIN_VALUE;
        byte[] key = new byte[in.remaining()];
        in.get(key);
        return new TimerKey<>(time, keys.decode(key));
    }

    @Override
    public Comparator<TimerKey<K>> order() {
        return Comparator.<TimerKey<K>>comparingLong(TimerKey::time).thenComparing(TimerKey::key, keys.order());
    }
}
