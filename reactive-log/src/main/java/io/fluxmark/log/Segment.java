package io.fluxmark.log;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One file of a partition. Shared by the writer and the readers. */
final class Segment {

    private final long baseOffset;
    private final Path file;
    /** In memory while the segment may grow, in files afterwards. */
    private volatile @Nullable SegmentIndex index;

    private volatile long sealedBytes = -1;
    private volatile long endOffset = -1;
    private volatile long newestTime = SegmentIndex.NO_TIME;

    Segment(Path directory, long baseOffset) {
        this.baseOffset = baseOffset;
        this.file = directory.resolve(RecordLayout.segmentName(baseOffset));
        this.index = new SegmentIndex(baseOffset);
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

    /** A file beside it: the same name with another suffix. */
    Path sibling(String suffix) {
        String stem = name().substring(0, name().length() - RecordLayout.SEGMENT_SUFFIX.length());
        return file.resolveSibling(stem + suffix);
    }

    /** The index of a segment that may grow, null once it is sealed. */
    @Nullable
    SegmentIndex index() {
        return index;
    }

    /** Replaces the index of a segment that may grow; before readers know the segment. */
    void index(SegmentIndex found) {
        index = found;
    }

    /** The length of a sealed segment. */
    long sealedBytes() {
        return sealedBytes;
    }

    /** The offset after the last record of a sealed segment. */
    long endOffset() {
        return endOffset;
    }

    /** It does not grow any more; its index is in files from now on. */
    void seal(long bytes, long newEndOffset) {
        endOffset = newEndOffset;
        sealedBytes = bytes;
        index = null;
    }

    /** The greatest append time of a sealed segment if it has been looked up already, otherwise {@link SegmentIndex#NO_TIME}. */
    long knownNewestTime() {
        return newestTime;
    }

    void noteNewestTime(long time) {
        newestTime = time;
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
