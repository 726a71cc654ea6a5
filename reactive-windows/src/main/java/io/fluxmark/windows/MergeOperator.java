package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Merges sources, each of them a partition, into one stream in event time, with the combined watermark in force before
 * each event (S25).
 *
 * <p>What is read next is the earliest among the events that are at hand, of equal ones that of the first source. It does
 * not wait for a source that has nothing at hand: such a wait would let one slow source stop the others, and would gain
 * nothing, since it is the watermark, and not the order of reading, that keeps the slow one's events from being late.
 * Sources that answer on the spot have always something at hand, and come out in order of time.
 *
 * <p>The sources put what they send into queues of their own and wake the drain loop; the operator has no other input.
 * Silence is noticed, as in {@link PartitionedTimeOperator}, when no source has anything at hand: each has been asked for
 * more then, so that who is silent has nothing.
 */
final class MergeOperator<T> extends DrainOperator<T, StreamElement<T>> implements WatermarkSource, MergeInput.Owner {

    /** Who is beyond the guard is read at once: it has no say in the order, and must not stand before its own successors. */
    private static final Comparator<MergedSource<?>> EARLIEST = Comparator.<MergedSource<?>>comparingLong(
                    source -> source.isAhead() ? Long.MIN_VALUE : source.timestamp())
            .thenComparingInt(MergedSource::index);

    private final TimestampReader<T, T> reader;
    private final EventTimeline timeline;
    private final LaneContext lane;
    private final int runSize;

    /** How far ahead of one that has nothing at hand a source may be, ms; {@link WatermarkSpec#NEVER} where it may be anywhere. */
    private final long maxSkew;

    private final List<MergedSource<T>> sources = new ArrayList<>();
    private final AtomicInteger uncompleted;
    private final AtomicBoolean failed = new AtomicBoolean();

    /** The sources whose first value is read. */
    private final PriorityQueue<MergedSource<T>> heads;

    /** Those of them that are too far ahead; empty between two runs. */
    private final List<MergedSource<T>> paused = new ArrayList<>();

    private final EventBatchBuilder<T> builder = EventBatch.builder();

    /** What is put together and not handed out yet. */
    private @Nullable EventBatch<T> run;

    MergeOperator(
            CoreSubscriber<? super StreamElement<T>> actual,
            TimeDefinition<T, T> definition,
            int partitions,
            int prefetch,
            LaneContext lane) {
        super(actual, prefetch);
        this.reader = new TimestampReader<>(definition, lane);
        this.lane = lane;
        this.maxSkew = definition.spec().maxSkewMillis();
        this.runSize = Math.min(EventBatch.MAX_SIZE, lane.runSize());
        this.uncompleted = new AtomicInteger(partitions);
        this.heads = new PriorityQueue<>(partitions, EARLIEST);
        for (int p = 0; p < partitions; p++) {
            sources.add(new MergedSource<>(this, p, prefetch));
        }
        this.timeline = new EventTimeline(definition.name(), partitions, definition.spec(), null, lane, this::wakeUp);
    }

    @Override
    public Mono<WatermarkOrigin> origin() {
        return ask(() -> timeline.origin(lane));
    }

    /** Subscribes to the sources, one for each partition. */
    void subscribeTo(List<? extends Publisher<? extends T>> publishers) {
        onSubscribe(new Subscription() {

            /** Asked once, in the drain loop: whoever sends on the spot waits there until all are subscribed to. */
            @Override
            public void request(long n) {
                for (int p = 0; p < publishers.size() && !sources.get(p).isCancelled(); p++) {
                    publishers.get(p).subscribe(sources.get(p));
                }
            }

            @Override
            public void cancel() {
                sources.forEach(MergedSource::cancel);
            }
        });
    }

    /** Whether nobody listens any more. */
    boolean isUnwanted() {
        return isCancelled();
    }

    @Override
    public void inputHasSent() {
        wakeUp();
    }

    /** The others are cancelled, and what has come is delivered before the error. */
    @Override
    public void inputFailed(Throwable failure) {
        if (failed.compareAndSet(false, true)) {
            failUpstream(failure);
        } else {
            Operators.onErrorDropped(failure, currentContext());
        }
    }

    /** Which is the end if it was the last. */
    @Override
    public void inputCompleted() {
        if (uncompleted.decrementAndGet() == 0) {
            onComplete();
        } else {
            wakeUp();
        }
    }

    @Override
    protected void onInput(T input) {
        throw new IllegalStateException("a merge has its inputs from its sources alone");
    }

