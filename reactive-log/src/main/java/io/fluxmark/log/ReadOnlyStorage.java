package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The files of a log that somebody else may be writing: reading only. */
record ReadOnlyStorage(LogStorage files) implements LogStorage {

    @Override
    public List<String> list(Path directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public LogFile openForRead(Path file) throws IOException {
        return files.openForRead(file);
    }

    @Override
    public boolean createDirectory(Path directory) {
        throw refused(directory);
    }

    @Override
    public LogFile openForWrite(Path file) {
        throw refused(file);
    }

    @Override
    public void rename(Path from, Path to) {
        throw refused(from);
    }

    @Override
    public void delete(Path file) {
        throw refused(file);
    }

    @Override
    public void forceDirectory(Path directory) {
        throw refused(directory);
    }

    @Override
    public Closeable lock(Path file) {
        throw refused(file);
    }

    private static UnsupportedOperationException refused(Path path) {
        return new UnsupportedOperationException(path + " is read only");
    }
}
