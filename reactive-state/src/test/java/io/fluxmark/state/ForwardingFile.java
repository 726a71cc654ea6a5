package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBaseDefault;

/** A file of H2's that is another one; for those that do something besides. */
abstract class ForwardingFile extends FileBaseDefault {

    private final FileChannel base;

    ForwardingFile(FileChannel base) {
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
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public int write(ByteBuffer source, long position) throws IOException {
        return base.write(source, position);
    }

    @Override
    protected void implTruncate(long size) throws IOException {
        base.truncate(size);
    }

    @Override
    public void force(boolean metaData) throws IOException {
        base.force(metaData);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return base.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        base.close();
    }
}
