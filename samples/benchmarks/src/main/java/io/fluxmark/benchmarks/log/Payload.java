package io.fluxmark.benchmarks.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The values that are appended: 100 bytes, a function of their number. */
final class Payload {

    static final int BYTES = 100;

    private static final int WORDS = BYTES / Long.BYTES;
    private static final int TAIL = WORDS * Long.BYTES;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Payload() {}

    static byte[] of(long number) {
        byte[] value = new byte[BYTES];
        long x = number * MIX;
        for (int at = 0; at < TAIL; at += Long.BYTES) {
            LONGS.set(value, at, x + at);
        }
        INTS.set(value, TAIL, (int) number);
        return value;
    }

    /** Puts the value at a position of a buffer. */
    static void put(ByteBuffer target, int position, long number) {
        long x = number * MIX;
        for (int at = 0; at < TAIL; at += Long.BYTES) {
            target.putLong(position + at, x + at);
        }
        target.putInt(position + TAIL, (int) number);
    }

    /** Something of the first and the last bytes of a value. */
    static long digest(byte[] value) {
        return (long) LONGS.get(value, 0) + (int) INTS.get(value, TAIL);
    }

    /** The same of a value in a buffer. */
    static long digest(ByteBuffer source, int position) {
        return source.getLong(position) + source.getInt(position + TAIL);
    }
}
