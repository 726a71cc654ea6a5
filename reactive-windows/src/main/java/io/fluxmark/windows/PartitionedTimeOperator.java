package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Gives events their timestamps and the stream the combined watermark of its partitions, event by event (S25). An event
 * that is invalid is counted as rejected and leaves the run; no watermark and no idle clock sees it.
 *
 * <p>Silence is noticed by a timer, which only wakes the drain loop: what follows from it is told when there is demand, the
 * newest watermark only. A partition is read to its end when no input waits and, in a lane whose source can tell, its source
 * has nothing unread either: of that partition, where it is one of the lane's own, else of any.
 */
final class PartitionedTimeOperator<S, T> extends DrainOperator<StreamElement<S>, StreamElement<T>>
        implements WatermarkSource {

    static final int PREFETCH = 4;

    private final PartitionedEvents<S, T> events;
    private final EventTimeline timeline;
    private final LaneContext lane;

    /** What the input has become and is not handed out yet. */
    private @Nullable EventBatch<T> run;

    private @Nullable StreamElement<T> control;

    /** @param alignment is told who is idle; null where nobody waits for it */
    PartitionedTimeOperator(
            CoreSubscriber<? super StreamElement<T>> actual,
            String name,
            WatermarkSpec spec,
            int partitions,
            PartitionedEvents<S, T> events,
            @Nullable Alignment alignment,
            LaneContext lane) {
        this(actual, name, Collections.nCopies(partitions, spec), events, alignment, lane);
    }

    /** @param specs by partition; all say the same of silence */
    PartitionedTimeOperator(
            CoreSubscriber<? super StreamElement<T>> actual,
            String name,
            List<WatermarkSpec> specs,
            PartitionedEvents<S, T> events,
            @Nullable Alignment alignment,
            LaneContext lane) {
        super(actual, PREFETCH, AnnouncedLane.asksAhead(lane));
        this.events = events;
        this.lane = lane;
        this.timeline = new EventTimeline(name, specs, alignment, lane, this::wakeUp);
    }

    @Override
    public Mono<WatermarkOrigin> origin() {
        return ask(() -> timeline.origin(lane));
    }

    @Override
    protected void onInput(StreamElement<S> input) {
        if (input instanceof EventBatch<S> batch) {
            assign(batch);
        } else if (input instanceof Watermark<S> progress) {
            timeline.onProgress(progress);
        } else {
            control = ControlElements.retype(input);
        }
    }

    private void assign(EventBatch<S> batch) {
        long now = events.begin();
        timeline.beforeEvents(p -> !hasInputs() && events.isCaughtUp(p));
        TimedRun<T> timed = new TimedRun<>(batch);
        int rejected = 0;
        for (int i = 0; i < batch.size(); i++) {
            T value = events.read(batch.value(i));
            if (value == null) {
                rejected++;
                continue;
            }
            timed.add(i, value, events.timestamp(), timeline.watermark());
            timeline.onEvent(events.partition(), events.timestamp(), events.isAhead(), now);
        }
        events.end(timed);
        timeline.counters().add(Counter.INGESTED, batch.size());
        timeline.counters().add(Counter.REJECTED, rejected);
        if (timed.build(timeline.watermark()) instanceof EventBatch<T> accepted) {
            run = accepted;
        }
    }

    @Override
    protected @Nullable StreamElement<T> poll(boolean starved) {
        timeline.work();
        EventBatch<T> held = run;
        if (held != null) {
            if (timeline.isBack()) {
                return timeline.tellActive();
            }
            run = null;
            timeline.toldByRun(held.watermarkAfter());
            return held;
        }
        StreamElement<T> news = timeline.tell();
        if (news != null) {
            return news;
        }
        StreamElement<T> next = control;
        if (next != null) {
            control = null;
            if (next instanceof CheckpointBarrier<T> barrier) {
                timeline.save(barrier.transaction());
                events.flush(barrier.transaction());
            }
            return next;
        }
        if (!starved) {
            return null;
        }
        timeline.check(events::isCaughtUp);
        return timeline.tell();
    }

    @Override
    protected void onPause(boolean demanded, boolean over) {
        timeline.pause(demanded, over);
    }

    @Override
    protected boolean holdsOutput() {
        return run != null || control != null || timeline.hasNews();
    }

    @Override
    protected Stream<?> contents(StreamElement<S> input) {
        return EventBatch.contents(input);
    }

    @Override
    protected void discardHeld(Context context) {
        EventBatch<T> held = run;
        run = null;
        if (held != null) {
            Operators.onDiscardMultiple(EventBatch.contents(held), context);
        }
    }
}
