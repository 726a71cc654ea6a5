package io.fluxmark.state;

import java.nio.ByteBuffer;

/**
 * What an operator has recorded with {@link io.fluxmark.windows.StateTransaction#longs} in the newest durable
 * transaction that recorded it.
 *
 * @param operator the operator's name
 * @param name the name of the value
 * @param values the values; not copied, each reading makes its own
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
public record OperatorLongs(String operator, String name, long[] values) {

    static OperatorLongs of(StoreEntry entry) {
        KeyReader key = new KeyReader(entry.key());
        key.readByte();
        return new OperatorLongs(key.readString(), key.readString(), decode(entry.value()));
    }

    static byte[] encode(long[] values) {
        byte[] bytes = new byte[values.length * Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().put(values);
        return bytes;
    }

    static long[] decode(byte[] bytes) {
        long[] values = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().get(values);
        return values;
    }
}
