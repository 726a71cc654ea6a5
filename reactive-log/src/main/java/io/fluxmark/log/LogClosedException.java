package io.fluxmark.log;

/** The log has been closed: nothing more is appended to it or read from it. */
public final class LogClosedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LogClosedException(String directory) {
        // One instance may be given to many requests: nothing may be added to it.
        super("the log in " + directory + " is closed; open it again", null, false, true);
    }
}
