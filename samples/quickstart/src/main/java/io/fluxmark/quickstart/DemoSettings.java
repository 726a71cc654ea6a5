package io.fluxmark.quickstart;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the demo is asked to do; immutable, each setter returns a copy. */
public final class DemoSettings {

    /** What happens to flights that come after their window's allowed lateness. */
    public enum Late {
        /** Counted as dropped, in no result. */
        DROP,
        /** Kept as committed rows beside the results. */
        SIDE
    }

    private static final Duration LONGEST = Duration.ofDays(365);

    private Duration delay = Duration.ofHours(2);
    private Duration lateness = Duration.ofHours(2);
    private Late late = Late.DROP;
    private int checkpointEvents = 4_000;
    private @Nullable Path data;
    private boolean keep;
    private int killAfter;
    private boolean full;
    private boolean profile;
    private boolean serve;

    private DemoSettings() {}

    /** Delay and lateness of two hours, drop, a transaction every 4,000 events of a lane, a temporary directory. */
    public static DemoSettings defaults() {
        return new DemoSettings();
    }

    /** Disorder that the watermark waits for, 0 to 365 days. */
    public DemoSettings delay(Duration value) {
        DemoSettings copy = copy();
        copy.delay = ranged("delay", value);
        return copy;
    }

    /** Time after its firing in which a window takes corrections, 0 to 365 days. */
    public DemoSettings lateness(Duration value) {
        DemoSettings copy = copy();
        copy.lateness = ranged("lateness", value);
        return copy;
    }

    /** What happens to flights beyond that. */
    public DemoSettings late(Late value) {
        DemoSettings copy = copy();
        copy.late = value;
        return copy;
    }

    /** Events of a lane per transaction, at least 1. */
    public DemoSettings checkpointEvents(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("checkpoint events is " + value + ": use 1 or more, for example 4000.");
        }
        DemoSettings copy = copy();
        copy.checkpointEvents = value;
        return copy;
    }

    /** Where log and store are kept; null for a temporary directory. */
    public DemoSettings data(@Nullable Path value) {
        DemoSettings copy = copy();
        copy.data = value;
        return copy;
    }

    /** Whether a temporary directory stays. */
    public DemoSettings keep(boolean value) {
        DemoSettings copy = copy();
        copy.keep = value;
        return copy;
    }

    /** The durable commit after which the JVM halts, counted from 1; 0 for never. */
    public DemoSettings killAfter(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("kill after is " + value + ": use 1 or more, or 0 for never.");
        }
        DemoSettings copy = copy();
        copy.killAfter = value;
        return copy;
    }

    /** Whether all airport-days of the five busiest airports are printed. */
    public DemoSettings full(boolean value) {
        DemoSettings copy = copy();
        copy.full = value;
        return copy;
    }

    /** Whether the time per stage is printed. */
    public DemoSettings profile(boolean value) {
        DemoSettings copy = copy();
        copy.profile = value;
        return copy;
    }

    /** Whether the server stays up afterwards. */
    public DemoSettings serve(boolean value) {
        DemoSettings copy = copy();
        copy.serve = value;
        return copy;
    }

    Duration delay() {
        return delay;
    }

    Duration lateness() {
        return lateness;
    }

    Late late() {
        return late;
    }

    int checkpointEvents() {
        return checkpointEvents;
    }

    @Nullable
    Path data() {
        return data;
    }

    boolean keep() {
        return keep;
    }

    int killAfter() {
        return killAfter;
    }

    boolean full() {
        return full;
    }

    boolean profile() {
        return profile;
    }

    boolean serve() {
        return serve;
    }

    private static Duration ranged(String name, Duration value) {
        if (value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    name + " is " + Durations.text(value.toMillis()) + ": use 0 up to 365d, for example 2h.");
        }
        return value;
    }

    private DemoSettings copy() {
        DemoSettings copy = new DemoSettings();
        copy.delay = delay;
        copy.lateness = lateness;
        copy.late = late;
        copy.checkpointEvents = checkpointEvents;
        copy.data = data;
        copy.keep = keep;
        copy.killAfter = killAfter;
        copy.full = full;
        copy.profile = profile;
        copy.serve = serve;
        return copy;
    }
}
