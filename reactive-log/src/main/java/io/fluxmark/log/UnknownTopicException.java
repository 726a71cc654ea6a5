package io.fluxmark.log;

import java.util.List;

/** The log has no topic of that name. */
public final class UnknownTopicException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnknownTopicException(String name, List<String> known) {
        super("unknown topic '" + name + "'; "
                + (known.isEmpty() ? "the log has no topics yet" : "known are " + known)
                + "; create it with createTopic");
    }
}
