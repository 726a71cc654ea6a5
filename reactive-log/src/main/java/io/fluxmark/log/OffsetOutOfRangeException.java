package io.fluxmark.log;

/** An offset that the partition does not have: already deleted, or not yet written. */
public final class OffsetOutOfRangeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long requested;
    private final long begin;
    private final long end;

    OffsetOutOfRangeException(String partition, long requested, long begin, long end) {
        super("offset " + requested + " is not in " + partition + ", which holds [" + begin + ", " + end + "): "
                + (requested < begin
                        ? (begin - requested) + " records before " + begin + " are gone; read from " + begin
                                + " to accept that"
                        : "it is ahead of the end by " + (requested - end)
                                + "; the log lost its tail or the offset belongs to another log"));
        this.requested = requested;
        this.begin = begin;
        this.end = end;
    }

    /** The offset asked for. */
    public long requested() {
        return requested;
    }

    /** How many offsets from the requested one on are gone; 0 if it is ahead of the end. */
    public long lost() {
        return Math.max(0, begin - requested);
    }

    /** The first offset there is. */
    public long begin() {
        return begin;
    }

    /** The offset after the last one there is. */
    public long end() {
        return end;
    }
}
