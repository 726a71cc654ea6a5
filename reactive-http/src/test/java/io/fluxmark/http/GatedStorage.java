package io.fluxmark.http;

import io.fluxmark.log.LogStorage;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Real files whose fsync can be held back. */
final class GatedStorage implements LogStorage {

    private final LogStorage files = LogStorage.files();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile CountDownLatch waiting = new CountDownLatch(1);

    /** From now on every fsync waits for {@link #open()}. */
    void shut() {
        waiting = new CountDownLatch(1);
        gate = new CountDownLatch(1);
    }

    void open() {
        gate.countDown();
    }

    /** Returns when an fsync waits. */
    void awaitWaiting() throws InterruptedException {
        waiting.await();
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public boolean createDirectory(Path directory) throws IOException {
        return files.createDirectory(directory);
    }

    @Override
    public LogFile openForRead(Path file) throws IOException {
        return files.openForRead(file);
    }

    @Override
    public LogFile openForWrite(Path file) throws IOException {
        return new Gated(files.openForWrite(file));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        files.rename(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
        files.delete(file);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        files.forceDirectory(directory);
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        return files.lock(file);
    }

    private final class Gated implements LogFile {
        private final LogFile file;

        Gated(LogFile file) {
            this.file = file;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            file.write(source, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void force() throws IOException {
            try {
                waiting.countDown();
                gate.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException(e.toString());
            }
            file.force();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
