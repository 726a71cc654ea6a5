package io.fluxmark.log;

import org.jspecify.annotations.Nullable;

/** Records that had been stored cannot be read: a checksum is wrong or bytes are missing. They are never skipped silently. */
public final class CorruptSegmentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String segment;
    private final long position;
    private final long offset;
    private final long lostUntil;

    CorruptSegmentException(String partition, String segment, long position, long offset, long lostUntil) {
        this(partition, segment, position, offset, lostUntil, null);
    }

    /**
     * @param reason what is wrong, where more is known than that no intact batch is there
     */
    CorruptSegmentException(
            String partition, String segment, long position, long offset, long lostUntil, @Nullable String reason) {
        // One instance may be given to many requests: nothing may be added to it.
        super(
                "segment " + segment + " of " + partition + " is damaged at byte " + position
                        + (reason == null ? "" : " (" + reason + ")") + ": offsets [" + offset + ", " + lostUntil
                        + ") are lost; restore the file, read from offset " + lostUntil
                        + " to accept the loss once, or accept it for good with EventLog.repair",
                null,
                false,
                true);
        this.segment = segment;
        this.position = position;
        this.offset = offset;
        this.lostUntil = lostUntil;
    }

    /** The name of the damaged file. */
    public String segment() {
        return segment;
    }

    /** Where in that file the damage begins, in bytes. */
    public long position() {
        return position;
    }

    /** The first offset that cannot be read. */
    public long offset() {
        return offset;
    }

    /** The next offset that can be read. */
    public long lostUntil() {
        return lostUntil;
    }
}
