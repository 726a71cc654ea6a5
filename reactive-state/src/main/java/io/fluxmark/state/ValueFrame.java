package io.fluxmark.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * The stored form of every value: the file's own page check covers no payload, so each value carries a checksum, of its key
 * too, since a damaged key would make it the value of another.
 *
 * <pre>
 * byte   version (1)
 * byte   flags: 1 = writer present, 2 = written ahead, 4 = the row is removed; all others must be 0
 * int    lane number                       } writer: which transaction of which lane wrote the row
 * long   transaction id                    }
 * long   generation                        } written ahead (see AheadFrame): what readers see while the
 * int    length of the replaced frame      } writing transaction is not committed; the length is -1
 * bytes  the replaced frame                } where they see nothing
 * bytes  the value itself, if not removed
 * int    CRC32C over the key and everything before
 * </pre>
 */
final class ValueFrame {

    static final byte VERSION = 1;
    static final int WRITER = 1;
    static final int AHEAD = 2;
    static final int REMOVED = 4;

    /** Of a value that no lane has signed. */
    static final int NO_LANE = -1;

    static final int HEADER = 2;
    static final int WRITER_BYTES = Integer.BYTES + Long.BYTES;
    static final int CRC = Integer.BYTES;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final int FLAGS = WRITER | AHEAD | REMOVED;

    private ValueFrame() {}

    static byte[] of(byte[] key, byte[] value) {
        byte[] frame = new byte[HEADER + value.length + CRC];
        frame[0] = VERSION;
        return seal(key, frame, value);
    }

    static byte[] ofRow(byte[] key, int lane, long transaction, byte[] value) {
        byte[] place = new byte[key.length + rowLength(value)];
        System.arraycopy(key, 0, place, 0, key.length);
        writeRow(place, 0, key.length, lane, transaction, value);
        return Arrays.copyOfRange(place, key.length, place.length);
    }

    /** How long the frame of a row is. */
    static int rowLength(byte[] value) {
        return HEADER + WRITER_BYTES + value.length + CRC;
    }

    /** Writes the frame of a row behind its key, which stands there already. */
    static void writeRow(byte[] place, int keyStart, int keyLength, int lane, long transaction, byte[] value) {
        int start = keyStart + keyLength;
        int end = start + HEADER + WRITER_BYTES + value.length;
        place[start] = VERSION;
        place[start + 1] = WRITER;
        INTS.set(place, start + HEADER, lane);
        LONGS.set(place, start + HEADER + Integer.BYTES, transaction);
        System.arraycopy(value, 0, place, end - value.length, value.length);
        CRC32C crc = new CRC32C();
        crc.update(place, keyStart, end - keyStart);
        INTS.set(place, end, (int) crc.getValue());
    }

    /** Checks a frame and gives its value; {@code table} only serves the error message. */
    static byte[] open(String table, byte[] key, byte[] frame) {
        check(table, key, frame);
        return Arrays.copyOfRange(frame, start(frame), frame.length - CRC);
    }

    /** Refuses a damaged frame, and one of a layout that is not known. */
    static void check(String table, byte[] key, byte[] frame) {
        int end = frame.length - CRC;
        if (end < HEADER || (int) INTS.get(frame, end) != checksum(key, frame, end)) {
            throw new CorruptValueException("The value of key " + HexFormat.of().formatHex(key) + " in table " + table
                    + " does not match its checksum: the file is damaged; restore a savepoint or replay the log");
        }
        if (frame[0] != VERSION || (frame[1] & ~FLAGS) != 0) {
            throw new CorruptValueException("The value of key " + HexFormat.of().formatHex(key) + " in table " + table
                    + " has layout " + frame[0] + " with flags " + frame[1] + ", this version reads layout " + VERSION
                    + " with flags up to " + FLAGS + "; use the version that wrote it");
        }
    }

    private static int start(byte[] frame) {
        if (AheadFrame.is(frame)) {
            return AheadFrame.valueStart(frame);
        }
        return (frame[1] & WRITER) == 0 ? HEADER : HEADER + WRITER_BYTES;
    }

    /** The number of the lane that wrote a row, or {@link #NO_LANE}; the frame has been opened before. */
    static int lane(byte[] frame) {
        return (frame[1] & WRITER) == 0 ? NO_LANE : (int) INTS.get(frame, HEADER);
    }

    private static byte[] seal(byte[] key, byte[] frame, byte[] value) {
        System.arraycopy(value, 0, frame, frame.length - CRC - value.length, value.length);
        return seal(key, frame);
    }

    /** Adds the checksum to what is otherwise complete. */
    static byte[] seal(byte[] key, byte[] frame) {
        int end = frame.length - CRC;
        INTS.set(frame, end, checksum(key, frame, end));
        return frame;
    }

    private static int checksum(byte[] key, byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(key, 0, key.length);
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
