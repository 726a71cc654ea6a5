package io.fluxmark.windows;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The stored form of the events of one key in one span of time, in their order.
 *
 * <pre>
 * byte   layout: 1
 * of each event:
 *   long   time, epoch ms
 *   byte   1 where it has had a partner
 *   int    length of the value
 *   bytes  the value
 * </pre>
 */
record JoinRowsCodec<V>(Codec<V> values) implements Codec<List<JoinRow<V>>> {

    private static final byte LAYOUT = 1;
    private static final int HEADER = Long.BYTES + 1 + Integer.BYTES;

    @Override
    public String id() {
        return "events of " + values.id();
    }

    @Override
    public byte[] encode(List<JoinRow<V>> rows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1 + 2 * HEADER * rows.size());
        out.write(LAYOUT);
        for (JoinRow<V> row : rows) {
            byte[] value = values.encode(row.value);
            out.writeBytes(ByteBuffer.allocate(HEADER)
                    .putLong(row.time)
                    .put((byte) (row.matched ? 1 : 0))
                    .putInt(value.length)
                    .array());
            out.writeBytes(value);
        }
        return out.toByteArray();
    }

    @Override
    public List<JoinRow<V>> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        List<JoinRow<V>> rows = new ArrayList<>();
        try {
            if (in.get() != LAYOUT) {
                throw new IllegalArgumentException("not a value of codec " + id() + ": its layout is " + bytes[0]);
            }
            while (in.hasRemaining()) {
                long time = in.getLong();
                boolean matched = in.get() != 0;
                rows.add(new JoinRow<>(time, values.decode(StateBytes.next(in)), matched));
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are not a value of codec " + id(), e);
        }
        return rows;
    }
}
