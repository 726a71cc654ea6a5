package io.fluxmark.log;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * What a partition knew of its producers at an offset, in files, so that it is known again without reading the log up to there, and
 * after that part of the log has been deleted. The two newest are kept. Confined to the writer thread.
 *
 * <pre>
 * OFFSET.snapshot   int32 magic, int8 version 1, int64 offset, int32 CRC-32C of the rest, the producers
 * </pre>
 */
final class ProducerSnapshots {

    static final String SUFFIX = ".snapshot";

    private static final Logger LOG = Loggers.getLogger(ProducerSnapshots.class);

    private static final int MAGIC = 0x464c5053;
    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = Integer.BYTES + 1 + Long.BYTES + Integer.BYTES;
    private static final int KEPT = 2;

    private final LogStorage storage;
    private final Path directory;
    private final TreeSet<Long> offsets;

    ProducerSnapshots(LogStorage storage, Path directory, List<Long> offsets) {
        this.storage = storage;
        this.directory = directory;
        this.offsets = new TreeSet<>(offsets);
    }

    /** The offsets there are snapshots of, the newest first. */
    List<Long> newestFirst() {
        return List.copyOf(offsets.descendingSet());
    }

    /** Writes what is known at an offset, durably, unless it is there already. */
    void write(long offset, ProducerRegistry producers) throws IOException {
        if (offsets.contains(offset)) {
            return;
        }
        byte[] content = producers.toBytes();
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + content.length);
        bytes.putInt(MAGIC)
                .put(VERSION)
                .putLong(offset)
                .putInt(checksum(content))
                .put(content);
        SmallFile.replace(storage, file(offset), bytes.flip());
        offsets.add(offset);
        while (offsets.size() > KEPT) {
            storage.delete(file(offsets.first()));
            offsets.pollFirst();
        }
    }

    /** What was known at an offset, or null if the file is missing or damaged. */
    @Nullable
    ProducerRegistry load(long offset, int limit) {
        if (!offsets.contains(offset)) {
            return null;
        }
        try {
            ByteBuffer bytes = SmallFile.read(storage, file(offset), Integer.MAX_VALUE - HEADER_BYTES);
            ProducerRegistry producers = bytes == null ? null : parse(bytes, offset, limit);
            if (producers == null) {
                LOG.warn("{} is damaged; the log is read instead", file(offset));
            }
            return producers;
        } catch (IOException e) {
            LOG.warn("cannot read " + file(offset) + "; the log is read instead", e);
            return null;
        }
    }

    /** Durably deletes those that know of more than the log holds. */
    void deleteAbove(long end) throws IOException {
        boolean deleted = false;
        while (!offsets.isEmpty() && offsets.last() > end) {
            storage.delete(file(offsets.last()));
            offsets.pollLast();
            deleted = true;
        }
        if (deleted) {
            storage.forceDirectory(directory);
        }
    }

    private static @Nullable ProducerRegistry parse(ByteBuffer bytes, long offset, int limit) {
        if (bytes.remaining() < HEADER_BYTES || bytes.getInt() != MAGIC || bytes.get() != VERSION) {
            return null;
        }
        long at = bytes.getLong();
        int checksum = bytes.getInt();
        byte[] content = new byte[bytes.remaining()];
        bytes.get(content);
        if (at != offset || checksum != checksum(content)) {
            return null;
        }
        try {
            return ProducerRegistry.of(ByteBuffer.wrap(content), limit);
        } catch (BufferUnderflowException | MalformedBatchException e) {
            return null;
        }
    }

    private static int checksum(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content);
        return (int) crc.getValue();
    }

    private Path file(long offset) {
        return directory.resolve(String.format("%020d%s", offset, SUFFIX));
    }
}
