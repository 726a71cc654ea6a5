package io.fluxmark.windows;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which windows there are, for how long they take corrections, and how they say what they hold. Immutable data without an
 * element type: the same definition runs in a pipeline and in plain batch.
 *
 * <p>A window's result appears once the watermark has passed its end: after the last event of a silent stream nothing fires
 * until another event comes or the stream ends (S30, S33).
 */
public final class WindowSpec {

    /** The largest size, offset and allowed lateness, and the largest distance of a timestamp from the epoch, in ms. */
    public static final long MAX_MILLIS = 1L << 60;

    /** An allowed lateness without end: only where a time-to-live bounds the state instead (S13). */
    public static final Duration FOREVER = Duration.ofMillis(MAX_MILLIS);

    /** The kinds of windows. */
    public enum Kind {
        /** One size, side by side. */
        TUMBLING,
        /** One size, one start every slide. */
        SLIDING,
        /** Days, weeks or months of a time zone (S09). */
        CALENDAR,
        /** As long as events of a key follow each other within a gap (S16). */
        SESSION,
        /** A fixed number of events of a key. */
        COUNT,
        /** One for each key, until the stream ends. */
        GLOBAL
    }

    private final Values values;

    private WindowSpec(Values values) {
        this.values = values;
    }

    /**
     * Windows of one size, side by side, aligned with the epoch.
     *
     * @param size at least 1 ms
     */
    public static WindowSpec tumbling(Duration size) {
        long millis = positive(size, "size");
        return new WindowSpec(new Values(Kind.TUMBLING, millis, millis));
    }

    /**
     * Windows of one size that start every slide, aligned with the epoch. Any ratio will do: an event is in all windows
     * that hold it (S07), in none where the slide is longer than the size and it falls between; it counts as unassigned
     * then (S08).
     *
     * @param size at least 1 ms
     * @param slide at least 1 ms; at most {@value #MAX_WINDOWS_PER_EVENT} windows may hold one event
     */
    public static WindowSpec sliding(Duration size, Duration slide) {
        long sizeMillis = positive(size, "size");
        long slideMillis = positive(slide, "slide");
        if ((sizeMillis - 1) / slideMillis >= MAX_WINDOWS_PER_EVENT) {
            throw new IllegalArgumentException("a window of " + size + " every " + slide + " puts each event into "
                    + ((sizeMillis - 1) / slideMillis + 1) + " windows, more than " + MAX_WINDOWS_PER_EVENT
                    + ": use a longer slide");
        }
        return new WindowSpec(new Values(Kind.SLIDING, sizeMillis, slideMillis));
    }

    /** The most sliding windows that may hold one event: a day every second, and some. */
    public static final int MAX_WINDOWS_PER_EVENT = 100_000;

    /**
     * Sessions: events of a key less than {@code gap} apart belong together; at exactly the gap a new session begins
     * (S17). A session ends a gap after its last event.
     *
     * @param gap at least 1 ms; with gaps of the events' own, see {@link KeyedFlux#window(WindowSpec,
     *     java.util.function.ToLongFunction)}, the longest
     */
    public static WindowSpec session(Duration gap) {
        long millis = positive(gap, "gap");
        return new WindowSpec(new Values(Kind.SESSION, millis, millis));
    }

    /** Calendar days of a time zone: 23, 24 or 25 hours long where clocks change (S09). */
    public static WindowSpec days(ZoneId zone) {
        return calendar(CalendarWindows.days(zone));
    }

    /** Calendar weeks of a time zone. */
    public static WindowSpec weeks(ZoneId zone, DayOfWeek firstDay) {
        return calendar(CalendarWindows.weeks(zone, firstDay));
    }

    /** Calendar months of a time zone. */
    public static WindowSpec months(ZoneId zone) {
        return calendar(CalendarWindows.months(zone));
    }

    private static WindowSpec calendar(CalendarWindows calendar) {
        Values values = new Values(Kind.CALENDAR, 0, 0);
        values.calendar = calendar;
        return new WindowSpec(values);
    }

