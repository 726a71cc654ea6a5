package io.fluxmark.log;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
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
    /** Where a compacted segment lies until it has the name of the one it replaces. */
    private volatile @Nullable Path interim;

    private volatile boolean replaced;

    Segment(Path directory, long baseOffset) {
        this.baseOffset = baseOffset;
        this.file = directory.resolve(RecordLayout.segmentName(baseOffset));
        this.index = new SegmentIndex(baseOffset);
    }

    /**
     * A sealed segment made by compaction.
     *
     * @param interim where it lies until {@link #settle()}
     * @param index answers until {@link #seal} says that it is in files
     */
    Segment(Path directory, long baseOffset, Path interim, SegmentIndex index, long bytes, long endOffset) {
        this(directory, baseOffset);
        this.interim = interim;
        this.index = index;
        this.sealedBytes = bytes;
        this.endOffset = endOffset;
        this.newestTime = index.newestTime();
    }

    long baseOffset() {
        return baseOffset;
    }

    Path file() {
        return file;
    }

    /**
     * Opens the file for reading: always that of this segment, never one that has taken its name.
     *
     * @throws NoSuchFileException also if the segment {@linkplain #isReplaced is replaced}
     */
    LogStorage.LogFile openForRead(LogStorage storage) throws IOException {
        LogStorage.LogFile open = openEither(storage);
        // It was said before the file was: what is open now may be the other one.
        if (replaced) {
            open.close();
            throw new NoSuchFileException(file.toString(), null, "another segment has taken its place");
        }
        return open;
    }

    private LogStorage.LogFile openEither(LogStorage storage) throws IOException {
        Path before = interim;
        if (before != null) {
            try {
                return storage.openForRead(before);
            } catch (NoSuchFileException | FileNotFoundException e) {
                // It has been renamed in the meantime.
            }
        }
        return storage.openForRead(file);
    }

    /** Its file has its name now. */
    void settle() {
        interim = null;
    }

    /** Where its file lies if it does not have its name yet, otherwise null. */
    @Nullable
    Path interim() {
        return interim;
    }

    /** Another segment has taken its place; to be said before its file goes. */
    void replace() {
        replaced = true;
    }

    /** Whether another segment has taken its place: what is open can be read to its end, then the offset is looked up anew. */
    boolean isReplaced() {
        return replaced;
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
