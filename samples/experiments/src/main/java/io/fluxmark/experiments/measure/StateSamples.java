package io.fluxmark.experiments.measure;

import java.util.ArrayList;
import java.util.List;

/** How many entries were held, at regular moments of a clock. */
public final class StateSamples {

    private final long start;
    private final long interval;
    private long next;
    private final List<Double> moments = new ArrayList<>();
    private final List<Double> entries = new ArrayList<>();

    /**
     * No samples yet.
     *
     * @param startMillis the first one's moment
     * @param intervalMillis between two of them
     */
    public StateSamples(long startMillis, long intervalMillis) {
        this.start = startMillis;
        this.interval = intervalMillis;
        this.next = startMillis;
    }

    /** Whether a sample is due. */
    public boolean isDue(long millis) {
        return millis >= next;
    }

    /** Takes a sample. */
    public void add(long millis, long held) {
        moments.add((millis - start) / 1_000.0);
        entries.add((double) held);
        next = millis + interval;
    }

    /** When, in seconds after the start. */
    public List<Double> seconds() {
        return moments;
    }

    /** When, in another unit of so many seconds. */
    public List<Double> moments(double unitSeconds) {
        return moments.stream().map(seconds -> seconds / unitSeconds).toList();
    }

    /** How many entries. */
    public List<Double> entries() {
        return entries;
    }

    /** The most that a sample has seen. */
    public long most() {
        return (long) entries.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
}
