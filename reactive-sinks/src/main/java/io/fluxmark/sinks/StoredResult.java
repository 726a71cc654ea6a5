package io.fluxmark.sinks;

import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A window result as it is stored, its key and value still encoded.
 *
 * <pre>
 * byte   version (1)
 * byte   kind: 0 on time, 1 late, 2 retraction, 3 early; plus 64 where a time-out closed the window
 * int    revision
 * long   window start, window end, late count, watermark
 * int    length of the key, then the key
 * bytes  the value
 * </pre>
 */
@SuppressWarnings("ArrayRecordComponent") // made of a row and taken apart, never compared
record StoredResult(
        WindowResult.Kind kind,
        boolean byTimeout,
        int revision,
        TimeWindow window,
        long late,
        long watermark,
        byte[] key,
        byte[] value) {

    private static final byte VERSION = 1;
    private static final int BY_TIMEOUT = 64;

    private static final int REVISION = 2;
    private static final int WINDOW_START = REVISION + Integer.BYTES;
    private static final int WINDOW_END = WINDOW_START + Long.BYTES;
    private static final int LATE = WINDOW_END + Long.BYTES;
    private static final int WATERMARK = LATE + Long.BYTES;
    private static final int KEY_LENGTH = WATERMARK + Long.BYTES;
    private static final int FIXED = KEY_LENGTH + Integer.BYTES;

    // Rows are what a job makes most of: written without a buffer around each.
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Whether a row says that it is one. */
    static boolean isOne(byte[] row) {
        return row.length >= FIXED && row[0] == VERSION;
    }

    static StoredResult of(byte[] row) {
        try {
            ByteBuffer in = ByteBuffer.wrap(row);
            byte version = in.get();
            if (version != VERSION) {
                throw new IllegalStateException(
                        "a row of version " + version + " can't be read by this version, which knows " + VERSION);
            }
            byte flags = in.get();
            WindowResult.Kind kind = kind((byte) (flags & ~BY_TIMEOUT));
            int revision = in.getInt();
            TimeWindow window = new TimeWindow(in.getLong(), in.getLong());
            long late = in.getLong();
            long watermark = in.getLong();
            byte[] key = new byte[in.getInt()];
            in.get(key);
            byte[] value = new byte[in.remaining()];
            in.get(value);
            return new StoredResult(kind, (flags & BY_TIMEOUT) != 0, revision, window, late, watermark, key, value);
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            throw new IllegalStateException("a row of " + row.length + " bytes is not a window result", e);
        }
    }

    byte[] toBytes() {
        byte[] row = new byte[FIXED + key.length + value.length];
        row[0] = VERSION;
        row[1] = (byte) (code(kind) | (byTimeout ? BY_TIMEOUT : 0));
        INTS.set(row, REVISION, revision);
        LONGS.set(row, WINDOW_START, window.start());
        LONGS.set(row, WINDOW_END, window.end());
        LONGS.set(row, LATE, late);
        LONGS.set(row, WATERMARK, watermark);
        INTS.set(row, KEY_LENGTH, key.length);
        System.arraycopy(key, 0, row, FIXED, key.length);
        System.arraycopy(value, 0, row, FIXED + key.length, value.length);
        return row;
    }

    /** The kind as a stable number. */
    byte kindCode() {
        return code(kind);
    }

    private static byte code(WindowResult.Kind kind) {
        return switch (kind) {
            case ON_TIME -> 0;
            case LATE -> 1;
            case RETRACT -> 2;
            case EARLY -> 3;
        };
    }

    private static WindowResult.Kind kind(byte code) {
        return switch (code) {
            case 0 -> WindowResult.Kind.ON_TIME;
            case 1 -> WindowResult.Kind.LATE;
            case 2 -> WindowResult.Kind.RETRACT;
            case 3 -> WindowResult.Kind.EARLY;
            default -> throw new IllegalStateException("unknown kind of result: " + code);
        };
    }
}
