package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Reads the batches of segment files. Not thread-safe. */
final class BatchInput implements Closeable {

    private final SegmentInput input;

    BatchInput(LogStorage storage, int bufferBytes) {
        this(storage, bufferBytes, new LongAdder());
    }

    /**
     * @param held counts the bytes of the buffer until it is closed
     */
    BatchInput(LogStorage storage, int bufferBytes, LongAdder held) {
        input = new SegmentInput(storage, bufferBytes, held);
    }

    void select(Segment segment) throws IOException {
        select(segment::openForRead);
    }

    void select(SegmentInput.Source file) throws IOException {
        input.select(file);
    }

    /**
     * The batch at a position, valid until the next call, or null if there is no intact one that begins at an offset of
     * {@code [minBase, maxBase]} and ends before {@code limit}.
     *
     * @throws UnsupportedFormatException if a batch has to be there, with one base offset, and a message in an older format is
     */
    @Nullable
    BatchView batch(long position, long limit, long minBase, long maxBase) throws IOException {
        ByteBuffer header = input.bytes(position, RecordLayout.HEADER_BYTES, limit);
        if (header == null || header.get(RecordLayout.MAGIC) != RecordLayout.MAGIC_V2) {
            if (minBase == maxBase) {
                refuseOlderFormat(position, limit, minBase);
            }
            return null;
        }
        long base = header.getLong(RecordLayout.BASE_OFFSET);
        int length = BatchView.lengthOf(header);
        if (length < 0 || base < minBase || base > maxBase) {
            return null;
        }
        ByteBuffer bytes = input.bytes(position, length, limit);
        if (bytes == null) {
            return null;
        }
        try {
            return BatchView.of(bytes);
        } catch (MalformedBatchException e) {
            return null;
        }
    }

    /**
     * Where the next intact batch begins that may follow damage.
     *
     * @param from the first position to try
     * @param offset the offset lost first; what follows begins at a higher one
     * @return the position, or -1 if there is none before {@code limit}
     */
    long find(long from, long limit, long offset) throws IOException {
        for (long at = from; at + RecordLayout.HEADER_BYTES <= limit; at++) {
            if (mayFollow(at, from, limit, offset)) {
                return at;
            }
        }
        return -1;
    }

    /**
     * The same where it is known which offset {@code limit} stands for. The checksum does not cover a batch's own offset, so a
     * batch behind damage is believed only if what follows goes on from it: the next batch, or the end. Of a compacted segment
     * more offsets than bytes may be lost.
     *
     * @param endOffset the offset after the last record before {@code limit}
     */
    long findFitting(long from, long limit, long offset, long endOffset) throws IOException {
        for (long at = from; at + RecordLayout.HEADER_BYTES <= limit; at++) {
            if (batch(at, limit, offset + 1, endOffset - 1) != null && fits(at, limit, endOffset)) {
                return at;
            }
        }
        return -1;
    }

    /** A record takes at least one byte: more offsets than bytes cannot have been lost, and at least one has been. */
    private boolean mayFollow(long at, long from, long limit, long offset) throws IOException {
        BatchView batch = batch(at, limit, offset, offset + (at - from) + 1);
        return batch != null && batch.baseOffset() > offset;
    }

    private boolean fits(long at, long limit, long endOffset) throws IOException {
        BatchView batch = batch(at, limit, 0, Long.MAX_VALUE);
        if (batch == null) {
            return false;
        }
        long end = at + batch.length();
        long next = batch.lastOffset() + 1;
        if (end == limit) {
            return next == endOffset;
        }
        BatchView following = batch(end, limit, next, Long.MAX_VALUE);
        return following != null && following.baseOffset() == next;
    }

    /** Not asked during a search: it would take a checksum of most of the file at many places in it. */
    private void refuseOlderFormat(long position, long limit, long offset) throws IOException {
        ByteBuffer header = input.bytes(position, OlderFormat.HEADER_BYTES, limit);
        int length = header == null ? -1 : OlderFormat.lengthOf(header, offset);
        ByteBuffer message = length < 0 ? null : input.bytes(position, length, limit);
        if (message != null && OlderFormat.isIntact(message)) {
            throw new UnsupportedFormatException("the message at byte " + position
                    + " has Kafka's older format with magic " + message.get(RecordLayout.MAGIC)
                    + "; only magic 2 is read: have Kafka write the topic again");
        }
    }

    @Override
    public void close() throws IOException {
        input.release();
    }
}
