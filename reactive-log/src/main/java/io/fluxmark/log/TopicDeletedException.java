package io.fluxmark.log;

/** The topic has been deleted, with all its records: what it held cannot be read any more. */
public final class TopicDeletedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TopicDeletedException(String topic) {
        // One instance may be given to many requests: nothing may be added to it.
        super("topic '" + topic + "' has been deleted; stop reading it, or create it anew", null, false, true);
    }
}
