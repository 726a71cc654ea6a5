package io.fluxmark.state;

import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.PaneEntry;
import java.nio.ByteBuffer;

/**
 * The stored form of a pane entry's value.
 *
 * <pre>
 * byte   version (1)
 * byte   1 if there is an accumulator, else 0
 * long   count
 * long   late
 * int    revision
 * bytes  the accumulator
 * </pre>
 */
record EntryFormat<K, A>(KeyCodec<K> keys, Codec<A> accumulators) {

    private static final byte VERSION = 1;
    private static final int HEADER = 2 + 2 * Long.BYTES + Integer.BYTES;
    private static final byte[] NONE = new byte[0];

    byte[] encode(PaneEntry<K, A> entry) {
        A accumulator = entry.accumulator;
        byte[] bytes = accumulator == null ? NONE : accumulators.encode(accumulator);
        byte[] value = new byte[HEADER + bytes.length];
        ByteBuffer.wrap(value)
                .put(VERSION)
                .put((byte) (accumulator == null ? 0 : 1))
                .putLong(entry.count)
                .putLong(entry.late)
                .putInt(entry.revision)
                .put(bytes);
        return value;
    }

    PaneEntry<K, A> decode(K key, byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        byte version = in.get();
        if (version != VERSION) {
            throw new CorruptValueException("The entry of key " + key + " has layout " + version
                    + ", this version reads " + VERSION + "; use the version that wrote it");
        }
        boolean present = in.get() == 1;
        PaneEntry<K, A> entry = new PaneEntry<>(key);
        entry.count = in.getLong();
        entry.late = in.getLong();
        entry.revision = in.getInt();
        if (present) {
            byte[] bytes = new byte[in.remaining()];
            in.get(bytes);
            entry.accumulator = accumulators.decode(bytes);
        }
        return entry;
    }
}
