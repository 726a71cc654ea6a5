package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Gives events the time at which they are taken, by the lane's clock, which is made never to step back, not over a restart
 * either. The watermark is one millisecond behind the clock: it moves with every run, and, at ticks while there is demand,
 * on its own.
 */
final class ProcessingTimeOperator<T> extends DrainOperator<StreamElement<T>, StreamElement<T>>
        implements WatermarkSource {

    private static final int PREFETCH = 4;

    private final String name;
    private final Scheduler clock;
    private final long tickMillis;
    private final WakeTimer timer;
    private final LiveCounters counters = new LiveCounters();

    /** The latest time that was given or told, epoch ms. */
    private long latest = Long.MIN_VALUE;

    private long told = Watermark.NONE;
    private @Nullable StreamElement<T> held;

    ProcessingTimeOperator(
            CoreSubscriber<? super StreamElement<T>> actual, String name, long tickMillis, LaneContext lane) {
        super(actual, PREFETCH, AnnouncedLane.asksAhead(lane));
        this.name = name;
        this.clock = lane.clock();
        this.tickMillis = tickMillis;
        this.timer = new WakeTimer(clock, this::wakeUp);
        long[] stored = lane.state().longs(name, WatermarkSpec.STATE_NAME);
        if (stored != null) {
            latest = stored[0];
            told = stored[1];
        }
        counters.restore(lane.state(), name);
        lane.counters(name, counters);
    }

    private long now() {
        latest = Math.max(latest, clock.now(TimeUnit.MILLISECONDS));
        return latest;
    }

    @Override
    public Mono<WatermarkOrigin> origin() {
        return ask(() -> new WatermarkOrigin(name, told, List.of()));
    }

    @Override
    protected void onInput(StreamElement<T> input) {
        if (input instanceof EventBatch<T> batch) {
            long[] timestamps = new long[batch.size()];
            Arrays.fill(timestamps, now());
            long watermark = Watermark.after(latest, 0);
            held = new EventBatch<>(batch.values(), batch.size, timestamps, null, watermark, watermark, batch.signs);
            told = watermark;
            counters.add(Counter.INGESTED, batch.size());
        } else if (!(input instanceof Watermark<T> given) || Watermark.advances(told, given.timestamp())) {
            held = input; // a watermark of the upstream's own that is behind the clock says nothing new
        }
    }

    @Override
    protected @Nullable StreamElement<T> poll(boolean starved) {
        StreamElement<T> element = held;
        if (element != null) {
            held = null;
            if (element instanceof CheckpointBarrier<T> barrier) {
                barrier.transaction().longs(name, WatermarkSpec.STATE_NAME, new long[] {latest, told});
                counters.save(barrier.transaction(), name);
            } else if (element instanceof Watermark<T> given) {
                told = given.timestamp();
            }
            return element;
        }
        if (!starved || told == Watermark.END) {
            return null;
        }
        long progress = Watermark.after(now(), 0);
        if (told != Watermark.NONE && !Watermark.reaches(Watermark.before(progress, tickMillis), told)) {
            return null;
        }
        told = progress;
        return new Watermark<>(progress);
    }

    @Override
    protected void onPause(boolean demanded, boolean over) {
        if (over) {
            timer.dispose();
        } else if (demanded && told != Watermark.END) {
            long now = timer.now();
            timer.wakeAt(now + TimeUnit.MILLISECONDS.toNanos(tickMillis), now);
        }
    }

    @Override
    protected boolean holdsOutput() {
        return held != null;
    }

    @Override
    protected Stream<?> contents(StreamElement<T> input) {
        return EventBatch.contents(input);
    }

    @Override
    protected void discardHeld(Context context) {
        StreamElement<T> element = held;
        held = null;
        if (element != null) {
            Operators.onDiscardMultiple(EventBatch.contents(element), context);
        }
    }
}
