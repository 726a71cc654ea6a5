package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * How far a partition is compacted, as far as the file {@code compaction-point} in its directory says. It may say less than is
 * true, never more: then more is compacted again.
 *
 * @param end below it, no record hides another one, and each tombstone hides nothing any more
 * @param earliestHorizon when the first tombstone below it may be removed, epoch ms, {@link Long#MAX_VALUE} if there is none
 */
record CompactionPoint(long end, long earliestHorizon) {

    static final CompactionPoint NOTHING = new CompactionPoint(0, Long.MAX_VALUE);

    /** What the file says. */
    static CompactionPoint read(LogStorage storage, Path directory, PartitionId id) throws IOException {
        Map<PartitionId, long[]> found = file(storage, directory).read();
        long[] numbers = found == null ? null : found.get(id);
        return numbers == null || numbers[0] < 0 ? NOTHING : new CompactionPoint(numbers[0], numbers[1]);
    }

    /** Replaces the file durably; what it says has to be durable. */
    void write(LogStorage storage, Path directory, PartitionId id) throws IOException {
        file(storage, directory).write(Map.of(id, new long[] {end, earliestHorizon}));
    }

    private static CheckpointFile file(LogStorage storage, Path directory) {
        return new CheckpointFile(storage, directory.resolve("compaction-point"), "fluxmark-compaction-point", 2);
    }
}
