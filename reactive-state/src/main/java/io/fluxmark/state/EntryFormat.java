package io.fluxmark.state;

import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.PaneEntry;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a pane entry's value.
 *
 * <pre>
 * byte   version (1)
 * byte   1 if there is an accumulator, plus 2 if there is an emitted value
 * long   count
 * long   late
 * int    revision
 * int    length of the emitted value, and the value, where there is one
 * bytes  the accumulator
 * </pre>
 *
 * @param emitted encodes emitted values; null where there are none
 */
record EntryFormat<K, A>(KeyCodec<K> keys, Codec<A> accumulators, @Nullable Codec<?> emitted) {

    private static final byte VERSION = 1;
    private static final int ACCUMULATOR = 1;
    private static final int EMITTED = 2;
    private static final int HEADER = 2 + 2 * Long.BYTES + Integer.BYTES;
    private static final byte[] NONE = new byte[0];

    byte[] encode(PaneEntry<K, A> entry) {
        A accumulator = entry.accumulator;
        Object value = entry.emitted;
        byte[] bytes = accumulator == null ? NONE : accumulators.encode(accumulator);
        byte[] last = value == null ? NONE : emittedCodec().encode(value);
        int flags = (accumulator == null ? 0 : ACCUMULATOR) | (value == null ? 0 : EMITTED);
        ByteBuffer out = ByteBuffer.allocate(HEADER + (value == null ? 0 : Integer.BYTES + last.length) + bytes.length);
        out.put(VERSION)
                .put((byte) flags)
                .putLong(entry.count)
                .putLong(entry.late)
                .putInt(entry.revision);
        if (value != null) {
            out.putInt(last.length).put(last);
        }
        return out.put(bytes).array();
    }

    PaneEntry<K, A> decode(K key, byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        byte version = in.get();
        if (version != VERSION) {
            throw new CorruptValueException("The entry of key " + key + " has layout " + version
                    + ", this version reads " + VERSION + "; use the version that wrote it");
        }
        byte flags = in.get();
        PaneEntry<K, A> entry = new PaneEntry<>(key);
        entry.count = in.getLong();
        entry.late = in.getLong();
        entry.revision = in.getInt();
        if ((flags & EMITTED) != 0) {
            byte[] bytes = new byte[in.getInt()];
            in.get(bytes);
            entry.emitted = emittedCodec().decode(bytes);
        }
        if ((flags & ACCUMULATOR) != 0) {
            byte[] bytes = new byte[in.remaining()];
            in.get(bytes);
            entry.accumulator = accumulators.decode(bytes);
        }
        return entry;
    }

    @SuppressWarnings("unchecked") // the operator emits what its aggregation's result codec takes
    private Codec<Object> emittedCodec() {
        if (emitted == null) {
            throw new StateStoreException("A window with early results keeps what it has emitted, and its aggregation"
                    + " has no codec for its results; give it one");
        }
        return (Codec<Object>) emitted;
    }
}
