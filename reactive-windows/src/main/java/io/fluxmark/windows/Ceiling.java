package io.fluxmark.windows;

/**
 * A bound on the entries, one for each key of each open window or session, that one operator of one lane holds. The first
 * time it is met is logged as a warning; then, each time, the policy decides. Immutable.
 *
 * @param entries at least 1
 * @param policy what happens to the event that would need one entry more
 */
public record Ceiling(long entries, Policy policy) {

    /** Checks the bound. */
    public Ceiling {
        if (entries < 1) {
            throw new IllegalArgumentException("a ceiling is at least 1 entry but was " + entries);
        }
    }

    /** What happens at the ceiling. */
    public enum Policy {
        /** The stream ends with an {@link IllegalStateException} that names the operator and the bound. */
        FAIL,
        /** The event goes the way of late ones: to the late output, or dropped; counted as {@link Counter#REFUSED} too. */
        REFUSE,
        /**
         * The entry that would close, or be forgotten, first goes now: it emits its result, on time, unless it has, and is
         * forgotten; counted as {@link Counter#EXPIRED}. Of count and global windows it is the one whose newest event is
         * the oldest. Only for sessions, count and global windows.
         */
        CLOSE_EARLIEST
    }
}
