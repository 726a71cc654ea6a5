package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails the k-th write, force or truncation from now on, once or from then on. One plan for all files. */
public final class FaultyFileSystem extends FilePathWrapper {

    static final String SCHEME = "fluxfault";

    /** Before the path of a store's file: below the order of writes, above the file itself. */
    static final String PREFIX = StoreFileSystem.SAFE + ":" + SCHEME + ":" + StoreFileSystem.ASYNC + ":";

    private static long countdown = Long.MAX_VALUE;
    private static boolean lasting;
    private static boolean halfWrites;
    private static long failures;

    /** For H2. */
    public FaultyFileSystem() {}

    /** Before a test nothing fails, and after it nothing fails any more. */
    static final class Reset implements BeforeEachCallback, AfterEachCallback {

        @Override
        public void beforeEach(ExtensionContext context) {
            FilePath.register(new FaultyFileSystem());
            heal();
        }

        @Override
        public void afterEach(ExtensionContext context) {
            heal();
        }
    }

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

    private static final class Channel extends ForwardingFile {

        Channel(FileChannel base) {
            super(base);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public int write(ByteBuffer source, long position) throws IOException {
            if (fails()) {
                if (halfWrites) {
                    source.limit(source.position() + source.remaining() / 2);
                    super.write(source, position);
                }
                throw new IOException("No space left on device (injected)");
            }
            return super.write(source, position);
        }

        @Override
        protected void implTruncate(long size) throws IOException {
            check();
            super.implTruncate(size);
        }

        @Override
        public void force(boolean metaData) throws IOException {
            check();
            super.force(metaData);
        }

        private static void check() throws IOException {
            if (fails()) {
                throw new IOException("Input/output error (injected)");
            }
        }
    }
}
