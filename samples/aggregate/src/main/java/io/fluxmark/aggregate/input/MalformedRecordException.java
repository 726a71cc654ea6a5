package io.fluxmark.aggregate.input;

/** A record that can't be used; the reader may be asked for the next one. */
public final class MalformedRecordException extends Exception {

    private static final long serialVersionUID = 1L;

    private final long line;
    private final String reason;

    /** Without a stack trace, since a bad file has many. */
    public MalformedRecordException(long line, String reason) {
        super(reason, null, false, false);
        this.line = line;
        this.reason = reason;
    }

    /** What is wrong with it. */
    public String reason() {
        return reason;
    }

    /** The line on which the record begins, counted from 1. */
    public long line() {
        return line;
    }
}
