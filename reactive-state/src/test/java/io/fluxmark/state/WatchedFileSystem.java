package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePathWrapper;

/** Tells before each write, force or truncation of a file that it comes. One listener for all files. */
public final class WatchedFileSystem extends FilePathWrapper {

    static final String SCHEME = "fluxwatch";

    /** In the place of a store's own: its order of writes over this scheme. */
    static final String PREFIX = StoreFileSystem.SAFE + ":" + SCHEME + ":";

    private static volatile Runnable listener = () -> {};

    /** For H2. */
    public WatchedFileSystem() {}

    static void listen(Runnable newListener) {
        listener = newListener;
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return new Channel(getBase().open(mode));
    }

    private static final class Channel extends FileBaseDefault {

        private final FileChannel base;

        Channel(FileChannel base) {
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
            listener.run();
            return base.write(source, position);
        }

        @Override
        protected void implTruncate(long size) throws IOException {
            listener.run();
            base.truncate(size);
        }

        @Override
        public void force(boolean metaData) throws IOException {
            listener.run();
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
}
