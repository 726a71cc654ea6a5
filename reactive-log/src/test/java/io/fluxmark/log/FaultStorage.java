package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Real files that count what is read and let a test step in before a write, a force or a truncation. */
final class FaultStorage implements LogStorage {

    interface WriteFault {
        /** May throw, may write a part first. */
        void before(Path file, ByteBuffer source, long position, LogFile target) throws IOException;
    }

    interface Fault {
        void before(Path file) throws IOException;
    }

    final AtomicLong bytesRead = new AtomicLong();
    final AtomicLong forces = new AtomicLong();
    final AtomicLong open = new AtomicLong();
    /** Tests that open a log thousands of times have no use for real ones. */
    volatile boolean skipsForces;

    volatile WriteFault onWrite = (file, source, position, target) -> {};
    volatile Fault onForce = file -> {};
    volatile Fault onTruncate = file -> {};
    volatile Fault onRead = file -> {};
    volatile Fault onForceDirectory = directory -> {};

    private final LogStorage files = LogStorage.files();

    /** Without real forces. */
    static FaultStorage fast() {
        FaultStorage storage = new FaultStorage();
        storage.skipsForces = true;
        return storage;
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
        return new Watched(file, files.openForRead(file));
    }

    @Override
    public LogFile openForWrite(Path file) throws IOException {
        return new Watched(file, files.openForWrite(file));
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
        onForceDirectory.before(directory);
        if (!skipsForces) {
            files.forceDirectory(directory);
        }
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        return files.lock(file);
    }

    private final class Watched implements LogFile {

        private final Path path;
        private final LogFile file;

        Watched(Path path, LogFile file) {
            this.path = path;
            this.file = file;
            open.incrementAndGet();
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            onRead.before(path);
            int read = file.read(target, position);
            bytesRead.addAndGet(Math.max(0, read));
            return read;
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            onWrite.before(path, source, position, file);
            file.write(source, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            onTruncate.before(path);
            file.truncate(size);
        }

        @Override
        public void force() throws IOException {
            onForce.before(path);
            if (!skipsForces) {
                file.force();
            }
            forces.incrementAndGet();
        }

        @Override
        public void close() throws IOException {
            file.close();
            open.decrementAndGet();
        }
    }
}
