package io.fluxmark.benchmarks.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import reactor.core.scheduler.Scheduler;

/**
 * The least that appending and reading can cost in Java: blocks of values behind one another, each block with its length and a CRC-32C,
 * and nothing else. One thread.
 */
public final class PlainLog {

    private static final int HEAD = 8;

    /** As many values as fit a block of 64 KiB. */
    public static final int USUAL_BLOCK = ((64 << 10) - HEAD) / Payload.BYTES;

    private final Path directory;
    private final int files;
    private final int perBlock;
    private final Scheduler clock;
    private final Disk disk;

    /**
     * In a directory, by a clock.
     *
     * @param files how many there are: blocks go to one after the other
     * @param perBlock values in a block
     */
    public PlainLog(Path directory, int files, int perBlock, Scheduler clock) {
        this(directory, files, perBlock, clock, new Disk(0, clock));
    }

    PlainLog(Path directory, int files, int perBlock, Scheduler clock, Disk disk) {
        this.directory = directory;
        this.files = files;
        this.perBlock = perBlock;
        this.clock = clock;
        this.disk = disk;
    }

    /** Writes values anew and answers how many. */
    public long append(long records, Level level) {
        try {
            List<FileChannel> channels = new ArrayList<>();
            try {
                for (int i = 0; i < files; i++) {
                    channels.add(FileChannel.open(
                            file(i),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE));
                }
                write(channels, records, level);
            } finally {
                for (FileChannel channel : channels) {
                    channel.close();
                }
            }
            return records;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads all and verifies it. */
    Contents read() {
        try {
            Contents all = Contents.NONE;
            for (int i = 0; i < files; i++) {
                try (FileChannel channel = FileChannel.open(file(i), StandardOpenOption.READ)) {
                    all = all.and(read(channel));
                }
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(int number) {
        return directory.resolve("plain-" + number);
    }

    private ByteBuffer newBlock() {
        return ByteBuffer.allocateDirect(HEAD + perBlock * Payload.BYTES);
    }

    private void write(List<FileChannel> channels, long records, Level level) throws IOException {
        ByteBuffer block = newBlock();
        CRC32C crc = new CRC32C();
        long lastForced = clock.now(TimeUnit.NANOSECONDS);
        int file = 0;
        for (long written = 0; written < records; written += perBlock) {
            fill(block, crc, written, (int) Math.min(perBlock, records - written));
            FileChannel channel = channels.get(file);
            while (block.hasRemaining()) {
                channel.write(block);
            }
            if (level == Level.SYNC) {
                disk.force(() -> channel.force(false));
            } else if (level == Level.INTERVAL
                    && clock.now(TimeUnit.NANOSECONDS) - lastForced >= Level.INTERVAL_NANOS) {
                for (FileChannel each : channels) {
                    disk.force(() -> each.force(false));
                }
                lastForced = clock.now(TimeUnit.NANOSECONDS);
            }
            file = (file + 1) % files;
        }
    }

    /** Makes a block to be written as a whole, whatever of it is used: so that all have one size. */
    private static void fill(ByteBuffer block, CRC32C crc, long first, int count) {
        int length = HEAD + count * Payload.BYTES;
        for (int i = 0; i < count; i++) {
            Payload.put(block, HEAD + i * Payload.BYTES, first + i);
        }
        block.clear().position(HEAD).limit(length);
        crc.reset();
        crc.update(block);
        block.putInt(0, length).putInt(4, (int) crc.getValue()).clear();
    }

    private Contents read(FileChannel channel) throws IOException {
        ByteBuffer block = newBlock();
        CRC32C crc = new CRC32C();
        long records = 0;
        long digest = 0;
        while (fillFrom(channel, block)) {
            int length = block.getInt(0);
            crc.reset();
            crc.update(block.position(HEAD).limit(length));
            if ((int) crc.getValue() != block.getInt(4)) {
                throw new IOException("a wrong checksum behind record " + records);
            }
            for (int at = HEAD; at < length; at += Payload.BYTES) {
                digest ^= Payload.digest(block, at);
                records++;
            }
        }
        return new Contents(records, digest);
    }

    private static boolean fillFrom(FileChannel channel, ByteBuffer block) throws IOException {
        block.clear();
        while (block.hasRemaining()) {
            if (channel.read(block) < 0) {
                return false;
            }
        }
        return true;
    }
}
