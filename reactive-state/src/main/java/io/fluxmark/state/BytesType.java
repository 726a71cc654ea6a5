package io.fluxmark.state;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/**
 * Opaque bytes in unsigned order. H2's own type leaves the array header out of its memory estimate, which page splits,
 * the cache and the dirty set are accounted by.
 */
final class BytesType extends BasicDataType<byte[]> {

    static final BytesType INSTANCE = new BytesType();

    private static final int ARRAY_HEADER = 16;

    private BytesType() {}

    @Override
    public int getMemory(byte[] data) {
        return ARRAY_HEADER + ((data.length + 7) & ~7);
    }

    @Override
    public void write(WriteBuffer buffer, byte[] data) {
        buffer.putVarInt(data.length).put(data);
    }

    @Override
    public byte[] read(ByteBuffer buffer) {
        byte[] data = new byte[DataUtils.readVarInt(buffer)];
        buffer.get(data);
        return data;
    }

    @Override
    public byte[][] createStorage(int size) {
        return new byte[size][];
    }

    @Override
    public int compare(byte[] one, byte[] two) {
        return Arrays.compareUnsigned(one, two);
    }
}
