package io.fluxmark.windows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** The codecs of primitives and strings. */
record BuiltInCodec<V>(String id, Function<V, byte[]> encoder, Function<ByteBuffer, V> decoder) implements Codec<V> {

    static final Codec<Long> LONGS = new BuiltInCodec<>(
            "long", v -> ByteBuffer.allocate(Long.BYTES).putLong(v).array(), ByteBuffer::getLong);

    static final Codec<Double> DOUBLES = new BuiltInCodec<>(
            "double", v -> ByteBuffer.allocate(Double.BYTES).putDouble(v).array(), ByteBuffer::getDouble);

    static final Codec<String> STRINGS =
            new BuiltInCodec<>("string", v -> v.getBytes(StandardCharsets.UTF_8), BuiltInCodec::text);

    static final Codec<long[]> LONG_ARRAYS = new BuiltInCodec<>("long[]", BuiltInCodec::bytes, BuiltInCodec::array);

    @Override
    public byte[] encode(V value) {
        return encoder.apply(value);
    }

    @Override
    public V decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        V value;
        try {
            value = decoder.apply(buffer);
        } catch (java.nio.BufferUnderflowException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are too few for a value of codec " + id, e);
        }
        if (buffer.hasRemaining()) {
            throw new IllegalArgumentException(bytes.length + " bytes are not a value of codec " + id);
        }
        return value;
    }

    private static String text(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(long[] values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * Long.BYTES);
        buffer.asLongBuffer().put(values);
        return buffer.array();
    }

    private static long[] array(ByteBuffer buffer) {
        long[] values = new long[buffer.remaining() / Long.BYTES];
        for (int i = 0; i < values.length; i++) {
            values[i] = buffer.getLong();
        }
        return values;
    }
}
