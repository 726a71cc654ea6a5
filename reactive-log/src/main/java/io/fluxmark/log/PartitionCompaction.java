package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One compaction of one partition, in steps that alternate: {@link #plan} and {@link #install} run on the writer thread, briefly,
 * {@link #work} anywhere else, for as long as it takes to read the new keys and to write one segment. What they share is handed over
 * with the step.
 *
 * <p>In a pass the last offset of each new key is noted, as many keys as memory is allowed for, then all segments are written
 * again, from the first to the last of which keys were noted; if keys were left, another pass follows from there. Segments that have
 * become small are made one by a pass of their own.
 */
final class PartitionCompaction {

    private final PartitionLog partition;
    private final Compaction settings;
    private final LogSpec spec;
    private final BooleanSupplier stopped;
    private final List<Segment> segments = new ArrayList<>();
    private CompactionPoint known = CompactionPoint.NOTHING;
    private long cleanFrom;
    private long earliestHorizon;

    private @Nullable KeyOffsets latest;
    private long passEnd;
    private long now;
    private int next;
    private boolean done;
    private CompactionResult result = CompactionResult.NOTHING;
    private CompactionResult passResult = CompactionResult.NOTHING;

    /**
     * @param stopped whether the log is being closed
     */
    PartitionCompaction(PartitionLog partition, Compaction settings, LogSpec spec, BooleanSupplier stopped) {
        this.partition = partition;
        this.settings = settings;
        this.spec = spec;
        this.stopped = stopped;
    }

    /**
     * Decides what is to be compacted.
     *
     * @param floor nothing at or above it
     * @param onlyIfDue whether a part that is too small is left for later, as the settings say; otherwise the segment being
     *     written is sealed and compacted too
     * @return whether there is anything to do
     */
    boolean plan(long floor, boolean onlyIfDue) throws IOException {
        now = spec.clock().now(TimeUnit.MILLISECONDS);
        if (!partition.isSound()) {
            throw new IOException(partition.view().name() + " is not compacted before it is repaired");
        }
        List<Segment> all = partition.view().segments().all();
        if (!onlyIfDue && !all.isEmpty() && all.get(all.size() - 1).baseOffset() < partition.writtenEnd()) {
            partition.roll();
            all = partition.view().segments().all();
        }
        choose(all, floor);
        if (segments.isEmpty()) {
            return false;
        }
        known = CompactionPoint.read(spec.storage(), directory(), partition.id());
        cleanFrom = Math.min(known.end(), endOffset());
        boolean expired = now >= known.earliestHorizon() && known.end() <= endOffset();
        if (onlyIfDue && !expired && !isDirtyEnough()) {
            return false;
        }
        // Sequences are known from records, which are about to go.
        partition.keepProducersFrom(endOffset());
        return true;
    }

    /** Writes the next segment again, answers null at the end of a pass. Blocks. */
    @Nullable
    CleanedSegments work() throws IOException {
        try {
            return cleanNext();
        } catch (IOException e) {
            if (partition.view().segments().all().containsAll(segments)) {
                throw e;
            }
            // Retention has deleted what was being read.
            done = true;
            return null;
        }
    }

    private @Nullable CleanedSegments cleanNext() throws IOException {
        KeyOffsets offsets = latest;
        if (offsets == null) {
            offsets = beginPass();
        }
        if (next == segments.size() || segments.get(next).baseOffset() >= Math.max(passEnd, 1)) {
            return null;
        }
        long horizon = now + settings.deleteHorizon().toMillis();
        BatchCleaner batches = new BatchCleaner(offsets, passEnd, now, horizon);
        SegmentCleaner cleaner =
                new SegmentCleaner(spec.storage(), partition.view().name(), segments.get(next), batches, stopped);
        boolean finished = false;
        try (cleaner) {
            int to = next;
            do {
                cleaner.add(segments.get(to));
                to++;
            } while (to < segments.size() && cleaner.hasRoomFor(segments.get(to), spec.segmentBytes()));
            CleanedSegments cleaned = cleaner.finish();
            finished = true;
            return cleaned;
        } finally {
            if (!finished) {
                cleaner.discard();
            }
        }
    }

    /**
     * Puts what was written in the place of what it was made of, unless somebody needs that now or retention has deleted it.
     *
     * @param cleaned null at the end of a pass
     */
    void install(@Nullable CleanedSegments cleaned, long floor) throws IOException {
        if (cleaned == null) {
            endPass();
            return;
        }
        earliestHorizon = Math.min(earliestHorizon, cleaned.earliestHorizon());
        int count = cleaned.segments().size();
        if (cleaned.same()) {
            spec.storage().delete(cleaned.temporary());
            passResult = passResult.plus(cleaned.nothing());
            next++;
            return;
        }
        Segment segment = cleaned.endOffset() > floor
                ? null
                : SegmentSwap.install(spec.storage(), partition.view().segments(), cleaned);
        if (segment == null) {
            spec.storage().delete(cleaned.temporary());
            result = result.then(passResult);
            done = true;
            return;
        }
        passResult = passResult.plus(cleaned.result());
        segments.subList(next, next + count).clear();
        segments.add(next, segment);
        next++;
    }

    /** Whether it is over. */
    boolean isDone() {
        return done;
    }

    CompactionResult result() {
        return result;
    }

    private KeyOffsets beginPass() throws IOException {
        KeyReader reader = new KeyReader(spec, partition.view().name(), stopped);
        KeyOffsets offsets = reader.read(segments, cleanFrom);
        latest = offsets;
        passEnd = reader.end();
        next = 0;
        earliestHorizon = Long.MAX_VALUE;
        passResult = CompactionResult.NOTHING;
        return offsets;
    }

    private void endPass() throws IOException {
        result = result.then(passResult);
        if (done) {
            return;
        }
        cleanFrom = passEnd;
        latest = null;
        done = passEnd == endOffset() && !hasMoreToMerge();
        // Of what somebody came to need again it stays known that it is compacted.
        if (done && passEnd >= known.end()) {
            new CompactionPoint(passEnd, earliestHorizon).write(spec.storage(), directory(), partition.id());
        }
    }

    /** The sealed segments from the first one on that nobody needs and that are old enough. */
    private void choose(List<Segment> all, long floor) throws IOException {
        SegmentSearch search = new SegmentSearch(spec.storage());
        long lag = settings.minLag().toMillis();
        for (int i = 0; i < all.size() - 1; i++) {
            Segment segment = all.get(i);
            boolean young = lag > 0 && search.newestTime(segment, all.get(i + 1), now) > now - lag;
            if (segment.endOffset() > floor || young) {
                return;
            }
            segments.add(segment);
        }
    }

    private boolean isDirtyEnough() {
        long dirty = 0;
        long bytes = 0;
        for (Segment segment : segments) {
            bytes += segment.sealedBytes();
            dirty += segment.endOffset() > cleanFrom ? segment.sealedBytes() : 0;
        }
        return dirty > 0 && dirty * 100 >= bytes * settings.dirtyPercent();
    }

    /** Whether two segments have become small enough to be one; then another pass over what is left makes them one. */
    private boolean hasMoreToMerge() {
        for (int i = 1; i < segments.size(); i++) {
            if (SegmentCleaner.fits(
                    segments.get(i - 1).baseOffset(),
                    segments.get(i - 1).sealedBytes(),
                    segments.get(i),
                    spec.segmentBytes())) {
                return true;
            }
        }
        return false;
    }

    private long endOffset() {
        return segments.get(segments.size() - 1).endOffset();
    }

    private Path directory() {
        return partition.directory();
    }
}
