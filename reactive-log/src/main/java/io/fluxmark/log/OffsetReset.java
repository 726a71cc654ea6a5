package io.fluxmark.log;

/**
 * A reader went on elsewhere than it was told, since that offset is not there.
 *
 * @param partition the number of the partition
 * @param requested the offset to be read next
 * @param resumed the offset it goes on at
 * @param deleted how many offsets from the requested one on are deleted; 0 if it is ahead of the end
 */
public record OffsetReset(int partition, long requested, long resumed, long deleted) {

    /** How many offsets are passed over, deleted or not; 0 if it went back. */
    public long skipped() {
        return Math.max(0, resumed - requested);
    }
}
