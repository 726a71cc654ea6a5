package io.fluxmark.state;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Positional reads on the caller's thread that an interrupt neither ends nor notices: {@link RandomAccessFile} is no
 * interruptible channel. A file has one position, so several are open, and a thread takes one of them for itself while it
 * reads. Thread-safe.
 */
final class UninterruptibleReads implements Closeable {

    // As many reads as may reasonably run side by side; more of them wait for each other.
    private static final int FILES = 8;

    private final RandomAccessFile[] files;

    private UninterruptibleReads(RandomAccessFile[] files) {
        this.files = files;
    }

    static UninterruptibleReads open(Path path) throws IOException {
        RandomAccessFile[] files = new RandomAccessFile[FILES];
        UninterruptibleReads reads = new UninterruptibleReads(files);
        try {
            for (int i = 0; i < FILES; i++) {
                files[i] = new RandomAccessFile(path.toFile(), "r");
            }
        } catch (IOException e) {
            reads.close();
            throw e;
        }
        return reads;
    }

    /** Reads what is there, at least one byte; gives the number of bytes, or -1 at the end of the file. */
    int read(ByteBuffer target, long position) throws IOException {
        RandomAccessFile file = files[(int) (Thread.currentThread().getId() % FILES)];
        byte[] bytes = target.hasArray() ? target.array() : new byte[target.remaining()];
        int offset = target.hasArray() ? target.arrayOffset() + target.position() : 0;
        int read;
        synchronized (file) {
            file.seek(position);
            read = file.read(bytes, offset, target.remaining());
        }
        if (read > 0) {
            if (target.hasArray()) {
                target.position(target.position() + read);
            } else {
                target.put(bytes, 0, read);
            }
        }
        return read;
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (RandomAccessFile file : files) {
            try {
                if (file != null) {
                    file.close();
                }
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
