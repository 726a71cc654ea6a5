package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.store.fs.FileBaseDefault;
import org.jspecify.annotations.Nullable;

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
 * <p>After a failed force the system may take the written pages for clean although they never reached the disk, so a
 * later force would succeed without them. What was written since the last good force is therefore remembered beyond the
 * channel; the next channel to the file reads it back, writes it again and forces it before anyone relies on it.
 *
 * <p>Writes come from one thread at a time; reads may run beside them.
 */
final class SafeFileChannel extends FileBaseDefault {

    private static final int FOOTER_BYTES = 128;
    private static final int HEADER_BYTES = 2 * 4096;

    private static final int COPY_BYTES = 1 << 20;
    private static final Map<String, List<Range>> DOUBTFUL = new ConcurrentHashMap<>();

    /** Bytes of the file. */
    private record Range(long from, long to) {}

    private final String name;
    private final FileChannel base;
    private final List<Range> unforced = new ArrayList<>();
    private @Nullable IOException failedForce;
    private boolean dirty;

    private SafeFileChannel(String name, FileChannel base) {
        this.name = name;
        this.base = base;
    }

    /** Takes over the base channel of the named file. */
    static SafeFileChannel open(String name, FileChannel base) throws IOException {
        SafeFileChannel channel = new SafeFileChannel(name, base);
        List<Range> doubtful = DOUBTFUL.get(name);
        if (doubtful != null) {
            channel.writeAgain(doubtful);
            DOUBTFUL.remove(name);
        }
        return channel;
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
        checkSound();
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
        checkSound();
        force(false);
        // Set before the attempt: a failed truncation or write may still have changed something.
        dirty = true;
        base.truncate(size);
    }

    @Override
    public synchronized void force(boolean metaData) throws IOException {
        checkSound();
        if (dirty) {
            try {
                base.force(metaData);
            } catch (IOException e) {
                DOUBTFUL.put(name, List.copyOf(unforced));
                failedForce = e;
                throw e;
            }
            dirty = false;
            unforced.clear();
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

    /** The store retries some operations by itself; a force that failed must not seem to succeed the second time. */
    private void checkSound() throws IOException {
        if (failedForce != null) {
            throw new IOException(
                    "an earlier force of " + name + " failed; the file must be opened again", failedForce);
        }
    }

    private void writeFully(ByteBuffer source, long position) throws IOException {
        dirty = true;
        unforced.add(new Range(position, position + source.remaining()));
        long at = position;
        while (source.hasRemaining()) {
            at += base.write(source, at);
        }
    }

    private void writeAgain(List<Range> ranges) throws IOException {
        for (Range range : ranges) {
            long end = Math.min(range.to(), base.size());
            for (long at = range.from(); at < end; at += COPY_BYTES) {
                ByteBuffer copy = ByteBuffer.allocate((int) Math.min(COPY_BYTES, end - at));
                int read = 0;
                while (copy.hasRemaining() && read >= 0) {
                    read = base.read(copy, at + copy.position());
                }
                copy.flip();
                writeFully(copy, at);
            }
        }
        force(true);
    }
}
