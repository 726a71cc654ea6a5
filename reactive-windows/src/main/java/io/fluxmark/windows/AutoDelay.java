package io.fluxmark.windows;

import java.time.Duration;
import java.util.Locale;

/**
 * How far a watermark is to stay behind the largest timestamp, where that is found from the events: as little as lets a wanted
 * share of them come in time. Immutable; each method returns a changed copy. See {@link WatermarkSpec#autoTuned}.
 *
 * <p>An event is in time when it is not behind the watermark before it. Of each event it is observed how far it is behind the
 * largest timestamp before it: the delay that it would have needed. The delay chosen is the one that the wanted share of the
 * most recent events has needed, to within 1 % of its length, rounded up, and at most the longest one. Windows are more complete
 * than that: an event behind the watermark still counts in a window that is open.
 *
 * <p>It begins with the longest delay, and keeps it until event time has gone on for as long as that (a step beyond a tenth of
 * it counts as no more than that) and enough events have been seen: an event that is late by an hour can't be seen before there
 * has been an hour, and whoever has dropped the first ones can't take that back. Whoever declares a long delay therefore
 * waits for long, but only once.
 *
 * <p>Then the delay is looked at at each 256th part of the events that it follows from, but every 16 to 512 events. It grows at once, by which the watermark stands still
 * until the largest timestamp has gone ahead; it shrinks when it is at least 5 % too long. The watermark never moves back. All of
 * this follows from the order of the events of one partition and from nothing else, and what it follows from is in
 * the transaction of each barrier, some 10 kB for a partition: a replay chooses the same delays at the same events.
 */
public final class AutoDelay {

    private static final double LEAST = 0.5;
    private static final double MOST = 0.999_999;

    /** So many events of those that are remembered are expected to need a longer delay. */
    private static final int BEYOND = 50;

    /** So many have to be expected before a delay is chosen. */
    private static final int FIRST_BEYOND = 10;

    /** Counts of twice as many fit into an int. */
    private static final long MOST_EVENTS = 1 << 29;

    private final double completeness;
    private final long longest;
    private final long events;
    private final boolean follows;

    private AutoDelay(double completeness, long longest, long events, boolean follows) {
        this.completeness = completeness;
        this.longest = longest;
        this.events = events;
        this.follows = follows;
    }

    /**
     * The delay with which a share of the events is in time.
     *
     * @param completeness the share, 0.5 to 0.999999, as 0.999
     * @param longest the longest delay there may be, and the first one; at least 1 ms
     */
    public static AutoDelay forCompleteness(double completeness, Duration longest) {
        if (!(completeness >= LEAST && completeness <= MOST)) {
            throw new IllegalArgumentException("a completeness is " + LEAST + " to " + MOST + " but was " + completeness
                    + (completeness > 1 && completeness < 100 ? ": for a percentage divide it by 100" : "")
                    + (completeness == 1 ? ": for all events use boundedOutOfOrderness with the longest delay" : ""));
        }
        long millis = WindowSpec.millis(longest, "longest delay");
        if (millis < 1) {
            throw new IllegalArgumentException("a longest delay is at least 1 ms but was " + longest);
        }
        return new AutoDelay(completeness, millis, expecting(completeness, BEYOND), true);
    }

    /** Of so many events it is expected that {@code beyond} of them are not in time. */
    private static long expecting(double completeness, int beyond) {
        return Math.round(beyond / (1 - completeness));
    }

    /**
     * How many of the most recent events the delay follows from: this many to twice as many. By default those of which 50 are
     * expected not to be in time: for 99.9 %, 50,000. Fewer follow a change faster and scatter more.
     *
     * @param count at least those of which 10 are expected not to be in time, at most 2^29
     */
    public AutoDelay over(long count) {
        long least = expecting(completeness, FIRST_BEYOND);
        if (count < least || count > MOST_EVENTS) {
            throw new IllegalArgumentException("for a completeness of " + completeness + " a delay follows from "
                    + least + " to " + MOST_EVENTS + " events but was to follow from " + count);
        }
        return new AutoDelay(completeness, longest, count, follows);
    }

    /** The watermark keeps the longest delay; what would be chosen can be seen ({@link PartitionProgress#delay}). */
    public AutoDelay onlyProposing() {
        return new AutoDelay(completeness, longest, events, false);
    }

    /** The wanted share of events in time. */
    public double completeness() {
        return completeness;
    }

    /** The longest delay, ms. */
    public long longestMillis() {
        return longest;
    }

    /** From how many of the most recent events a delay follows, at least. */
    public long events() {
        return events;
    }

    /** Whether the watermark follows what is chosen, and does not only show it. */
    public boolean follows() {
        return follows;
    }

    /** The delay is looked at every so many events. */
    long every() {
        return Math.max(16, Math.min(512, events / 256));
    }

    /** How many events have to be seen before a delay is chosen. */
    long firstEvents() {
        return expecting(completeness, FIRST_BEYOND);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s for %s %%, at most %s",
                follows ? "delay" : "proposed delay",
                DelayChoice.percent(completeness),
                Duration.ofMillis(longest));
    }
}
