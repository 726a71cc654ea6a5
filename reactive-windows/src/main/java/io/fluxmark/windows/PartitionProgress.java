package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * How far one partition has come in event time, as an {@link Explanation} tells it.
 *
 * @param partition its number
 * @param standing what it is to the others
 * @param holds whether the watermark can't rise before this partition's does
 * @param newest the largest timestamp of its events, epoch ms; {@link Long#MIN_VALUE} when it has had none
 * @param watermark its own watermark, epoch ms; {@link Watermark#NONE} without one
 * @param lastCame when its last event came, by the lane's clock, epoch ms; when the stream began, where none has come since
 * @param unread how many records of it have not been read, or -1 where its source can't tell
 * @param delay how far its watermark stays behind, where that is found from its events; else null
 */
public record PartitionProgress(
        int partition,
        Standing standing,
        boolean holds,
        long newest,
        long watermark,
        long lastCame,
        long unread,
        @Nullable DelayChoice delay) {

    /** Without a delay of its own choice. */
    public PartitionProgress(
            int partition, Standing standing, boolean holds, long newest, long watermark, long lastCame, long unread) {
        this(partition, standing, holds, newest, watermark, lastCame, unread, null);
    }

    /** What a partition is to the watermark of all. */
    public enum Standing {
        /** It is waited for. */
        ACTIVE,
        /** It has been silent for too long, and is not waited for until its next event (S27). */
        IDLE,
        /** It has ended. */
        FINISHED
    }

    /** Whether it has had an event, ever: also one before a restart. */
    public boolean hasHadEvents() {
        return newest != Long.MIN_VALUE;
    }
}
