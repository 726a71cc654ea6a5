package io.fluxmark.sinks;

import java.time.Duration;

/**
 * What the checkpoints of a job have cost since the store was opened: transactions of lanes, each of which is a checkpoint of its
 * lane. Those of several lanes may share a commit of the store.
 *
 * @param completed how many are durable
 * @param failed how many ended with an error
 * @param rows results handed to the sink in those that are durable
 * @param bytes what those hold, about
 * @param lastAt when one was durable last, by the job's clock, epoch ms; {@link #NEVER} before the first
 * @param lastDuration how long that took, from when its barrier had come to the end of its lane
 * @param longest the same of the slowest
 * @param lastBytes what the last one held, about
 */
public record CheckpointFigures(
        long completed,
        long failed,
        long rows,
        long bytes,
        long lastAt,
        Duration lastDuration,
        Duration longest,
        long lastBytes) {

    /** The time of what has not been. */
    public static final long NEVER = Long.MIN_VALUE;

    static final CheckpointFigures NONE = new CheckpointFigures(0, 0, 0, 0, NEVER, Duration.ZERO, Duration.ZERO, 0);

    CheckpointFigures withCompleted(long now, Duration duration, long size, long rowsOfIt) {
        return new CheckpointFigures(
                completed + 1,
                failed,
                rows + rowsOfIt,
                bytes + size,
                now,
                duration,
                duration.compareTo(longest) > 0 ? duration : longest,
                size);
    }

    CheckpointFigures withFailed() {
        return new CheckpointFigures(completed, failed + 1, rows, bytes, lastAt, lastDuration, longest, lastBytes);
    }
}
