package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.InvalidEvent;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * Drives the pipeline event by event, on the caller's thread. The clock is moved to an event's arrival before the event is
 * handed in, and what one event brings forth is out before the next one goes in; events travel in one run only where the
 * clock would not move between them. So the output is a function of the input, for every run size and every demand.
 *
 * <p>Not thread-safe. With the real clock early results and idle time-outs come on the clock's threads; the listener is
 * guarded against two of them at once.
 */
public final class WindowRun {

    /** Simultaneous firings come by end, start and key. */
    private static final Comparator<WindowResult<Object, Value>> ORDER =
            Comparator.<WindowResult<Object, Value>, io.fluxmark.windows.TimeWindow>comparing(WindowResult::window)
                    .thenComparing(WindowResult::key, KeyCodec.tagged().order());

    /** Of several lanes no more than this many elements are asked for ahead, since they may have to be held back. */
    private static final long HELD = 4;

    private final PipelineSettings settings;
    private final RunListener listener;
    private final Object monitor = new Object();
    private final boolean virtual;
    private Scheduler clock;
    private @Nullable VirtualClock virtualClock;
    private final List<Pipeline> lanes = new ArrayList<>();
    private final List<Event> pending = new ArrayList<>();
    private int pendingLane;

    private WindowRun(PipelineSettings settings, Scheduler clock, boolean virtual, RunListener listener) {
        this.settings = settings;
        this.clock = clock;
        this.virtual = virtual;
        this.listener = listener;
    }

    /** A run on a real clock. Assembles the pipeline, and throws what is wrong with it. */
    public static WindowRun onClock(PipelineSettings settings, Scheduler clock, RunListener listener) {
        WindowRun run = new WindowRun(settings, clock, false, listener);
        run.start(clock);
        return run;
    }

    /** A run whose clock is moved by the arrivals of the events; it begins with the first one. */
    public static WindowRun onArrivals(PipelineSettings settings, RunListener listener) {
        return new WindowRun(settings, new VirtualClock(0), true, listener);
    }

    private void start(Scheduler at) {
        clock = at;
        virtualClock = at instanceof VirtualClock moved ? moved : null;
        int count = settings.lanes();
        long demand = count == 1 ? settings.request() : Math.min(HELD, settings.request());
        for (int i = 0; i < count; i++) {
            LaneOutput output = new LaneOutput(monitor, demand, this::emit);
            lanes.add(new Pipeline(settings, i, at, new Guarded(), output));
        }
        failIfFailed();
    }

    private void emit(WindowResult<Object, Value> result) {
        listener.result(result, clock.now(TimeUnit.MILLISECONDS));
    }

    /** Hands in an event, or keeps it for company with those that follow at the same moment. */
    public void event(Event event) {
        VirtualClock moved = movedClock(event);
        if (moved != null && event.arrival() > moved.millis()) {
            flush();
            advance(moved, event.arrival());
        }
        int lane = settings.global() ? 0 : event.partition();
        if (lane != pendingLane || pending.size() == settings.runSize()) {
            flush();
        }
        pendingLane = lane;
        pending.add(event);
    }

    private @Nullable VirtualClock movedClock(Event event) {
        if (virtual && lanes.isEmpty()) {
            start(new VirtualClock(event.arrival()));
        }
        return virtualClock;
    }

    /** Hands in what was kept for company. */
    public void flush() {
        if (!pending.isEmpty()) {
            EventBatch<Event> run = EventBatch.ofValues(pending);
            pending.clear();
            lanes.get(pendingLane).source().push(run);
            failIfFailed();
            VirtualClock moved = virtualClock;
            if (moved != null) {
                advance(moved, moved.millis());
            }
        }
    }

    /** Moves the clock to {@code millis}, stopping wherever something is due. */
    private void advance(VirtualClock moved, long millis) {
        for (long due = moved.nextDue(); due <= millis; due = moved.nextDue()) {
            moved.moveTo(due);
            hold();
            moved.runDue();
            emitHeld(false);
            release();
            failIfFailed();
        }
        moved.moveTo(millis);
    }

