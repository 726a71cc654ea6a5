package io.fluxmark.windows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;

/** A byte, 0 for the left side and 1 for the right one, and the key. */
record JoinTimerKeyCodec<K>(KeyCodec<K> keys) implements KeyCodec<JoinTimerKey<K>> {

    @Override
    public String id() {
        return "side and " + keys.id();
    }

    @Override
    public byte[] encode(JoinTimerKey<K> key) {
        byte[] bytes = keys.encode(key.key());
        return ByteBuffer.allocate(1 + bytes.length)
                .put((byte) (key.ofRight() ? 1 : 0))
                .put(bytes)
                .array();
    }

    @Override
    public JoinTimerKey<K> decode(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] < 0 || bytes[0] > 1) {
            throw new IllegalArgumentException(
                    Arrays.toString(bytes) + " are not a key of codec " + id() + ": they begin with 0 or 1");
        }
        return new JoinTimerKey<>(bytes[0] == 1, keys.decode(Arrays.copyOfRange(bytes, 1, bytes.length)));
    }

    @Override
    public Comparator<JoinTimerKey<K>> order() {
        return Comparator.<JoinTimerKey<K>, Boolean>comparing(JoinTimerKey::ofRight)
                .thenComparing(JoinTimerKey::key, keys.order());
    }
}
