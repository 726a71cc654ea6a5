package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * What one key group emits, on its way to who gathers. Its signals come on the group's lane and only leave something for the
 * gathering drain loop, to which everything else here is confined; what that takes is asked for again on the lane.
 *
 * @param <R> the values
 */
final class GroupOutlet<R> implements CoreSubscriber<StreamElement<R>>, Scannable {

    static final int PREFETCH = 4;
    private static final int LIMIT = 3;

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<GroupOutlet, Subscription> UPSTREAM =
            AtomicReferenceFieldUpdater.newUpdater(GroupOutlet.class, Subscription.class, "upstream");

    private final LaneGather<?, ?, R> gather;
    private final SplitLane<?> lane;
    private final Queue<StreamElement<R>> queue =
            Queues.<StreamElement<R>>get(PREFETCH).get();

    private volatile @Nullable Subscription upstream;

    /** Taken, and not asked for again yet. */
    private int taken;

    private List<LaneItem> run = List.of();
    private int next;

    /** Whether who gathers has found an item, and holds the group among others. */
    private boolean head;

    /** The part that the group has come to the end of. */
    private @Nullable LanePart<R> ended;

    GroupOutlet(LaneGather<?, ?, R> gather, SplitLane<?> lane) {
        this.gather = gather;
        this.lane = lane;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        if (Operators.setOnce(UPSTREAM, this, subscription)) {
            subscription.request(PREFETCH);
        }
    }

    @Override
    public void onNext(StreamElement<R> element) {
        if (queue.offer(element)) {
            lane.hasEmitted();
        } else {
            gather.laneFailed(Exceptions.failWithOverflow(
                    "a key group emitted more than the " + PREFETCH + " elements requested"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        gather.laneFailed(failure);
    }

    @Override
    public void onComplete() {
        gather.groupCompleted();
    }

    /** Asks the group for more; on its lane. */
    void request(long n) {
        Subscription s = upstream;
        if (s != null) {
            s.request(n);
        }
    }

    /** Stops the group. Thread-safe. */
    void cancel() {
        Operators.terminate(UPSTREAM, this);
    }

    /** Whether the group has come to the end of its part, or there is an {@link #item}; looks at what it has sent. */
    boolean look() {
        while (ended == null && next == run.size()) {
            StreamElement<R> element = queue.poll();
            if (element == null) {
                return false;
            }
            if (++taken == LIMIT) {
                taken = 0;
                lane.request(this, LIMIT);
            }
            if (element instanceof LaneOutput<R> output) {
                run = output.items();
                next = 0;
            } else if (element instanceof LanePart<R> part) {
                ended = part;
            } // a watermark was restored, and all have the same
        }
        return true;
    }

    /** The part that the group has come to the end of; null while there is an {@link #item}. */
    @Nullable
    LanePart<R> ended() {
        return ended;
    }

    /** What the group has emitted next. */
    LaneItem item() {
        return run.get(next);
    }

    /** Takes it. */
    LaneItem take() {
        head = false;
        return run.get(next++);
    }

    boolean isHead() {
        return head;
    }

    void isHead(boolean is) {
        head = is;
    }

    /** All groups have come to the end of their parts. */
    LanePart<R> passEnd() {
        LanePart<R> part = Objects.requireNonNull(ended, "ended");
        ended = null;
        return part;
    }

    /** Whether it holds anything for who gathers. */
    boolean holdsSome() {
        return ended != null || next < run.size() || !queue.isEmpty();
    }

    void discard(Context context) {
        for (int i = next; i < run.size(); i++) {
            Operators.onDiscard(run.get(i).value(), context);
        }
        run = List.of();
        next = 0;
        head = false;
        for (StreamElement<R> element = queue.poll(); element != null; element = queue.poll()) {
            if (element instanceof LaneOutput<R>) {
                Operators.onDiscardMultiple(EventBatch.contents(element), context);
            }
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
            return queue.size();
        }
        if (key == Attr.CANCELLED) {
            return upstream == Operators.cancelledSubscription();
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }
}
