package io.fluxmark.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Replaces a damaged segment by one that holds its intact batches, and in place of what is lost batches without records, as
 * compaction leaves them in Apache Kafka's format: readers pass over them. The damaged file is kept. Runs on a writer thread.
 */
final class SegmentRepair {

    static final String COPY_SUFFIX = ".corrupt";

    private static final int BUFFER_BYTES = 1 << 20;
    private static final long NO_TIMESTAMP = -1;

    /** Offsets {@code [from, until)}. */
    record Range(long from, long until) {}

    private final LogStorage storage;
    private final Segment segment;
    private final long bytes;
    private final long endOffset;

    /**
     * @param bytes the length of the segment
     * @param endOffset the offset after its last record
     */
    SegmentRepair(LogStorage storage, Segment segment, long bytes, long endOffset) {
        this.storage = storage;
        this.segment = segment;
        this.bytes = bytes;
        this.endOffset = endOffset;
    }

    /** Answers what was lost; the file is replaced, at once and durably, only if something was. */
    List<Range> repair() throws IOException {
        List<Range> lost = new ArrayList<>();
        scan(new SegmentScan.Visitor() {
            @Override
            public void batch(BatchView batch, long position) {
                // A batch stays only if its records can be read too.
                batch.checkRecords();
            }

            @Override
            public void lost(long position, long from, long until) {
                lost.add(new Range(from, until));
            }
        });
        if (!lost.isEmpty()) {
            keepCopy();
            replace();
        }
        return lost;
    }

    private void scan(SegmentScan.Visitor visitor) throws IOException {
        try (BatchInput input = new BatchInput(storage, BUFFER_BYTES)) {
            new SegmentScan(input, segment, bytes, visitor).scanSealed(endOffset);
        }
    }

    /** An earlier copy is not replaced: it may be all that is left of something. */
    private void keepCopy() throws IOException {
        Path directory = directory();
        List<String> names = storage.list(directory);
        String name = segment.name() + COPY_SUFFIX;
        for (int i = 2; names.contains(name); i++) {
            name = segment.name() + COPY_SUFFIX + i;
        }
        Path temporary = directory.resolve(name + SmallFile.TEMPORARY_SUFFIX);
        try (LogStorage.LogFile from = storage.openForRead(segment.file());
                LogStorage.LogFile to = storage.openForWrite(temporary)) {
            to.truncate(0);
            copy(from, 0, from.size(), to, 0);
            to.force();
        }
        storage.rename(temporary, directory.resolve(name));
        storage.forceDirectory(directory);
    }

    private void replace() throws IOException {
        Path temporary = directory().resolve(segment.name() + SmallFile.TEMPORARY_SUFFIX);
        try (LogStorage.LogFile from = storage.openForRead(segment.file());
                LogStorage.LogFile to = storage.openForWrite(temporary)) {
            to.truncate(0);
            scan(new Copying(from, to));
            to.force();
        }
        storage.rename(temporary, segment.file());
        storage.delete(segment.sibling(SegmentIndexFiles.OFFSETS));
        storage.delete(segment.sibling(SegmentIndexFiles.TIMES));
        storage.forceDirectory(directory());
    }

    private Path directory() {
        return Objects.requireNonNull(segment.file().getParent());
    }

    private static void copy(LogStorage.LogFile from, long start, long length, LogStorage.LogFile to, long at)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(length, BUFFER_BYTES));
        long done = 0;
        while (done < length) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), length - done));
            int read = from.read(buffer, start + done);
            if (read < 0) {
                throw new IOException("a segment became shorter while it was being repaired");
            }
            to.write(buffer.flip(), at + done);
            done += read;
        }
    }

    private static final class Copying implements SegmentScan.Visitor {

        private final LogStorage.LogFile from;
        private final LogStorage.LogFile to;
        private long written;
        private long timestamp = NO_TIMESTAMP;

        Copying(LogStorage.LogFile from, LogStorage.LogFile to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public void batch(BatchView batch, long position) throws IOException {
            batch.checkRecords();
            copy(from, position, batch.length(), to, written);
            written += batch.length();
            timestamp = batch.maxTimestamp();
        }

        @Override
        public void lost(long position, long first, long until) throws IOException {
            for (long at = first; at < until; at += Integer.MAX_VALUE) {
                to.write(BatchEncoder.placeholder(at, Math.min(until, at + Integer.MAX_VALUE), timestamp), written);
                written += RecordLayout.HEADER_BYTES;
            }
        }
    }
}
