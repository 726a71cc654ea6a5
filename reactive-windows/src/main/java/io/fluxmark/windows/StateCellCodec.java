package io.fluxmark.windows;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The stored form of an entry of a state.
 *
 * <pre>
 * byte   layout: 1, or 2 where there are times
 * long   largest time at which it was written  } where there
 * long   place in the index of deadlines       } are times
 * bytes  the value
 * </pre>
 *
 * @param timed whether entries have a time-to-live
 */
record StateCellCodec<V>(Codec<V> values, boolean timed) implements Codec<StateCell<V>> {

    private static final byte PLAIN = 1;
    private static final byte TIMED = 2;
    private static final int TIMES = 2 * Long.BYTES;

    @Override
    public String id() {
        return values.id() + (timed ? " with times" : "");
    }

    @Override
    public byte[] encode(StateCell<V> cell) {
        byte[] value = values.encode(Objects.requireNonNull(cell.value, "value"));
        ByteBuffer out = ByteBuffer.allocate(1 + (timed ? TIMES : 0) + value.length);
        out.put(timed ? TIMED : PLAIN);
        if (timed) {
            out.putLong(cell.last).putLong(cell.filed);
        }
        return out.put(value).array();
    }

    @Override
    public StateCell<V> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte layout = bytes.length == 0 ? 0 : in.get();
        if (layout != (timed ? TIMED : PLAIN) || in.remaining() < (timed ? TIMES : 0)) {
            throw new IllegalArgumentException(
                    bytes.length + " bytes of layout " + layout + " are not a value of codec " + id());
        }
        StateCell<V> cell = new StateCell<>();
        if (timed) {
            cell.last = in.getLong();
            cell.filed = in.getLong();
        }
        byte[] value = new byte[in.remaining()];
        in.get(value);
        cell.value = values.decode(value);
        return cell;
    }
}
