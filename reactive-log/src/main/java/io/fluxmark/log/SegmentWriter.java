package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Appends to the last segment of a partition. Confined to the writer thread. */
final class SegmentWriter implements Closeable {

    private final LogStorage storage;
    private final Segment segment;
    private LogStorage.@Nullable LogFile file;
    private long position;
    private long forcedPosition;

    /**
     * @param position the bytes that are good and forced
     */
    SegmentWriter(LogStorage storage, Segment segment, long position) {
        this.storage = storage;
        this.segment = segment;
        this.position = position;
        this.forcedPosition = position;
    }

    Segment segment() {
        return segment;
    }

    /** The bytes up to the last good batch. */
    long position() {
        return position;
    }

    long forcedPosition() {
        return forcedPosition;
    }

    /** Whether the first batch was appended so long ago; never, if the clock has been set back since. */
    boolean isOlderThan(Duration age, long now) {
        SegmentIndex index = segment.index();
        long oldest = index == null ? SegmentIndex.NO_TIME : index.oldestTime();
        return oldest != SegmentIndex.NO_TIME && oldest <= now && now - oldest >= age.toMillis();
    }

    /** Notes in the index a batch that is to be written at a position. */
    void note(long firstOffset, long lastOffset, long at, long timestamp) {
        SegmentIndex index = segment.index();
        if (index != null) {
            index.add(firstOffset, lastOffset, at, timestamp);
        }
    }

    /** Writes all or fails; after a failure {@link #repair} must succeed before the next write. */
    void append(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        open().write(bytes, position);
        position += length;
    }

    void force() throws IOException {
        open().force();
        forcedPosition = position;
    }

    /**
     * Takes back a failed write: whatever it left behind the last good batch is cut off. The file is opened anew, since the failure
     * may have been of the channel.
     */
    void repair() throws IOException {
        cut(position);
    }

    /** Takes back what was written since the last force. */
    void cutToForced() throws IOException {
        cut(forcedPosition);
        position = forcedPosition;
    }

    private void cut(long size) throws IOException {
        SegmentIndex index = segment.index();
        if (index != null) {
            index.cutTo(size);
        }
        close();
        open().truncate(size);
    }

    private LogStorage.LogFile open() throws IOException {
        LogStorage.LogFile open = file;
        if (open == null) {
            open = storage.openForWrite(segment.file());
            file = open;
        }
        return open;
    }

    @Override
    public void close() throws IOException {
        LogStorage.LogFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }
}
