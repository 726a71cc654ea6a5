package io.fluxmark.sinks;

import io.fluxmark.windows.Codec;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Window results as bytes.
 *
 * <pre>
 * byte   version (1)
 * byte   kind: 0 on time, 1 late, 2 retraction, 3 early; plus 64 where a time-out closed the window
 * int    revision
 * long   window start, window end, late count, watermark
 * int    length of the key, then the key
 * bytes  the value
 * </pre>
 */
record ResultCodec<K, V>(KeyCodec<K> keys, Codec<V> values) {

    private static final byte VERSION = 1;
    private static final int BY_TIMEOUT = 64;
    private static final int FIXED = 2 + Integer.BYTES + 4 * Long.BYTES + Integer.BYTES;

    @SuppressWarnings("unchecked") // the pipeline's codecs are those of its results
    static <K, V> ResultCodec<K, V> of(
            String sink, JobDefinition<?> definition, @Nullable KeyCodec<K> keys, @Nullable Codec<V> values) {
        KeyCodec<K> keyCodec = keys != null ? keys : (KeyCodec<K>) definition.keyCodec();
        Codec<V> valueCodec = values != null ? values : (Codec<V>) definition.valueCodec();
        if (keyCodec == null || valueCodec == null) {
            throw new IllegalStateException("the pipeline has no codec for what it writes to " + sink
                    + ": give the sink a key codec and a value codec, or the aggregation a codec for its results");
        }
        return new ResultCodec<>(keyCodec, valueCodec);
    }

    String id() {
        return keys.id() + "/" + values.id();
    }

    byte[] encode(WindowResult<K, V> result) {
        byte[] key = keys.encode(result.key());
        byte[] value = values.encode(result.value());
        return ByteBuffer.allocate(FIXED + key.length + value.length)
                .put(VERSION)
                .put((byte) (code(result.kind()) | (result.byTimeout() ? BY_TIMEOUT : 0)))
                .putInt(result.revision())
                .putLong(result.window().start())
                .putLong(result.window().end())
                .putLong(result.late())
                .putLong(result.watermark())
                .putInt(key.length)
                .put(key)
                .put(value)
                .array();
    }

    WindowResult<K, V> decode(byte[] row) {
        try {
            ByteBuffer in = ByteBuffer.wrap(row);
            byte version = in.get();
            if (version != VERSION) {
                throw new IllegalStateException(
                        "a row of version " + version + " can't be read by this version, which knows " + VERSION);
            }
            byte flags = in.get();
            WindowResult.Kind kind = kind((byte) (flags & ~BY_TIMEOUT));
            int revision = in.getInt();
            TimeWindow window = new TimeWindow(in.getLong(), in.getLong());
            long late = in.getLong();
            long watermark = in.getLong();
            byte[] key = new byte[in.getInt()];
            in.get(key);
            byte[] value = new byte[in.remaining()];
            in.get(value);
            return new WindowResult<>(
                    keys.decode(key),
                    window,
                    values.decode(value),
                    kind,
                    revision,
                    late,
                    watermark,
                    (flags & BY_TIMEOUT) != 0);
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            throw new IllegalStateException("a row of " + row.length + " bytes is not a window result", e);
        }
    }

    private static byte code(WindowResult.Kind kind) {
        return switch (kind) {
            case ON_TIME -> 0;
            case LATE -> 1;
            case RETRACT -> 2;
            case EARLY -> 3;
        };
    }

    private static WindowResult.Kind kind(byte code) {
        return switch (code) {
            case 0 -> WindowResult.Kind.ON_TIME;
            case 1 -> WindowResult.Kind.LATE;
            case 2 -> WindowResult.Kind.RETRACT;
            case 3 -> WindowResult.Kind.EARLY;
            default -> throw new IllegalStateException("unknown kind of result: " + code);
        };
    }
}
