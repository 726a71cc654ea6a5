package io.fluxmark.log;

/** Where a reader goes on if the offset it is to read is not in the log: already deleted, or ahead of the end. */
public enum OffsetPolicy {

    /** Nowhere: it ends with {@link OffsetOutOfRangeException}, which has the count. */
    FAIL,

    /** At the first offset there is. What is ahead of the end was of another log, or of one that lost its tail: all is read. */
    EARLIEST,

    /** At the end, with what is appended next. */
    LATEST
}
