package io.fluxmark.sinks;

/** What a job is doing in this process. */
public enum JobState {
    /** It has not been subscribed to since the store was opened. */
    NOT_RUN,
    /** It runs. */
    RUNNING,
    /** It was stopped, or drained, and has completed. */
    COMPLETED,
    /** Its subscriber has cancelled it. */
    CANCELLED,
    /** It has failed, and has not been subscribed to since. */
    FAILED
}
