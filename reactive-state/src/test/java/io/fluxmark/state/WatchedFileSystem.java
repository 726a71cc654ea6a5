package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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

    private static final class Channel extends ForwardingFile {

        Channel(FileChannel base) {
            super(base);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public int write(ByteBuffer source, long position) throws IOException {
            listener.run();
            return super.write(source, position);
        }

        @Override
        protected void implTruncate(long size) throws IOException {
            listener.run();
            super.implTruncate(size);
        }

        @Override
        public void force(boolean metaData) throws IOException {
            listener.run();
            super.force(metaData);
        }
    }
}
