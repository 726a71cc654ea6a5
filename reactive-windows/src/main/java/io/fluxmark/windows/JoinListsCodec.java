package io.fluxmark.windows;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;

/** The events of both streams in a window: those of the left with their length before them, and then those of the right. */
record JoinListsCodec<L, R>(Codec<List<L>> left, Codec<List<R>> right) implements Codec<JoinLists<L, R>> {

    @Override
    public String id() {
        return left.id() + " and " + right.id();
    }

    @Override
    public byte[] encode(JoinLists<L, R> lists) {
        byte[] ofLeft = left.encode(lists.left);
        byte[] ofRight = right.encode(lists.right);
        ByteBuffer out = ByteBuffer.allocate(StateBytes.size(ofLeft) + ofRight.length);
        StateBytes.put(out, ofLeft);
        return out.put(ofRight).array();
    }

    @Override
    public JoinLists<L, R> decode(byte[] bytes) {
        JoinLists<L, R> lists = new JoinLists<>();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            lists.left.addAll(left.decode(StateBytes.next(in)));
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are not a value of codec " + id(), e);
        }
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        lists.right.addAll(right.decode(rest));
        return lists;
    }
}
