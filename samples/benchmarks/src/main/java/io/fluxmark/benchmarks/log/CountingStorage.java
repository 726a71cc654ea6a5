package io.fluxmark.benchmarks.log;

import io.fluxmark.log.LogStorage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Real files on a disk, and how often they were forced. */
final class CountingStorage implements LogStorage {

    private final LogStorage files = LogStorage.files();
    private final LongAdder forces = new LongAdder();
    private final Disk disk;

    CountingStorage(Disk disk) {
        this.disk = disk;
    }

    long forces() {
        return forces.sum();
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
        return new CountingFile(files.openForWrite(file), forces, disk);
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

    private record CountingFile(LogFile file, LongAdder forces, Disk disk) implements LogFile {

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
            forces.increment();
            disk.force(file::force);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
