package io.fluxmark.aggregate.frontier;

import io.fluxmark.aggregate.DurationText;
import io.fluxmark.aggregate.PercentText;
import io.fluxmark.aggregate.run.Event;
import io.fluxmark.aggregate.run.PipelineSettings;
import io.fluxmark.aggregate.run.RunListener;
import io.fluxmark.aggregate.run.WindowRun;
import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.DelayChoice;
import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.InvalidEvent;
import io.fluxmark.windows.PartitionProgress;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** A pipeline with one delay, and what is measured of it. */
final class FrontierPoint implements RunListener {

    private final long delayMillis;
    private final EventClock clock;
    private final Observer observer;
    private final WindowRun run;
    private final Distribution latency = new Distribution();
    private long atEnd;

    /** What was chosen in the end, where the delay is found from the events. */
    private @Nullable DelayChoice chosen;

    /** Looks at what all delays have in common. */
    interface Observer {

        default void timed(StreamElement<Event> element) {}

        default void invalid(InvalidEvent rejected) {}
    }

    /**
     * With one delay.
     *
     * @param observer is told of the events that go into the windows, and of those that may not
     * @param clock what emissions are timed by
     * @param guard the clock of the far-future guard, where arrivals do not move one
     */
    FrontierPoint(PipelineSettings settings, boolean arrivals, EventClock clock, Scheduler guard, Observer observer) {
        this.delayMillis = settings.watermarks().delayMillis();
        this.clock = clock;
        this.observer = observer;
        this.run = arrivals ? WindowRun.onArrivals(settings, this) : WindowRun.onClock(settings, guard, this);
    }

    void event(Event event) {
        run.event(event);
    }

    void flush() {
        run.flush();
    }

    void finish() {
        chosen = choice();
        run.finish();
    }

    private @Nullable DelayChoice choice() {
        return run.explain().stream()
                .map(Explanation::origin)
                .filter(Objects::nonNull)
                .flatMap(origin -> origin.partitions().stream())
                .map(PartitionProgress::delay)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void result(WindowResult<Object, Value> result, long at) {
        if (result.watermark() == Watermark.END) {
            atEnd++;
        } else {
            latency.add(clock.emission(at) - result.window().end());
        }
    }

    @Override
    public void invalid(InvalidEvent rejected) {
        observer.invalid(rejected);
    }

    @Override
    public void timed(StreamElement<Event> element) {
        observer.timed(element);
        clock.timed(element);
    }

    /** The delay, ms; -1 where it is {@link #chosen}. */
    long delayMillis() {
        return delayMillis;
    }

    /** What was chosen in the end, where the delay is found from the events; else null. */
    @Nullable
    DelayChoice chosen() {
        return chosen;
    }

    /** What stands for it in tables. */
    String label() {
        DelayChoice choice = chosen;
        return choice == null ? DurationText.text(delayMillis) : "auto " + PercentText.text(choice.wanted());
    }

    /** The share of events, and of windows of theirs, that were counted at the first firing; 1 without events. */
    double completeness() {
        Counters counters = run.counters();
        long accepted = counters.get(Counter.ACCEPTED_ASSIGNMENTS);
        long all = accepted + counters.get(Counter.LATE_ASSIGNMENTS);
        return all == 0 ? 1 : (double) accepted / all;
    }

    /** Events that came too late for all of their windows, and for some. */
    long late() {
        Counters counters = run.counters();
        return counters.get(Counter.DROPPED) + counters.get(Counter.PARTIAL);
    }

    /** From the end of a window to its first emission, of those that did not wait for the end of the input. */
    Distribution latency() {
        return latency;
    }

    /** How many fired only at the end of the input. */
    long atEnd() {
        return atEnd;
    }
}
