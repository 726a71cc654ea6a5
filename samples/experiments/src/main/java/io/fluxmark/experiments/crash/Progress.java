package io.fluxmark.experiments.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How far a process has read, in a mapped file: what it has written there last is there after SIGKILL, without a call of the
 * operating system for each record.
 */
final class Progress {

    private final MappedByteBuffer file;

    private Progress(MappedByteBuffer file) {
        this.file = file;
    }

    /** Begins at 0, whatever was there. */
    static Progress create(Path file) {
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return new Progress(channel.map(MapMode.READ_WRITE, 0, Long.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The offset of the next record to be read. By one thread. */
    void reached(long nextOffset) {
        file.putLong(0, nextOffset);
    }

    /** What a process wrote last, when it is gone. */
    static long read(Path file) {
        try {
            return ByteBuffer.wrap(Files.readAllBytes(file)).getLong();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
