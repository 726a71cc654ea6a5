package io.fluxmark.quickstart.plain;

/** What becomes of one flight in one kind of window. */
public enum Verdict {
    /** In its window before that fired. */
    ON_TIME,
    /** After its window fired, within the allowed lateness: the result is corrected. */
    REFIRED,
    /** After the allowed lateness: not in the result. */
    DROPPED
}
