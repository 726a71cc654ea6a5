package io.fluxmark.log;

import java.nio.file.Path;

/** One file of a partition. Shared by the writer and the readers. */
final class Segment {

    private final long baseOffset;
    private final Path file;
    private final OffsetIndex index = new OffsetIndex();
    private volatile long sealedBytes = -1;

    Segment(Path directory, long baseOffset) {
        this.baseOffset = baseOffset;
        this.file = directory.resolve(RecordLayout.segmentName(baseOffset));
    }

    long baseOffset() {
        return baseOffset;
    }

    Path file() {
        return file;
    }

    String name() {
        return String.valueOf(file.getFileName());
    }

    /** A batch from which on to look for the offset, not far before it. */
    BatchPosition batchBefore(long offset) {
        BatchPosition noted = index.floor(offset);
        return noted == null ? new BatchPosition(baseOffset, 0) : noted;
    }

    OffsetIndex index() {
        return index;
    }

    void seal(long bytes) {
        sealedBytes = bytes;
    }

    /** How far a reader may read: all of a sealed segment, of the last one what the tail says. */
    long readableBytes(Tail tail) {
        long sealed = sealedBytes;
        if (tail.segmentBase() == baseOffset) {
            return tail.position();
        }
        return tail.segmentBase() > baseOffset ? sealed : 0;
    }
}
