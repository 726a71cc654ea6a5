package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Reads one segment file through a buffer. Not thread-safe.
 *
 * <p>An interrupt closes a channel under its reader. That is no reason to fail: the file is opened again, the read repeated,
 * and the interrupt status restored afterwards for whoever it was meant for.
 */
final class SegmentInput implements Closeable {

    /** Opens the file, again and again the same. */
    interface Source {
        LogStorage.LogFile open(LogStorage storage) throws IOException;
    }

    /** An interrupt that comes again and again must not keep a reader here for ever. */
    private static final int MAX_REOPENS = 100;

    private final LogStorage storage;
    private final int bufferBytes;
    private final LongAdder held;
    private @Nullable Source source;
    private LogStorage.@Nullable LogFile file;
    private ByteBuffer buffer;
    /** The place in the file of the buffer's index 0; its limit says how much there is. */
    private long bufferStart;

    /**
     * @param held counts the bytes of the buffer
     */
    SegmentInput(LogStorage storage, int bufferBytes, LongAdder held) {
        this.storage = storage;
        this.bufferBytes = bufferBytes;
        this.held = held;
        this.buffer = ByteBuffer.allocate(0);
    }

    /** Turns to another file; opened when first read. */
    void select(Source newSource) throws IOException {
        close();
        source = newSource;
        buffer.limit(0);
        bufferStart = 0;
    }

    /**
     * The bytes of {@code [position, position + length)}, valid until the next call, or null if they do not lie before
     * {@code limit} and in the file. Nothing at or after {@code limit} is ever read.
     */
    @Nullable
    ByteBuffer bytes(long position, int length, long limit) throws IOException {
        if (position + length > limit) {
            return null;
        }
        if (position < bufferStart || position + length > bufferStart + buffer.limit()) {
            refill(position, length, limit);
            if (buffer.limit() < length) {
                return null;
            }
        }
        return buffer.slice((int) (position - bufferStart), length);
    }

    private void refill(long position, int length, long limit) throws IOException {
        int capacity = Math.max(length, bufferBytes);
        int kept = 0;
        if (position >= bufferStart && position < bufferStart + buffer.limit()) {
            // What is already here is not read twice: a reader reads each byte once.
            buffer.position((int) (position - bufferStart));
            kept = buffer.remaining();
        } else {
            buffer.position(buffer.limit());
        }
        if (buffer.capacity() == capacity) {
            buffer.compact();
        } else {
            ByteBuffer other = ByteBuffer.allocate(capacity);
            other.put(buffer);
            hold(other);
        }
        bufferStart = position;
        buffer.limit((int) Math.min(capacity, limit - position));
        buffer.position(kept);
        try {
            while (buffer.position() < length) {
                if (readOnce(position + buffer.position()) < 0) {
                    break;
                }
            }
        } finally {
            buffer.flip();
        }
    }

    private void hold(ByteBuffer other) {
        held.add(other.capacity() - buffer.capacity());
        buffer = other;
    }

    private int readOnce(long at) throws IOException {
        boolean interrupted = false;
        int filled = buffer.position();
        try {
            for (int attempt = 0; ; attempt++) {
                try {
                    return open().read(buffer, at);
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    buffer.position(filled);
                    close();
                    if (attempt == MAX_REOPENS) {
                        throw e;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private LogStorage.LogFile open() throws IOException {
        LogStorage.LogFile open = file;
        if (open == null) {
            if (source == null) {
                throw new IllegalStateException("no file selected");
            }
            open = source.open(storage);
            file = open;
        }
        return open;
    }

    /** Closes the file and gives the buffer up. */
    void release() throws IOException {
        hold(ByteBuffer.allocate(0));
        bufferStart = 0;
        close();
    }

    /** Closes the file; reading again opens it again. */
    @Override
    public void close() throws IOException {
        LogStorage.LogFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }
}
