package io.fluxmark.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A checked record on its way to the writer: its partition is known, its headers are bytes, its size is counted. Immutable.
 */
final class PreparedRecord {

    private static final byte[] PRODUCER_NAME = Header.PRODUCER.getBytes(StandardCharsets.UTF_8);
    private static final byte[] SEQUENCE_NAME = Header.SEQUENCE.getBytes(StandardCharsets.UTF_8);

    private static final byte[] @Nullable [] NO_HEADERS = new byte[0][];

    /** Length, attributes, timestamp and offset deltas at their longest. */
    private static final int FRAMING = 5 + 1 + 1 + 3;

    private final byte @Nullable [] key;
    private final byte @Nullable [] value;
    /** Names and values alternating. */
    private final byte[] @Nullable [] headers;

    private final @Nullable ProducerSequence sequence;
    private final int contentBytes;

    PreparedRecord(AppendRecord record) {
        key = record.key();
        value = record.value();
        sequence = record.sequence();
        headers = encode(record.headers(), sequence);
        contentBytes = sizeOfContent();
    }

    @Nullable
    ProducerSequence sequence() {
        return sequence;
    }

    /** The most this record takes in a batch. */
    int bytes() {
        return contentBytes + FRAMING;
    }

    /** What this record takes in a batch at the given place. */
    int bytesAt(int offsetDelta) {
        int body = bodyAt(offsetDelta);
        return Varints.sizeOf(body) + body;
    }

    void writeTo(ByteBuffer target, int offsetDelta) {
        Varints.put(target, bodyAt(offsetDelta));
        target.put((byte) 0);
        Varints.put(target, 0);
        Varints.put(target, offsetDelta);
        putBytes(target, key);
        putBytes(target, value);
        Varints.put(target, headers.length / 2);
        for (byte @Nullable [] part : headers) {
            putBytes(target, part);
        }
    }

    private int bodyAt(int offsetDelta) {
        return 1 + 1 + Varints.sizeOf(offsetDelta) + contentBytes;
    }

    /** Saturates, so that a record of absurd size is refused rather than wrapped around. */
    private int sizeOfContent() {
        long size = sizeOf(key) + sizeOf(value) + Varints.sizeOf(headers.length / 2);
        for (byte @Nullable [] part : headers) {
            size += sizeOf(part);
        }
        return (int) Math.min(size, Integer.MAX_VALUE - FRAMING);
    }

    private static long sizeOf(byte @Nullable [] bytes) {
        return bytes == null ? Varints.sizeOf(-1) : Varints.sizeOf(bytes.length) + (long) bytes.length;
    }

    private static void putBytes(ByteBuffer target, byte @Nullable [] bytes) {
        if (bytes == null) {
            Varints.put(target, -1);
        } else {
            Varints.put(target, bytes.length);
            target.put(bytes);
        }
    }

    private static byte[] @Nullable [] encode(List<Header> headers, @Nullable ProducerSequence sequence) {
        if (headers.isEmpty() && sequence == null) {
            return NO_HEADERS;
        }
        byte[] @Nullable [] parts = new byte[2 * (headers.size() + (sequence == null ? 0 : 2))][];
        int i = 0;
        for (Header header : headers) {
            parts[i++] = header.name().getBytes(StandardCharsets.UTF_8);
            parts[i++] = header.value();
        }
        if (sequence != null) {
            parts[i++] = PRODUCER_NAME;
            parts[i++] = sequence.producer().getBytes(StandardCharsets.UTF_8);
            parts[i++] = SEQUENCE_NAME;
            parts[i] =
                    ByteBuffer.allocate(Long.BYTES).putLong(sequence.sequence()).array();
        }
        return parts;
    }
}
