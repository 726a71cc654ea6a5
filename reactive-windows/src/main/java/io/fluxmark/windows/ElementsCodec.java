package io.fluxmark.windows;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A few elements in order: for each the length of its bytes, an int, and the bytes. */
record ElementsCodec<E>(Codec<E> elements) implements Codec<List<E>> {

    @Override
    public String id() {
        return "list of " + elements.id();
    }

    @Override
    public byte[] encode(List<E> list) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(16 * list.size());
        for (E element : list) {
            byte[] bytes = elements.encode(element);
            out.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }

    @Override
    public List<E> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        List<E> list = new ArrayList<>();
        try {
            while (in.hasRemaining()) {
                list.add(elements.decode(StateBytes.next(in)));
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are not a value of codec " + id(), e);
        }
        return list;
    }
}
