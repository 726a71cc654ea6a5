package io.fluxmark.log;

/**
 * What a compaction did, of the segments it looked at: all but the one being written and those that somebody may still need.
 *
 * @param recordsBefore the records there were
 * @param recordsAfter the records that are left
 * @param bytesBefore the length of the files there were
 * @param bytesAfter the length of the files that take their place
 * @param tombstonesRemoved how many of the removed records were tombstones
 */
public record CompactionResult(
        long recordsBefore, long recordsAfter, long bytesBefore, long bytesAfter, long tombstonesRemoved) {

    static final CompactionResult NOTHING = new CompactionResult(0, 0, 0, 0, 0);

    CompactionResult plus(CompactionResult other) {
        return new CompactionResult(
                recordsBefore + other.recordsBefore,
                recordsAfter + other.recordsAfter,
                bytesBefore + other.bytesBefore,
                bytesAfter + other.bytesAfter,
                tombstonesRemoved + other.tombstonesRemoved);
    }

    /** This and what was done to the outcome of it later. */
    CompactionResult then(CompactionResult later) {
        return new CompactionResult(
                later.recordsBefore + (recordsBefore - recordsAfter),
                later.recordsAfter,
                later.bytesBefore + (bytesBefore - bytesAfter),
                later.bytesAfter,
                tombstonesRemoved + later.tombstonesRemoved);
    }
}
