package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBaseDefault;

/**
 * Orders the store's writes so that a power cut cannot leave a chunk that looks complete and is not.
 *
 * <p>The store believes a chunk whose header and 128-byte footer agree, but nothing checks the bytes between them, and
 * without a force the disk may write blocks in any order. So the footer is written only after the body is durable, and a
 * file header (the first two blocks, which point at a chunk) or a truncation only after everything before it is:
 *
 * <pre>
 * chunk     body, force, footer          (the store's own sync makes the footer durable)
 * header    force, header
 * truncate  force, truncate
 * </pre>
 *
 * <p>Writes come from one thread at a time; reads may run beside them.
 */
final class SafeFileChannel extends FileBaseDefault {

    private static final int FOOTER_BYTES = 128;
    private static final int HEADER_BYTES = 2 * 4096;

    private final FileChannel base;
    private boolean dirty;

    SafeFileChannel(FileChannel base) {
        this.base = base;
    }

    @Override
    public long size() throws IOException {
        return base.size();
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public int read(ByteBuffer target, long position) throws IOException {
        return base.read(target, position);
    }

    @Override
    public synchronized int write(ByteBuffer source, long position) throws IOException {
        int length = source.remaining();
        if (position < HEADER_BYTES) {
            force(false);
            writeFully(source, position);
        } else if (length > FOOTER_BYTES) {
            int limit = source.limit();
            source.limit(limit - FOOTER_BYTES);
            writeFully(source, position);
            force(false);
            source.limit(limit);
            writeFully(source, position + length - FOOTER_BYTES);
        } else {
            writeFully(source, position);
        }
        return length;
    }

    @Override
    protected void implTruncate(long size) throws IOException {
        force(false);
        // Set before the attempt: a failed truncation or write may still have changed something.
        dirty = true;
        base.truncate(size);
    }

    @Override
    public synchronized void force(boolean metaData) throws IOException {
        if (dirty) {
            base.force(metaData);
            dirty = false;
        }
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return base.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        base.close();
    }

    private void writeFully(ByteBuffer source, long position) throws IOException {
        dirty = true;
        long at = position;
        while (source.hasRemaining()) {
            at += base.write(source, at);
        }
    }
}