    @Override
    protected @Nullable StreamElement<T> poll(boolean starved) {
        timeline.work();
        if (run == null) {
            run = assemble();
        }
        EventBatch<T> next = run;
        if (next != null) {
            if (timeline.isBack()) {
                return timeline.tellActive();
            }
            run = null;
            timeline.toldByRun(next.watermarkAfter());
            return next;
        }
        StreamElement<T> news = timeline.tell();
        if (news != null) {
            return news;
        }
        timeline.check(this::isCaughtUp);
        StreamElement<T> told = timeline.tell();
        if (told == null && !heads.isEmpty()) {
            run = assemble(); // who was too far ahead may have waited for one that is idle now
            return run == null ? null : poll(starved);
        }
        return told;
    }

    private @Nullable EventBatch<T> assemble() {
        long now = reader.begin();
        timeline.beforeEvents(this::isCaughtUp);
        for (MergedSource<T> source : sources) {
            if (!source.hasHead()) {
                look(source);
            }
        }
        long slowest = slowest();
        for (MergedSource<T> next = heads.poll(); next != null; next = heads.poll()) {
            if (isTooFarAhead(next, slowest)) {
                paused.add(next);
                continue;
            }
            long timestamp = next.timestamp();
            builder.add(next.take(), timestamp, timeline.watermark());
            timeline.onEvent(next.index(), timestamp, next.isAhead(), now);
            look(next);
            if (!next.hasHead()) {
                slowest = Watermark.earlier(slowest, timeline.holding(next.index()));
            }
            if (builder.size() >= runSize) {
                break;
            }
        }
        heads.addAll(paused);
        paused.clear();
        if (builder.size() == 0) {
            return null;
        }
        timeline.counters().add(Counter.INGESTED, builder.size());
        EventBatch<T> assembled = builder.build(timeline.watermark());
        reader.end(assembled);
        return assembled;
    }

    /** The smallest watermark of those that hold the others and have nothing at hand (S35). */
    private long slowest() {
        long slowest = Watermark.END;
        for (MergedSource<T> source : sources) {
            if (maxSkew != WatermarkSpec.NEVER && !source.hasHead()) {
                slowest = Watermark.earlier(slowest, timeline.holding(source.index()));
            }
        }
        return slowest;
    }

    /** Who was too far ahead in a run stays so, since the slowest do not move in it: they have nothing at hand. */
    private boolean isTooFarAhead(MergedSource<T> source, long slowest) {
        return maxSkew != WatermarkSpec.NEVER && Watermark.leads(timeline.holding(source.index()), slowest, maxSkew);
    }

    /** Looks for the first value of a source that has none, or for its end. */
    private void look(MergedSource<T> source) {
        if (source.readHead(reader, timeline.counters())) {
            heads.add(source);
        } else if (source.isExhausted()) {
            timeline.finish(source.index());
        }
    }

    private boolean isCaughtUp(int p) {
        return sources.get(p).isEmpty() && lane.lag(p) <= 0;
    }

    @Override
    protected void onInputEnd() {
        for (MergedSource<T> source : sources) {
            timeline.finish(source.index());
        }
    }

    @Override
    protected void onPause(boolean demanded, boolean over) {
        timeline.pause(demanded, over);
        if (over) {
            discardSources(currentContext()); // what crossed the end on its way
        }
    }

    @Override
    protected boolean holdsOutput() {
        return run != null || timeline.hasNews() || buffered() > 0;
    }

    private int buffered() {
        int buffered = 0;
        for (MergedSource<T> source : sources) {
            buffered += source.buffered();
        }
        return buffered;
    }

    private void discardSources(Context context) {
        for (MergedSource<T> source : sources) {
            source.discard(context);
        }
    }

    @Override
    protected void discardHeld(Context context) {
        EventBatch<T> held = run != null ? run : builder.size() > 0 ? builder.build(Watermark.NONE) : null;
        run = null;
        heads.clear();
        paused.clear();
        if (held != null) {
            Operators.onDiscardMultiple(EventBatch.contents(held), context);
        }
        discardSources(context);
    }

    @Override
    public Stream<? extends Scannable> inners() {
        return sources.stream();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.BUFFERED) {
            return buffered();
        }
        if (key == Attr.TERMINATED) {
            return Boolean.TRUE.equals(super.scanUnsafe(key)) && buffered() == 0;
        }
        return key == Attr.PARENT ? null : super.scanUnsafe(key);
    }
}
