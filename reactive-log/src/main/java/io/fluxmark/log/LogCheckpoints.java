package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The two files that spare a log the reading of itself: the bounds of its partitions, which are true at any time, and the marker of
 * a clean shutdown, which is true only until the log is opened again. Not thread-safe.
 */
final class LogCheckpoints {

    static final String BOUNDS = "recovery-points";
    static final String CLEAN = "clean-shutdown";

    private final CheckpointFile boundsFile;
    private final CheckpointFile cleanFile;
    private final Map<PartitionId, PartitionBounds> bounds = new HashMap<>();
    private final Map<PartitionId, CleanEnd> cleanEnds = new HashMap<>();

    private LogCheckpoints(LogStorage storage, Path directory) {
        boundsFile = new CheckpointFile(storage, directory.resolve(BOUNDS), "fluxmark-recovery-points", 2);
        cleanFile = new CheckpointFile(storage, directory.resolve(CLEAN), "fluxmark-clean-shutdown", 3);
    }

    /** Reads both, and takes the marker away before anything can make it untrue. */
    static LogCheckpoints take(LogStorage storage, Path directory) throws IOException {
        LogCheckpoints taken = read(storage, directory);
        if (storage.list(directory).contains(CLEAN)) {
            taken.cleanFile.delete();
        }
        return taken;
    }

    /** Reads both and leaves them where they are. */
    static LogCheckpoints read(LogStorage storage, Path directory) throws IOException {
        LogCheckpoints taken = new LogCheckpoints(storage, directory);
        Map<PartitionId, long[]> found = taken.boundsFile.read();
        if (found != null) {
            found.forEach((id, numbers) -> taken.bounds.put(id, new PartitionBounds(numbers[0], numbers[1])));
        }
        Map<PartitionId, long[]> ends = taken.cleanFile.read();
        if (ends != null) {
            ends.forEach((id, numbers) -> taken.cleanEnds.put(id, new CleanEnd(numbers[0], numbers[1], numbers[2])));
        }
        return taken;
    }

    /** What was known of the partition before it was opened, or null. */
    @Nullable
    PartitionBounds bounds(PartitionId id) {
        return bounds.get(id);
    }

    /** Where the partition ended if it was closed in order, or null. */
    @Nullable
    CleanEnd cleanEnd(PartitionId id) {
        return cleanEnds.get(id);
    }

    /** What was durable once, as far as it is known. */
    static long durableEnd(@Nullable PartitionBounds bounds, @Nullable CleanEnd cleanEnd) {
        return Math.max(bounds == null ? 0 : bounds.recoveryPoint(), cleanEnd == null ? 0 : cleanEnd.endOffset());
    }

    /** Makes the bounds durable, all of them at once, unless they are already. */
    void writeBounds(Map<PartitionId, PartitionBounds> now) throws IOException {
        if (now.equals(bounds)) {
            return;
        }
        Map<PartitionId, long[]> lines = sorted();
        now.forEach((id, it) -> lines.put(id, new long[] {it.startOffset(), it.recoveryPoint()}));
        boundsFile.write(lines);
        bounds.clear();
        bounds.putAll(now);
    }

    /** Marks a clean shutdown: nothing may be written to the log any more. */
    void writeCleanEnds(Map<PartitionId, CleanEnd> ends) throws IOException {
        Map<PartitionId, long[]> lines = sorted();
        ends.forEach((id, end) -> lines.put(id, new long[] {end.endOffset(), end.segmentBase(), end.segmentBytes()}));
        cleanFile.write(lines);
    }

    private static Map<PartitionId, long[]> sorted() {
        return new TreeMap<>((a, b) -> a.topic().equals(b.topic())
                ? Integer.compare(a.partition(), b.partition())
                : a.topic().compareTo(b.topic()));
    }
}
