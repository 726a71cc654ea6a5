package io.fluxmark.experiments.commitorder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** An offset in a file of its own, forced to disk each time. A new one is 0. */
final class OffsetFile implements AutoCloseable {

    private final FileChannel file;

    OffsetFile(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long read() {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
        try {
            return file.read(bytes, 0) < Long.BYTES ? 0 : bytes.getLong(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void commit(long offset) {
        try {
            file.write(ByteBuffer.allocate(Long.BYTES).putLong(0, offset), 0);
            file.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
