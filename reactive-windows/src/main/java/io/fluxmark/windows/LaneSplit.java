package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * Splits a stream by key: collects events into stretches, of which each key group gets its own, and hands each stretch to all
 * lanes together. A lane that is slow holds the others back by {@link SplitLane#DEPTH} stretches, and then the upstream.
 *
 * <p>Events are kept for company as long as each lane has work: many small runs of the upstream become few stretches when lanes
 * are busy, and wait for nothing when one is idle. A control element ends a stretch, and is one. The loop is entered by one at a
 * time, on the thread of the upstream or on a worker, never on a lane.
 *
 * @param <T> the events
 */
final class LaneSplit<T> implements CoreSubscriber<StreamElement<T>>, Runnable, Scannable {

    static final int PREFETCH = 4;
    private static final int LIMIT = 3;

    /** The most events of a stretch. */
    private static final int LONGEST = KeyGroups.COUNT * EventBatch.MAX_SIZE;

    /** With fewer loads under way a lane may soon be idle. */
    private static final int BUSY = 2;

    private final LaneGather<T, ?, ?> gather;
    private final KeyGroups<T, ?> keys;
    private final Parallelism parallelism;
    private final Scheduler.Worker worker;
    private final List<SplitLane<T>> lanes = new ArrayList<>();
    private final List<GroupParts<T>> groups = new ArrayList<>();
    private final Queue<StreamElement<T>> inputs =
            Queues.<StreamElement<T>>get(PREFETCH).get();
    private final AtomicInteger wip = new AtomicInteger();

    private @Nullable Subscription upstream;
    private volatile boolean done;
    private volatile boolean cancelled;

    /** Written before {@link #done}, read after it. */
    private @Nullable Throwable error;

    /** Confined to the loop: taken, and not asked for again yet. */
    private int taken;

    /** The run that is being split, and the place in it. */
    private @Nullable EventBatch<T> run;

    private int next;

    /** The groups of its events. */
    private final int[] groupOf = new int[EventBatch.MAX_SIZE];

    private @Nullable StreamElement<T> control;

    /** The stretch that is being collected. */
    private long first;

    private long[] before = new long[EventBatch.MAX_SIZE];
    private int size;
    private long after = Watermark.NONE;

    /** Where the first of its events stands; null where that isn't known. */
    private @Nullable RunOffsets source;

    /** Whether the lanes have been told of the end. */
    private boolean ended;

    LaneSplit(LaneGather<T, ?, ?> gather, KeyGroups<T, ?> keys, Parallelism parallelism, Scheduler scheduler) {
        this.gather = gather;
        this.keys = keys;
        this.parallelism = parallelism;
        this.worker = scheduler.createWorker();
        for (int lane = 0; lane < parallelism.lanes(); lane++) {
            lanes.add(new SplitLane<>(this, gather, scheduler.createWorker()));
        }
        for (int group = 0; group < KeyGroups.COUNT; group++) {
            groups.add(new GroupParts<>());
        }
    }

    /** The lane that works on a group. */
    SplitLane<T> laneOf(int group) {
        return lanes.get(parallelism.laneOf(group));
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        if (Operators.validate(upstream, subscription)) {
            upstream = subscription;
            gather.begin();
        }
    }

    /** All groups are there. */
    void start() {
        Objects.requireNonNull(upstream, "upstream").request(PREFETCH);
    }

    @Override
    public void onNext(StreamElement<T> element) {
        if (done) {
            Operators.onNextDropped(element, currentContext());
            return;
        }
        if (!inputs.offer(element)) {
            error = Exceptions.failWithOverflow("the upstream sent more than the " + PREFETCH + " elements requested");
            done = true;
            Objects.requireNonNull(upstream, "upstream").cancel();
        }
        drain();
    }

    @Override
    public void onError(Throwable failure) {
        if (done) {
            Operators.onErrorDropped(failure, currentContext());
            return;
        }
        error = failure;
        done = true;
        drain();
    }

    @Override
    public void onComplete() {
        done = true;
        drain();
    }

    /** Stops the upstream, unless it has ended, and the lanes, and lets go of everything, also of workers. Thread-safe. */
    void cancel() {
        if (cancelled) {
            return;
        }
        cancelled = true;
        Subscription s = upstream;
        if (s != null && !done) {
            s.cancel();
        }
        lanes.forEach(SplitLane::cancel);
        drain();
    }

    /** A lane may have room. Thread-safe. */
    void wakeUp() {
        if (wip.getAndIncrement() == 0) {
            try {
                worker.schedule(this);
            } catch (RejectedExecutionException e) {
                if (!cancelled) {
                    gather.laneFailed(Operators.onRejectedExecution(e, currentContext()));
                }
                run(); // to let go of what is here
            }
        }
    }

    private void drain() {
        if (wip.getAndIncrement() == 0) {
            run();
        }
    }

    @Override
    public void run() {
        int missed = 1;
        do {
            try {
                work();
            } catch (Throwable t) {
                gather.laneFailed(Operators.onOperatorError(upstream, t, currentContext()));
            }
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
    }

    private void work() {
        for (; ; ) {
            if (cancelled) {
                discard();
                worker.dispose();
                return;
            }
            if (ended) {
                return;
            }
            EventBatch<T> events = run;
            if (events != null) {
                if (!collect(events)) {
                    if (isFull()) {
                        return;
                    }
                    hand();
                }
            } else if (control != null) {
                if (isFull()) {
                    return;
                }
                if (size > 0) {
                    hand();
                } else {
                    hand(control);
                    control = null;
                }
            } else if (!take()) {
                return;
            }
        }
    }

    /** Takes the next input, or does what there is to do without one: then false. */
    private boolean take() {
        boolean over = done;
        StreamElement<T> input = inputs.poll();
        if (input != null) {
            if (++taken == LIMIT) {
                taken = 0;
                Objects.requireNonNull(upstream, "upstream").request(LIMIT);
            }
            if (input instanceof EventBatch<T> events) {
                run = events;
                next = 0;
                // All at once: their objects are mostly far apart, and come from another core.
                for (int i = 0; i < events.size(); i++) {
                    groupOf[i] = keys.of(events.value(i));
                }
            } else {
                control = input;
            }
            return true;
        }
        if (size > 0 && !isFull() && (over || underWay(true) < BUSY)) {
            hand();
        }
        if (over && size == 0) {
            ended = true;
            gather.upstreamEnded(error);
            lanes.forEach(SplitLane::end);
        }
        return false;
    }

    /** Adds what there is room for in the stretch: whether that was all. */
    private boolean collect(EventBatch<T> events) {
        if (size > 0 && next == 0 && !isSameSource(events)) {
            return false;
        }
        if (size == 0) {
            source = events.offsets;
        }
        for (; next < events.size(); next++) {
            if (size == LONGEST) {
                return false;
            }
            GroupParts<T> group = groups.get(groupOf[next]);
            if (group.isFull()) {
                return false;
            }
            group.add(events, next, size);
            if (size == before.length) {
                before = Arrays.copyOf(before, 2 * size);
            }
            before[size++] = events.watermarkBefore(next);
        }
        after = events.watermarkAfter();
        run = null;
        return true;
    }

    private boolean isSameSource(EventBatch<T> events) {
        RunOffsets here = source;
        RunOffsets there = events.offsets;
        if (here == null || there == null) {
            return here == null && there == null;
        }
        return here.source().equals(there.source()) && here.partition() == there.partition();
    }

    private int underWay(boolean least) {
        int bound = lanes.get(0).underWay();
        for (SplitLane<T> lane : lanes) {
            bound = least ? Math.min(bound, lane.underWay()) : Math.max(bound, lane.underWay());
        }
        return bound;
    }

    /** Whether a lane has no room for one more stretch. */
    private boolean isFull() {
        return underWay(false) >= SplitLane.DEPTH;
    }

    /** Hands what is collected to the lanes. */
    private void hand() {
        EventBatch<T> rest = run;
        long end = rest == null ? after : next == 0 ? after : rest.watermarkBefore(next);
        Stretch stretch = new Stretch(first, before, size, end, false, null);
        first += size;
        before = new long[Math.max(EventBatch.MAX_SIZE, Integer.highestOneBit(size))];
        size = 0;
        List<LanePart<T>> parts = new ArrayList<>(KeyGroups.COUNT);
        for (GroupParts<T> group : groups) {
            parts.add(group.build(stretch, source));
        }
        offer(parts);
    }

    private void hand(StreamElement<T> element) {
        Watermark<T> progress = element instanceof Watermark<T> watermark ? watermark : null;
        after = progress == null ? after : Watermark.later(after, progress.timestamp());
        Stretch stretch = new Stretch(
                first, before, 0, after, progress != null && progress.byTimeout(), progress == null ? element : null);
        List<StateTransaction> shares = new ArrayList<>();
        if (element instanceof CheckpointBarrier<T> barrier) {
            for (int lane = 0; lane < lanes.size(); lane++) {
                shares.add(barrier.transaction().part());
            }
        }
        List<LanePart<T>> parts = new ArrayList<>(KeyGroups.COUNT);
        for (int group = 0; group < KeyGroups.COUNT; group++) {
            CheckpointBarrier<T> share = element instanceof CheckpointBarrier<T> barrier
                    ? new CheckpointBarrier<>(
                            shares.get(parallelism.laneOf(group)), barrier.positions(), barrier.last())
                    : null;
            parts.add(LanePart.empty(stretch, share));
        }
        offer(parts);
    }

    private void offer(List<LanePart<T>> parts) {
        for (int lane = 0; lane < lanes.size(); lane++) {
            List<LanePart<T>> ofLane = new ArrayList<>();
            for (int group = lane; group < KeyGroups.COUNT; group += lanes.size()) {
                ofLane.add(parts.get(group));
            }
            lanes.get(lane).offer(ofLane);
        }
    }

    private void discard() {
        Context context = currentContext();
        EventBatch<T> rest = run;
        run = null;
        for (; rest != null && next < rest.size(); next++) {
            Operators.onDiscard(rest.value(next), context);
        }
        groups.forEach(group -> Operators.onDiscardMultiple(group.drop(), context));
        size = 0;
        for (StreamElement<T> input = inputs.poll(); input != null; input = inputs.poll()) {
            Operators.onDiscardMultiple(EventBatch.contents(input), context);
        }
    }

    @Override
    public Context currentContext() {
        return gather.currentContext();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.PARENT) {
            return upstream;
        }
        if (key == Attr.ACTUAL) {
            return gather;
        }
        if (key == Attr.PREFETCH) {
            return PREFETCH;
        }
        if (key == Attr.BUFFERED) {
            return inputs.size();
        }
        if (key == Attr.TERMINATED) {
            return done && inputs.isEmpty();
        }
        if (key == Attr.CANCELLED) {
            return cancelled;
        }
        if (key == Attr.ERROR) {
            return error;
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
