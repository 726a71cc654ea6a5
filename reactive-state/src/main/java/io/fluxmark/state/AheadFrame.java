package io.fluxmark.state;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The form of a row that was written ahead of its transaction: the row, or that it goes, and the row that it replaces.
 * The layout is given with {@link ValueFrame}. Frames of replaced rows are plain ones, never written ahead themselves.
 */
final class AheadFrame {

    private static final int GENERATION = ValueFrame.HEADER + ValueFrame.WRITER_BYTES;
    private static final int LENGTH = GENERATION + Long.BYTES;
    private static final int REPLACED = LENGTH + Integer.BYTES;
    private static final int NONE = -1;

    private AheadFrame() {}

    static boolean is(byte[] frame) {
        return frame.length > 1 && (frame[1] & ValueFrame.AHEAD) != 0;
    }

    /** The row goes with the transaction. */
    static boolean isRemoval(byte[] frame) {
        return (frame[1] & ValueFrame.REMOVED) != 0;
    }

    /** @param row the plain frame of the row, or null if it is removed */
    static byte[] of(byte[] key, AheadId id, byte @Nullable [] row, byte @Nullable [] replaced) {
        int from = ValueFrame.HEADER + ValueFrame.WRITER_BYTES;
        int length = row == null ? 0 : row.length - ValueFrame.CRC - from;
        int before = replaced == null ? 0 : replaced.length;
        byte[] frame = new byte[REPLACED + before + length + ValueFrame.CRC];
        frame[0] = ValueFrame.VERSION;
        frame[1] = (byte) (ValueFrame.WRITER | ValueFrame.AHEAD | (row == null ? ValueFrame.REMOVED : 0));
        ByteBuffer out = ByteBuffer.wrap(frame, ValueFrame.HEADER, frame.length - ValueFrame.HEADER)
                .putInt(id.lane())
                .putLong(id.transaction())
                .putLong(id.generation())
                .putInt(replaced == null ? NONE : before);
        if (replaced != null) {
            out.put(replaced);
        }
        if (row != null) {
            out.put(row, from, length);
        }
        return ValueFrame.seal(key, frame);
    }

    static AheadId id(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        return new AheadId(
                in.getInt(ValueFrame.HEADER), in.getLong(GENERATION), in.getLong(ValueFrame.HEADER + Integer.BYTES));
    }

    /** The frame of the row while the transaction is not committed, or null for none. */
    static byte @Nullable [] replaced(byte[] frame) {
        int length = ByteBuffer.wrap(frame).getInt(LENGTH);
        return length == NONE ? null : Arrays.copyOfRange(frame, REPLACED, REPLACED + length);
    }

    /** The plain frame of the row once the transaction is committed, or null for none. */
    static byte @Nullable [] settled(byte[] key, byte[] frame) {
        if (isRemoval(frame)) {
            return null;
        }
        AheadId id = id(frame);
        byte[] value = Arrays.copyOfRange(frame, valueStart(frame), frame.length - ValueFrame.CRC);
        return ValueFrame.ofRow(key, id.lane(), id.transaction(), value);
    }

    /** The same over another row. */
    static byte[] over(byte[] key, byte @Nullable [] replaced, byte[] frame) {
        return of(key, id(frame), settled(key, frame), replaced);
    }

    /** Where the value begins. */
    static int valueStart(byte[] frame) {
        return REPLACED + Math.max(0, ByteBuffer.wrap(frame).getInt(LENGTH));
    }
}
