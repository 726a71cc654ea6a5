package io.fluxmark.windows;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** The size, a long, then the first and the last key, each behind its length. */
record MapEndsCodec<M>(KeyCodec<M> mapKeys) implements Codec<MapEnds<M>> {

    @Override
    public String id() {
        return "ends of a map by " + mapKeys.id();
    }

    @Override
    public byte[] encode(MapEnds<M> ends) {
        byte[] first = mapKeys.encode(ends.first);
        byte[] last = mapKeys.encode(ends.last);
        ByteBuffer out = ByteBuffer.allocate(Long.BYTES + StateBytes.size(first) + StateBytes.size(last));
        out.putLong(ends.size);
        StateBytes.put(out, first);
        StateBytes.put(out, last);
        return out.array();
    }

    @Override
    public MapEnds<M> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            long size = in.getLong();
            MapEnds<M> ends = new MapEnds<>(mapKeys.decode(StateBytes.next(in)));
            ends.last = mapKeys.decode(StateBytes.next(in));
            ends.size = size;
            return ends;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are not a value of codec " + id(), e);
        }
    }
}
