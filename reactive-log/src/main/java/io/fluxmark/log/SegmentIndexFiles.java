package io.fluxmark.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The index files of segments that do not grow. They are a hint: what they say is held against the segment, and whatever does not
 * agree with it is made again from the segment. Thread-safe.
 */
final class SegmentIndexFiles {

    static final String OFFSETS = ".index";
    static final String TIMES = ".timeindex";

    private static final Logger LOG = Loggers.getLogger(SegmentIndexFiles.class);

    /** An entry for each 4 KiB of a segment that may have 1 GiB and one batch more. */
    private static final long MAX_BYTES = 8L << 20;

    private static final int BUFFER_BYTES = 64 << 10;

    private final LogStorage storage;

    SegmentIndexFiles(LogStorage storage) {
        this.storage = storage;
    }

    /** The index of a segment of that extent, from its files if they agree with it, otherwise from the segment, with new files. */
    SegmentIndex load(Segment segment, long bytes, long endOffset) throws IOException {
        try (BatchInput input = new BatchInput(storage, BUFFER_BYTES)) {
            input.select(segment);
            SegmentIndex stored = read(segment, bytes, endOffset);
            return stored != null && reachesTheEnd(stored, input, bytes, endOffset)
                    ? stored
                    : rebuild(segment, input, bytes, endOffset);
        }
    }

    /** Makes index and files again from the segment. */
    SegmentIndex rebuild(Segment segment, long bytes, long endOffset) throws IOException {
        try (BatchInput input = new BatchInput(storage, BUFFER_BYTES)) {
            return rebuild(segment, input, bytes, endOffset);
        }
    }

    /** Writes the files. A failure is logged: they can be made again. */
    void write(Segment segment, SegmentIndex index) {
        if (storage instanceof ReadOnlyStorage) {
            // They are for whoever owns the log to make.
            return;
        }
        try {
            SmallFile.replaceUnforced(storage, segment.sibling(OFFSETS), index.offsetBytes());
            SmallFile.replaceUnforced(storage, segment.sibling(TIMES), index.timeBytes());
        } catch (IOException e) {
            LOG.warn("cannot write the index files of " + segment.file() + "; it is searched without them", e);
        }
    }

    private SegmentIndex rebuild(Segment segment, BatchInput input, long bytes, long endOffset) throws IOException {
        LOG.info("making the index files of {} again", segment.file());
        SegmentIndex index = new SegmentIndex(segment.baseOffset());
        new SegmentScan(input, segment, bytes, new SegmentScan.Visitor() {
                    @Override
                    public void batch(BatchView batch, long position) {
                        index.add(batch.baseOffset(), batch.lastOffset(), position, batch.maxTimestamp());
                    }

                    @Override
                    public void lost(long position, long from, long until) {
                        // Whoever reads there meets it.
                    }
                })
                .scanSealed(endOffset);
        index.finish(endOffset - 1);
        if (!segment.isReplaced()) {
            write(segment, index);
        }
        return index;
    }

    private @Nullable SegmentIndex read(Segment segment, long bytes, long endOffset) {
        try {
            ByteBuffer offsets = SmallFile.read(storage, segment.sibling(OFFSETS), MAX_BYTES);
            ByteBuffer times = SmallFile.read(storage, segment.sibling(TIMES), MAX_BYTES);
            return offsets == null || times == null
                    ? null
                    : SegmentIndex.of(segment.baseOffset(), offsets, times, bytes, endOffset);
        } catch (IOException e) {
            LOG.warn("cannot read the index files of " + segment.file(), e);
            return null;
        }
    }

    /** Whether no entry is missing at the end, where a lost one would hide records from a search by time. */
    private static boolean reachesTheEnd(SegmentIndex index, BatchInput input, long bytes, long endOffset)
            throws IOException {
        BatchPosition last = index.last();
        if (last == null) {
            return bytes == 0;
        }
        long at = last.position();
        long expected = last.offset();
        while (at < bytes && at - last.position() < SegmentIndex.SPACING_BYTES) {
            BatchView batch = input.batch(at, bytes, expected, expected);
            if (batch == null || batch.maxTimestamp() > index.newestTime()) {
                return false;
            }
            at += batch.length();
            expected = batch.lastOffset() + 1;
        }
        return at == bytes && expected == endOffset;
    }
}