    /**
     * Every {@code events} events of a key, in the order in which they come, whatever their time: none is late. What is
     * incomplete fires at the end of the stream, which takes memory for the bounds of all that is. A window spans its
     * events' times; two windows of a key may span the same.
     *
     * @param events at least 1
     */
    public static WindowSpec count(long events) {
        if (events < 1) {
            throw new IllegalArgumentException("a count window holds at least 1 event but it was " + events);
        }
        return new WindowSpec(new Values(Kind.COUNT, events, events));
    }

    /** One window for each key, which fires at the end of the stream; of use with {@link #early}. None is late. */
    public static WindowSpec global() {
        return new WindowSpec(new Values(Kind.GLOBAL, 0, 0));
    }

    /**
     * Where windows start: at multiples of the size, or slide, plus {@code offset}; more than minus that and less than
     * that (S05). For calendar windows the local time of day at which a day starts, at least 0 and less than 24 h.
     */
    public WindowSpec offset(Duration offset) {
        long millis = millis(offset, "offset");
        Values changed = new Values(values);
        switch (kind()) {
            case TUMBLING, SLIDING -> {
                if (millis <= -values.slide || millis >= values.slide) {
                    throw new IllegalArgumentException("an offset lies between -"
                            + (kind() == Kind.TUMBLING ? "size and size" : "slide and slide") + ", exclusive, but was "
                            + offset + " at " + values.slide + " ms");
                }
                changed.offset = millis;
            }
            case CALENDAR -> changed.calendar = calendar().startingAt(offset);
            default ->
                throw new IllegalArgumentException(this + " windows have no offset, but " + offset + " was given");
        }
        return new WindowSpec(changed);
    }

    /**
     * For how long after a window is complete late events still correct its result (S13); 0, the default, means that
     * every event behind a fired window is late for good. For a session it is the event that is judged: late when its
     * timestamp is at or before the watermark less this (S20).
     */
    public WindowSpec allowedLateness(Duration lateness) {
        long millis = millis(lateness, "allowed lateness");
        if (millis < 0) {
            throw new IllegalArgumentException("an allowed lateness is at least 0 but was " + lateness);
        }
        Values changed = new Values(values);
        changed.allowedLateness = millis;
        return new WindowSpec(changed);
    }

    /** What a window says when it emits more than once; {@link Accumulation#RETRACT} by default. */
    public WindowSpec accumulation(Accumulation mode) {
        Values changed = new Values(values);
        changed.accumulation = Objects.requireNonNull(mode, "mode");
        return new WindowSpec(changed);
    }

    /** When open windows show what is in them; never, by default. */
    public WindowSpec early(Early when) {
        Values changed = new Values(values);
        changed.early = Objects.requireNonNull(when, "when");
        return new WindowSpec(changed);
    }

    /**
     * A window emits exactly one on-time result, even where its value is that of the last early one (S42). Without it
     * nothing is emitted then, when retracting.
     */
    public WindowSpec emitFinalMarker() {
        Values changed = new Values(values);
        changed.finalMarker = true;
        return new WindowSpec(changed);
    }

    /**
     * How long an entry lives, in event time, without an event: it is closed when the watermark has come to its largest
     * timestamp plus {@code ttl} (S43). An open session, count or global window emits its result then, and its next event
     * starts anew; counted as {@link Counter#EXPIRED}. A key's next global window has the same bounds, and its result
     * replaces the one before. Windows with an end of their own live that much longer than their end at most, whatever the
     * allowed lateness; for a session, an event further behind the watermark than this is late.
     *
     * @param ttl at least 1 ms
     */
    public WindowSpec timeToLive(Duration ttl) {
        Values changed = new Values(values);
        changed.timeToLive = positive(ttl, "time-to-live");
        return new WindowSpec(changed);
    }

    /** A bound on the entries that an operator holds; none by default. */
    public WindowSpec ceiling(Ceiling bound) {
        Values changed = new Values(values);
        changed.ceiling = Objects.requireNonNull(bound, "bound");
        return new WindowSpec(changed);
    }

