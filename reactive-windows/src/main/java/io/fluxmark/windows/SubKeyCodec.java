package io.fluxmark.windows;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Keys in two parts, ordered by the first and then by the second.
 *
 * <pre>
 * bytes  the first part; 0x00 escaped as 0x00 0xFF, ended by 0x00 0x01
 * bytes  the second part
 * </pre>
 */
record SubKeyCodec<K, S>(KeyCodec<K> keys, KeyCodec<S> subs) implements KeyCodec<SubKey<K, S>> {

    private static final int ESCAPED = 0xFF;
    private static final int END = 1;

    @Override
    public String id() {
        return "(" + keys.id() + "," + subs.id() + ")";
    }

    @Override
    public byte[] encode(SubKey<K, S> key) {
        byte[] first = keys.encode(key.key());
        byte[] second = subs.encode(key.sub());
        ByteArrayOutputStream out = new ByteArrayOutputStream(first.length + second.length + 4);
        for (byte b : first) {
            out.write(b);
            if (b == 0) {
                out.write(ESCAPED);
            }
        }
        out.write(0);
        out.write(END);
        out.writeBytes(second);
        return out.toByteArray();
    }

    @Override
    public SubKey<K, S> decode(byte[] bytes) {
        ByteArrayOutputStream first = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                first.write(bytes[i]);
            } else if (++i < bytes.length && bytes[i] == END) {
                byte[] second = Arrays.copyOfRange(bytes, i + 1, bytes.length);
                return new SubKey<>(keys.decode(first.toByteArray()), subs.decode(second));
            } else {
                first.write(0);
            }
        }
        throw new IllegalArgumentException("not a key of codec " + id() + ": " + Arrays.toString(bytes));
    }

    @Override
    public Comparator<SubKey<K, S>> order() {
        return Comparator.<SubKey<K, S>, K>comparing(SubKey::key, keys.order())
                .thenComparing(SubKey::sub, subs.order());
    }
}
