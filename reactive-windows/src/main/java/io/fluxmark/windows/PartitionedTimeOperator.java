package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.function.ToIntFunction;
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
 * newest watermark only. Everything is read when no input waits and, in a lane whose source can tell, its source has
 * nothing unread either.
 */
final class PartitionedTimeOperator<S, T> extends DrainOperator<StreamElement<S>, StreamElement<T>>
        implements WatermarkSource {

    static final int PREFETCH = 4;

    private final TimestampReader<S, T> reader;
    private final int partitions;
    private final ToIntFunction<? super T> partitionFunction;
    private final EventTimeline timeline;
    private final LaneContext lane;

    /** What the input has become and is not handed out yet. */
    private @Nullable EventBatch<T> run;

    private @Nullable StreamElement<T> control;

    PartitionedTimeOperator(
            CoreSubscriber<? super StreamElement<T>> actual,
            TimeDefinition<S, T> definition,
            int partitions,
            ToIntFunction<? super T> partitionFunction,
            LaneContext lane) {
        super(actual, PREFETCH);
        this.reader = new TimestampReader<>(definition, lane);
        this.partitions = partitions;
        this.partitionFunction = partitionFunction;
        this.lane = lane;
        this.timeline = new EventTimeline(definition.name(), partitions, definition.spec(), lane, this::wakeUp);
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
        long now = reader.begin();
        timeline.beforeEvents(p -> !hasInputs() && isSourceCaughtUp());
        TimedRun<T> timed = new TimedRun<>(batch);
        int rejected = 0;
        for (int i = 0; i < batch.size(); i++) {
            T value = reader.read(batch.value(i));
            int partition = value == null ? -1 : partitionOf(value);
            if (value == null || partition < 0) {
                rejected++;
                continue;
            }
            timed.add(i, value, reader.timestamp(), timeline.watermark());
            timeline.onEvent(partition, reader.timestamp(), reader.isAhead(), now);
        }
        reader.end(timed);
        timeline.counters().add(Counter.INGESTED, batch.size());
        timeline.counters().add(Counter.REJECTED, rejected);
        if (timed.build(timeline.watermark()) instanceof EventBatch<T> accepted) {
            run = accepted;
        }
    }

    /** The partition of a valid event, or -1 when that can't be had, which has been told then. */
    private int partitionOf(T value) {
        int partition;
        try {
            partition = partitionFunction.applyAsInt(value);
        } catch (RuntimeException e) {
            reader.reject(value, "no partition can be had: " + e, e);
            return -1;
        }
        if (partition < 0 || partition >= partitions) {
            reader.reject(
                    value,
                    "partition " + partition + " is not one of 0 to " + (partitions - 1)
                            + "; correct the partition function, or the number of partitions",
                    null);
            return -1;
        }
        return partition;
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
                reader.flush(barrier.transaction());
            }
            return next;
        }
        if (!starved) {
            return null;
        }
        timeline.check(p -> isSourceCaughtUp());
        return timeline.tell();
    }

    private boolean isSourceCaughtUp() {
        for (int partition : lane.partitions()) {
            if (lane.lag(partition) > 0) {
                return false;
            }
        }
        return true;
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