    static long millis(Duration duration, String what) {
        long millis;
        try {
            millis = duration.toMillis();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the " + what + " " + duration + " does not fit into milliseconds", e);
        }
        if (Math.abs(millis) > MAX_MILLIS) {
            throw new IllegalArgumentException("the " + what + " " + duration + " is beyond " + MAX_MILLIS + " ms");
        }
        return millis;
    }

    private static long positive(Duration duration, String what) {
        long millis = millis(duration, what);
        if (millis < 1) {
            throw new IllegalArgumentException("a " + what + " is at least 1 ms but was " + duration);
        }
        return millis;
    }

    /** The kind. */
    public Kind kind() {
        return values.kind;
    }

    /** The size of a tumbling or sliding window, or the gap of a session, ms; the number of events of a count window. */
    public long sizeMillis() {
        return values.size;
    }

    /** How far apart windows start, ms; the size, for tumbling ones. */
    public long slideMillis() {
        return values.slide;
    }

    /** The offset of tumbling and sliding windows, ms. */
    public long offsetMillis() {
        return values.offset;
    }

    /** The allowed lateness, ms; no longer than the time-to-live, and 0 for windows for which nothing is late. */
    public long allowedLatenessMillis() {
        if (!closesByWatermark()) {
            return 0;
        }
        return values.timeToLive > 0 ? Math.min(values.allowedLateness, values.timeToLive) : values.allowedLateness;
    }

    /** What a window says when it emits more than once. */
    public Accumulation accumulation() {
        return values.accumulation;
    }

    /** When open windows show what is in them, or null. */
    public @Nullable Early early() {
        return values.early;
    }

    /** Whether there is exactly one on-time result for each window and key. */
    public boolean hasFinalMarker() {
        return values.finalMarker;
    }

    /** The time-to-live, ms; 0 without one. */
    public long timeToLiveMillis() {
        return values.timeToLive;
    }

    /** The bound on entries, or null. */
    public @Nullable Ceiling ceiling() {
        return values.ceiling;
    }

    /** Whether the windows follow from a timestamp alone: tumbling, sliding and calendar windows. */
    public boolean hasFixedWindows() {
        return values.kind == Kind.TUMBLING || values.kind == Kind.SLIDING || values.kind == Kind.CALENDAR;
    }

    /** Whether the watermark closes the windows: all but count and global windows. */
    boolean closesByWatermark() {
        return values.kind != Kind.COUNT && values.kind != Kind.GLOBAL;
    }

    /** Refuses what can't be bounded or does not go together; called when a pipeline is assembled. */
    void check() {
        if (values.allowedLateness == MAX_MILLIS && values.timeToLive == 0 && values.kind != Kind.SESSION) {
            throw new IllegalStateException(
                    this + ": an allowed lateness without end keeps every window for ever; give it"
                            + " an end, or give the windows a time-to-live");
        }
        if (values.early != null && values.kind == Kind.SESSION && values.accumulation != Accumulation.RETRACT) {
            throw new IllegalStateException(
                    this + ": a session changes its bounds as it grows, so that an early result has"
                            + " to be taken back; use Accumulation.RETRACT (S23)");
        }
        Ceiling bound = values.ceiling;
        if (bound != null && bound.policy() == Ceiling.Policy.CLOSE_EARLIEST && hasFixedWindows()) {
            throw new IllegalStateException(this + ": a window with an end of its own is not closed before it; use"
                    + " Ceiling.Policy.REFUSE or FAIL");
        }
    }

    /** Whether a correction takes the value before back, so that what follows needs to subtract. */
    boolean emitsRetractions() {
        return values.accumulation == Accumulation.RETRACT && (allowedLatenessMillis() > 0 || values.early != null);
    }

    /** For how long after the time of a result it may be corrected, ms; {@link #MAX_MILLIS} where there is no telling. */
    long correctsMillis() {
        return closesByWatermark() || !emitsRetractions() ? allowedLatenessMillis() : MAX_MILLIS;
    }

