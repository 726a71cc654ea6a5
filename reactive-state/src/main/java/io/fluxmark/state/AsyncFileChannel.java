package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.h2.store.fs.FileBaseDefault;

/**
 * A file channel that an interrupt cannot close. An ordinary file channel closes itself when a thread is interrupted in
 * it, which kills the store for everyone; here writing happens on one of the JDK's pool threads, the caller waits for it
 * to the end and keeps its interrupt flag. Reading does without the change of threads, which costs several times what a
 * page costs that the system has at hand: see {@link UninterruptibleReads}. Thread-safe for positional access.
 */
final class AsyncFileChannel extends FileBaseDefault {

    private final AsynchronousFileChannel channel;
    private final UninterruptibleReads reads;

    AsyncFileChannel(AsynchronousFileChannel channel, UninterruptibleReads reads) {
        this.channel = channel;
        this.reads = reads;
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    // Not synchronized as in the base class: positional transfers of several threads may overlap.
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public int read(ByteBuffer target, long position) throws IOException {
        return reads.read(target, position);
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public int write(ByteBuffer source, long position) throws IOException {
        return await(channel.write(source, position));
    }

    @Override
    protected void implTruncate(long size) throws IOException {
        channel.truncate(size);
    }

    @Override
    public void force(boolean metaData) throws IOException {
        channel.force(metaData);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        return new DirectoryLock.Covered(this, position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        try (channel) {
            reads.close();
        }
    }

    private static int await(Future<Integer> transfer) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return transfer.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof IOException cause) {
                        throw cause;
                    }
                    throw new IOException("File transfer failed", e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
