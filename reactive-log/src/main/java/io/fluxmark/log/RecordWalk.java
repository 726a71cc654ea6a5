package io.fluxmark.log;

import java.nio.ByteBuffer;

/** A walk over the uncompressed records of one batch, which have been checked, without decoding more than is asked for. */
final class RecordWalk {

    private final ByteBuffer bytes;
    private final int begin;
    private final long baseOffset;
    private final int count;
    private int walked;
    private int start;
    private int end;
    /** Where the record goes on behind its timestamp. */
    private int afterTimestamp;

    private long timestampDelta;
    private long offset;
    private int keyStart;
    private int keyLength;
    private boolean tombstone;

    /**
     * @param records from the position to the limit
     */
    RecordWalk(ByteBuffer records, long baseOffset, int count) {
        this.bytes = records.duplicate();
        this.begin = records.position();
        this.end = begin;
        this.baseOffset = baseOffset;
        this.count = count;
    }

    /** How many bytes all records have. */
    int bytes() {
        return bytes.limit() - begin;
    }

    /** Goes to the next record, if there is one. */
    boolean next() {
        if (walked == count) {
            return false;
        }
        walked++;
        start = end;
        bytes.position(start);
        int length = Varints.getInt(bytes);
        end = bytes.position() + length;
        bytes.get();
        timestampDelta = Varints.getLong(bytes);
        afterTimestamp = bytes.position();
        offset = baseOffset + Varints.getInt(bytes);
        keyLength = Varints.getInt(bytes);
        keyStart = bytes.position();
        bytes.position(keyStart + Math.max(0, keyLength));
        tombstone = Varints.getInt(bytes) < 0;
        return true;
    }

    /** Begins again before the first record. */
    void rewind() {
        walked = 0;
        end = begin;
    }

    long offset() {
        return offset;
    }

    long timestampDelta() {
        return timestampDelta;
    }

    boolean hasKey() {
        return keyLength >= 0;
    }

    boolean isTombstone() {
        return tombstone;
    }

    void putInto(KeyOffsets offsets) {
        offsets.put(bytes, keyStart, keyLength, offset);
    }

    /** The offset that is noted of the record's key. */
    long latestIn(KeyOffsets offsets) {
        return offsets.get(bytes, keyStart, keyLength);
    }

    /** Copies the record as it is, its timestamp being that many milliseconds further from the base. */
    void copyTo(ByteBuffer target, long timestampShift) {
        if (timestampShift == 0) {
            put(target, start);
            return;
        }
        long delta = timestampDelta + timestampShift;
        Varints.put(target, 1 + Varints.sizeOf(delta) + (end - afterTimestamp));
        target.put((byte) 0);
        Varints.put(target, delta);
        put(target, afterTimestamp);
    }

    private void put(ByteBuffer target, int from) {
        target.put(bytes.duplicate().limit(end).position(from));
    }
}