    /** What to warn of when a pipeline is assembled, or null. */
    @Nullable
    String warning() {
        return values.kind == Kind.SESSION && values.allowedLateness == MAX_MILLIS && values.timeToLive == 0
                ? this + ": neither an end of the allowed lateness nor a time-to-live bounds what is kept of these"
                        + " sessions, so that no session is ever forgotten; give them one of the two"
                : null;
    }

    /** The start of the last fixed window that starts at or before {@code timestamp}, also before the epoch (S05). */
    public long startOf(long timestamp) {
        return values.kind == Kind.CALENDAR
                ? calendar().startOf(timestamp)
                : timestamp - Math.floorMod(timestamp - values.offset, values.slide);
    }

    /** The end, exclusive, of the fixed window that starts at {@code start}. */
    public long endOf(long start) {
        return values.kind == Kind.CALENDAR ? calendar().endOf(start) : start + values.size;
    }

    /** The fixed windows that hold {@code timestamp}, the earliest first. Throws for windows that depend on other events. */
    public List<TimeWindow> windowsOf(long timestamp) {
        if (!hasFixedWindows()) {
            throw new IllegalStateException(this + " windows do not follow from a timestamp");
        }
        List<TimeWindow> windows = new ArrayList<>();
        for (long start = firstStartOf(timestamp); start <= timestamp; start += values.slide) {
            windows.add(new TimeWindow(start, endOf(start)));
            if (values.kind != Kind.SLIDING) {
                break;
            }
        }
        return windows;
    }

    /** The start of the first fixed window that holds {@code timestamp}; later than it where none does. */
    long firstStartOf(long timestamp) {
        long last = startOf(timestamp);
        if (values.kind != Kind.SLIDING) {
            return last;
        }
        // The last start at or before ts - size is the last that is too early.
        return startOf(timestamp - values.size) + values.slide;
    }

    private CalendarWindows calendar() {
        return Objects.requireNonNull(values.calendar, "calendar");
    }

    @Override
    public String toString() {
        String text =
                switch (values.kind) {
                    case TUMBLING -> "tumbling " + Duration.ofMillis(values.size);
                    case SLIDING ->
                        "sliding " + Duration.ofMillis(values.size) + " every " + Duration.ofMillis(values.slide);
                    case CALENDAR -> calendar().toString();
                    case SESSION -> "session " + Duration.ofMillis(values.size);
                    case COUNT -> "count " + values.size;
                    case GLOBAL -> "global";
                };
        return text
                + (values.offset == 0 ? "" : " offset " + Duration.ofMillis(values.offset))
                + (values.allowedLateness == 0 ? "" : " allowed lateness " + Duration.ofMillis(values.allowedLateness))
                + (values.accumulation == Accumulation.RETRACT ? "" : " " + values.accumulation)
                + (values.early == null ? "" : " early every " + values.early)
                + (values.finalMarker ? " with final marker" : "")
                + (values.timeToLive == 0 ? "" : " time-to-live " + Duration.ofMillis(values.timeToLive))
                + (values.ceiling == null ? "" : " " + values.ceiling);
    }

    /** Changed only on a copy that nobody else has seen. */
    private static final class Values {
        final Kind kind;
        final long size;
        final long slide;
        long offset;
        long allowedLateness;
        long timeToLive;
        boolean finalMarker;
        Accumulation accumulation = Accumulation.RETRACT;

        @Nullable
        Early early;

        @Nullable
        Ceiling ceiling;

        @Nullable
        CalendarWindows calendar;

        Values(Kind kind, long size, long slide) {
            this.kind = kind;
            this.size = size;
            this.slide = slide;
        }

        Values(Values other) {
            this(other.kind, other.size, other.slide);
            offset = other.offset;
            allowedLateness = other.allowedLateness;
            timeToLive = other.timeToLive;
            finalMarker = other.finalMarker;
            accumulation = other.accumulation;
            early = other.early;
            ceiling = other.ceiling;
            calendar = other.calendar;
        }
    }
}