    /** The end of the input: fires everything, and returns when all of it is out. */
    public void finish() {
        startIfNothingCame();
        flush();
        hold();
        for (Pipeline lane : lanes) {
            lane.source().push(new Watermark<>(Watermark.END));
            lane.source().complete();
        }
        emitHeld(true);
        release();
        failIfFailed();
    }

    private void startIfNothingCame() {
        if (lanes.isEmpty()) {
            start(clock);
        }
    }

    /** Why the windows of each lane stand where they do, when all that was handed in has been taken. */
    public List<Explanation> explain() {
        startIfNothingCame();
        flush();
        List<Explanation> explanations = new ArrayList<>();
        for (Pipeline lane : lanes) {
            Explanation explanation =
                    lane.explain().block(); // answered here, or by a timer's thread that is in the lane
            explanations.add(Objects.requireNonNull(explanation, "explanation"));
        }
        return explanations;
    }

    private void hold() {
        if (lanes.size() > 1) {
            lanes.forEach(lane -> lane.output().hold());
        }
    }

    private void release() {
        if (lanes.size() > 1) {
            lanes.forEach(lane -> lane.output().release());
        }
    }

    /** Emits what the lanes hold back, in one order; {@code toTheEnd} waits for lanes that a timer still works in. */
    private void emitHeld(boolean toTheEnd) {
        synchronized (monitor) {
            for (LaneOutput next = lowest(toTheEnd); next != null; next = lowest(toTheEnd)) {
                emit(next.take());
            }
        }
    }

    /** The lane whose next result comes first; null when no lane has one. Called with the monitor held. */
    private @Nullable LaneOutput lowest(boolean toTheEnd) {
        for (; ; ) {
            LaneOutput first = null;
            boolean waits = false;
            for (Pipeline lane : lanes) {
                LaneOutput output = lane.output();
                WindowResult<Object, Value> head = output.peek();
                if (head == null) {
                    waits |= toTheEnd && !output.hasEnded();
                } else if (first == null || ORDER.compare(head, first.head()) < 0) {
                    first = output;
                }
            }
            if (!waits) {
                return first;
            }
            try {
                monitor.wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted at the end of the input", e);
            }
        }
    }

    private void failIfFailed() {
        for (Pipeline lane : lanes) {
            Throwable failure = lane.output().failure();
            if (failure instanceof RuntimeException unchecked) {
                throw unchecked;
            } else if (failure != null) {
                throw new IllegalStateException(failure);
            }
        }
    }

    /** Runs {@code action} while the listener is told nothing. */
    public void exclusively(Runnable action) {
        synchronized (monitor) {
            action.run();
        }
    }

    /** Where the clock stands, epoch ms. */
    public long now() {
        return clock.now(TimeUnit.MILLISECONDS);
    }

    /** What has been counted, over all lanes. */
    public Counters counters() {
        return lanes.stream().map(Pipeline::counters).reduce(Counters.ZERO, Counters::plus);
    }

    /** The smallest watermark of the lanes that follows from events and silence, the end of the input aside. */
    public long watermark() {
        return lanes.stream().mapToLong(Pipeline::watermark).min().orElse(Watermark.NONE);
    }

    /** How many entries the windows hold. */
    public long stateEntries() {
        return lanes.stream().mapToLong(lane -> lane.output().stateEntries()).sum();
    }

    /** Tells the listener of one thing at a time. */
    private final class Guarded implements RunListener {

        @Override
        public void result(WindowResult<Object, Value> result, long at) {
            throw new IllegalStateException("results come from the lanes' outputs");
        }

        @Override
        public void late(LateEvent<Event> late) {
            synchronized (monitor) {
                listener.late(late);
            }
        }

        @Override
        public void invalid(InvalidEvent invalid) {
            synchronized (monitor) {
                listener.invalid(invalid);
            }
        }

        @Override
        public void timed(StreamElement<Event> element) {
            synchronized (monitor) {
                listener.timed(element);
            }
        }
    }
}
