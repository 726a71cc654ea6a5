package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePathWrapper;

/** Fails the k-th write, force or truncation from now on, once or from then on. One plan for all files. */
public final class FaultyFileSystem extends FilePathWrapper {

    static final String SCHEME = "fluxfault";

    private static long countdown = Long.MAX_VALUE;
    private static boolean lasting;
    private static boolean halfWrites;
    private static long failures;

    /** For H2. */
    public FaultyFileSystem() {}

    /** Lets the given number of changes pass and fails the next. */
    static synchronized void failAfter(long changes, boolean stay, boolean half) {
        countdown = changes;
        lasting = stay;
        halfWrites = half;
        failures = 0;
    }

    static synchronized void heal() {
        countdown = Long.MAX_VALUE;
    }

    static synchronized long failures() {
        return failures;
    }

    private static synchronized boolean fails() {
        if (countdown > 0) {
            countdown--;
            return false;
        }
        failures++;
        if (!lasting) {
            countdown = Long.MAX_VALUE;
        }
        return true;
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
            if (fails()) {
                if (halfWrites) {
                    source.limit(source.position() + source.remaining() / 2);
                    base.write(source, position);
                }
                throw new IOException("No space left on device (injected)");
            }
            return base.write(source, position);
        }

        @Override
        protected void implTruncate(long size) throws IOException {
            check();
            base.truncate(size);
        }

        @Override
        public void force(boolean metaData) throws IOException {
            check();
            base.force(metaData);
        }

        private static void check() throws IOException {
            if (fails()) {
                throw new IOException("Input/output error (injected)");
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
    }
}
