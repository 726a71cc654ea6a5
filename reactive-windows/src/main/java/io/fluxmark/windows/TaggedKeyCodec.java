package io.fluxmark.windows;

import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * Self-describing keys. Layout: one tag byte, then
 *
 * <pre>
 *   BOOLEAN  1 byte
 *   INT      4 bytes, big-endian, sign bit flipped
 *   LONG     8 bytes, big-endian, sign bit flipped
 *   INSTANT  8 bytes of seconds (sign flipped), 4 bytes of nanoseconds
 *   STRING   UTF-8; 0x00 escaped as 0x00 0xFF, ended by 0x00 0x00
 *   UUID     16 bytes
 *   LIST     the items, each with its tag, ended by 0x00
 * </pre>
 */
final class TaggedKeyCodec implements KeyCodec<Object> {

    static final TaggedKeyCodec INSTANCE = new TaggedKeyCodec();

    private static final byte END = 0;
    private static final byte BOOLEAN = 1;
    private static final byte INT = 2;
    private static final byte LONG = 3;
    private static final byte INSTANT = 4;
    private static final byte STRING = 5;
    private static final byte ID = 6;
    private static final byte LIST = 7;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private TaggedKeyCodec() {}

    @Override
    public String id() {
        return "tagged";
    }

    @Override
    public byte[] encode(Object key) {
        if (key instanceof Long number) {
            byte[] bytes = new byte[1 + Long.BYTES];
            bytes[0] = LONG;
            LONGS.set(bytes, 1, number ^ Long.MIN_VALUE);
            return bytes;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(24);
        write(out, key);
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, Object key) {
        if (key instanceof String s) {
            out.write(STRING);
            for (byte b : s.getBytes(StandardCharsets.UTF_8)) {
                out.write(b);
                if (b == 0) {
                    out.write(0xFF);
                }
            }
            out.write(0);
            out.write(0);
        } else if (key instanceof Long l) {
            out.write(LONG);
            writeLong(out, l ^ Long.MIN_VALUE);
        } else if (key instanceof Integer i) {
            out.write(INT);
            writeInt(out, i ^ Integer.MIN_VALUE);
        } else if (key instanceof Boolean b) {
            out.write(BOOLEAN);
            out.write(b ? 1 : 0);
        } else if (key instanceof Instant t) {
            out.write(INSTANT);
            writeLong(out, t.getEpochSecond() ^ Long.MIN_VALUE);
            writeInt(out, t.getNano());
        } else if (key instanceof UUID u) {
            out.write(ID);
            writeLong(out, u.getMostSignificantBits());
            writeLong(out, u.getLeastSignificantBits());
        } else if (key instanceof List<?> list) {
            out.write(LIST);
            for (Object item : list) {
                write(out, item);
            }
            out.write(END);
        } else {
            throw new IllegalArgumentException(
                    "no key codec for " + key.getClass().getName() + " (key " + key
                            + "): give keyBy a KeyCodec of that class, or a key of String, Long, Integer, Boolean, UUID, Instant"
                            + " or a List of these");
        }
    }

    private static void writeLong(ByteArrayOutputStream out, long v) {
        writeInt(out, (int) (v >>> 32));
        writeInt(out, (int) v);
    }

    private static void writeInt(ByteArrayOutputStream out, int v) {
        out.write(v >>> 24);
        out.write(v >>> 16);
        out.write(v >>> 8);
        out.write(v);
    }

    @Override
    public Object decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            Object key = read(in, in.get());
            if (!in.hasRemaining()) {
                return key;
            }
        } catch (BufferUnderflowException | DateTimeException e) {
            throw foreign(bytes, e);
        }
        throw foreign(bytes, null);
    }

    private static IllegalArgumentException foreign(byte[] bytes, @org.jspecify.annotations.Nullable Exception cause) {
        return new IllegalArgumentException("not a tagged key: " + Arrays.toString(bytes), cause);
    }

    private static Object read(ByteBuffer in, byte tag) {
        return switch (tag) {
            case BOOLEAN -> in.get() != 0;
            case INT -> in.getInt() ^ Integer.MIN_VALUE;
            case LONG -> in.getLong() ^ Long.MIN_VALUE;
            case INSTANT -> Instant.ofEpochSecond(in.getLong() ^ Long.MIN_VALUE, in.getInt());
            case STRING -> readString(in);
            case ID -> new UUID(in.getLong(), in.getLong());
            case LIST -> readList(in);
            default -> throw new IllegalArgumentException("not the tag of a key: " + tag);
        };
    }

    private static List<Object> readList(ByteBuffer in) {
        List<Object> items = new ArrayList<>();
        for (byte tag = in.get(); tag != END; tag = in.get()) {
            items.add(read(in, tag));
        }
        return List.copyOf(items);
    }

    private static String readString(ByteBuffer in) {
        ByteArrayOutputStream utf8 = new ByteArrayOutputStream(16);
        for (; ; ) {
            byte b = in.get();
            if (b == 0 && in.get() == 0) {
                return utf8.toString(StandardCharsets.UTF_8);
            }
            utf8.write(b);
        }
    }

    @Override
    public Comparator<Object> order() {
        return TaggedKeyCodec::compare;
    }

    private static int compare(Object a, Object b) {
        if (a instanceof Long x && b instanceof Long y) {
            return Long.compare(x, y);
        }
        if (a instanceof Integer x && b instanceof Integer y) {
            return Integer.compare(x, y);
        }
        if (a instanceof String x && b instanceof String y && ordersAsUtf8(x) && ordersAsUtf8(y)) {
            return x.compareTo(y);
        }
        return Arrays.compareUnsigned(INSTANCE.encode(a), INSTANCE.encode(b));
    }

    /** UTF-16 and UTF-8 order strings alike unless surrogates (or the escaped 0) are among them. */
    private static boolean ordersAsUtf8(String s) {
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == 0 || c >= Character.MIN_SURROGATE) {
                return false;
            }
        }
        return true;
    }
}
