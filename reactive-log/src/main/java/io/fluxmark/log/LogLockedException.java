package io.fluxmark.log;

/** Another process, or another {@link EventLog} of this one, has the directory open. */
public final class LogLockedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LogLockedException(String lockFile) {
        super("the log is in use: " + lockFile
                + " is locked; close the other EventLog or stop the other process first");
    }
}
