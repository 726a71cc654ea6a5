package io.fluxmark.log;

/** A record is larger than {@link LogSpec#maxRecordBytes}. Nothing of its request is stored. */
public final class RecordTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RecordTooLargeException(int bytes, int limit, int index) {
        super("record " + index + " of the request has " + bytes + " bytes, more than maxRecordBytes " + limit
                + "; store the payload elsewhere or raise LogSpec.maxRecordBytes");
    }
}
