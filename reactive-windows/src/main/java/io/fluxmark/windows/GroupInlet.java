package io.fluxmark.windows;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * Where the parts of one key group come into its operator: one subscription, on whose lane all signals are given.
 *
 * @param <T> the events
 */
final class GroupInlet<T> extends Flux<StreamElement<T>> implements Subscription, Scannable {

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<GroupInlet> REQUESTED =
            AtomicLongFieldUpdater.newUpdater(GroupInlet.class, "requested");

    private final SplitLane<T> lane;
    private final LaneSplit<T> split;

    /** Set at the subscription, before anything is delivered. */
    private @Nullable CoreSubscriber<? super StreamElement<T>> actual;

    private volatile long requested;
    private volatile boolean cancelled;

    GroupInlet(SplitLane<T> lane, LaneSplit<T> split) {
        this.lane = lane;
        this.split = split;
    }

    @Override
    public void subscribe(CoreSubscriber<? super StreamElement<T>> subscriber) {
        actual = subscriber;
        subscriber.onSubscribe(this);
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n)) {
            Operators.addCap(REQUESTED, this, n);
            lane.wakeUp();
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        lane.wakeUp();
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Hands a part on, where there is demand for it; on the lane. */
    boolean deliver(LanePart<T> part) {
        if (requested == 0) {
            return false;
        }
        Operators.produced(REQUESTED, this, 1);
        Objects.requireNonNull(actual, "actual").onNext(part);
        return true;
    }

    /** There are no more parts; on the lane. */
    void complete() {
        CoreSubscriber<? super StreamElement<T>> subscriber = actual;
        if (subscriber != null) {
            subscriber.onComplete();
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.PARENT) {
            return split;
        }
        if (key == Attr.ACTUAL) {
            return actual;
        }
        if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
            return requested;
        }
        if (key == Attr.CANCELLED) {
            return cancelled;
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }
}
