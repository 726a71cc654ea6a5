package io.fluxmark.windows;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The keys of both neighbours, each behind its length, -1 for none, and the value. */
record MapNodeCodec<M, V>(KeyCodec<M> mapKeys, Codec<V> values) implements Codec<MapNode<M, V>> {

    @Override
    public String id() {
        return values.id() + " in a map by " + mapKeys.id();
    }

    @Override
    public byte[] encode(MapNode<M, V> node) {
        byte[] before = bytes(node.before);
        byte[] after = bytes(node.after);
        byte[] value = values.encode(node.value);
        ByteBuffer out = ByteBuffer.allocate(StateBytes.size(before) + StateBytes.size(after) + value.length);
        StateBytes.put(out, before);
        StateBytes.put(out, after);
        return out.put(value).array();
    }

    private byte @Nullable [] bytes(@Nullable M key) {
        return key == null ? null : mapKeys.encode(key);
    }

    @Override
    public MapNode<M, V> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            M before = key(StateBytes.nextOrNone(in));
            M after = key(StateBytes.nextOrNone(in));
            byte[] value = new byte[in.remaining()];
            in.get(value);
            MapNode<M, V> node = new MapNode<>(values.decode(value), before);
            node.after = after;
            return node;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are not a value of codec " + id(), e);
        }
    }

    private @Nullable M key(byte @Nullable [] bytes) {
        return bytes == null ? null : mapKeys.decode(bytes);
    }
}
