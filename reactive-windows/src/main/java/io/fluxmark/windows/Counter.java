package io.fluxmark.windows;

import java.util.Arrays;

/** What a windowed operator counts. Every event it is given ends in exactly one of the outcomes (S12). */
public enum Counter {
    /** Events that reached the operator, with those that event time had to reject before it. */
    INGESTED(0),
    /** Outcome: added while the window was open. */
    ON_TIME(1),
    /** Outcome: added after the window had fired, within the allowed lateness; the window fires again. */
    REFIRED(2),
    /** Outcome: past the allowed lateness, or too late to be told from a duplicate, without a late output: the event is lost, and this is its trace. */
    DROPPED(3),
    /** Outcome: the same, handed to the late output. */
    SIDE(4),
    /** Outcome: no usable timestamp or value; handed to the invalid output where there is one. */
    REJECTED(5),
    /** Outcome: the event belongs to no window. */
    UNASSIGNED(6),
    /** Outcome: an event with the same id has been there before (S39). */
    DUPLICATES(7),
    /** Pairs of an event and a window of it that were added. */
    ACCEPTED_ASSIGNMENTS(8),
    /** Pairs of an event and a window of it that were late. */
    LATE_ASSIGNMENTS(9),
    /** Windows that fired on time, per key. */
    FIRES_ON_TIME(10),
    /** Windows that fired again, per key. */
    FIRES_LATE(11),
    /** Results taken back. */
    RETRACTIONS(12),
    /** Late events that left the result as it was: nothing was emitted. */
    UNCHANGED(13),
    /** Events that were late for some of their windows and added to others. */
    PARTIAL(14),
    /** Sessions that an event has joined with another one. */
    MERGES(15),
    /** Results of windows that were still open, per key. */
    FIRES_EARLY(16),
    /** Windows that a time-to-live or a ceiling has closed before their time; entries of a state, and ids, whose time-to-live is over. */
    EXPIRED(17),
    /** Events that a ceiling has refused; dropped or side is their outcome. */
    REFUSED(18),
    /** Watermarks that would have stepped back, from a generator or from upstream: they were ignored (S24). */
    WATERMARK_REGRESSIONS(20),
    /** Outcome: behind the watermark, and handed to the user's function, or past the dedupe, all the same. */
    LATE(21),
    /** Timers that were due and called. */
    TIMERS(22),
    /**
     * Outcome: a function before the window, or its key, or a function over keyed events itself, has failed on the event, and {@link
     * FailurePolicy} leaves it out.
     */
    FAILED(25),
    /** Results of a window that a function behind it has failed on and {@link FailurePolicy} leaves out; no outcome of an event. */
    FAILED_RESULTS(26),
    /**
     * Timers that a function has failed on and {@link FailurePolicy} leaves out, also what a join would have emitted without a
     * partner; no outcome of an event.
     */
    FAILED_TIMERS(27),
    /** Pairs that a join has made. */
    JOINED(30),
    /** Events that a join has emitted without a partner. */
    UNMATCHED(31);

    /** One more than the highest cell; there are cells that nothing is counted in. */
    static final int COUNT =
            Arrays.stream(values()).mapToInt(counter -> counter.cell).max().orElseThrow() + 1;

    /** The place among the committed cells: never changed, never reused. */
    final int cell;

    Counter(int cell) {
        this.cell = cell;
    }
}
