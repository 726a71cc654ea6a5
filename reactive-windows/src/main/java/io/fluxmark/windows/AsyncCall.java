package io.fluxmark.windows;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One call that is under way, of one event. Its signals come on whatever thread the answer is made on, and only leave what
 * came of it; it is taken, or let go of, in the drain loop.
 */
final class AsyncCall<R> implements CoreSubscriber<R>, Scannable {

    /** It has completed without a result. */
    static final Object NOTHING = new Object();

    /** Nobody waits for it any more. */
    private static final Object GONE = new Object();

    /** It has failed. */
    record Failure(Throwable cause) {}

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<AsyncCall, Subscription> UPSTREAM =
            AtomicReferenceFieldUpdater.newUpdater(AsyncCall.class, Subscription.class, "upstream");

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<AsyncCall, Object> OUTCOME =
            AtomicReferenceFieldUpdater.newUpdater(AsyncCall.class, Object.class, "outcome");

    private final AsyncRun<?, R> run;
    private final int index;

    private volatile @Nullable Subscription upstream;

    /** Null while it is open, else its result, {@link #NOTHING}, a {@link Failure}, or {@link #GONE}. */
    private volatile @Nullable Object outcome;

    /** It has ended; written and read by its serial signals, and by whoever scans. */
    private volatile boolean done;

    /** @param index which event of the run it is of */
    AsyncCall(AsyncRun<?, R> run, int index) {
        this.run = run;
        this.index = index;
    }

    int index() {
        return index;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        if (Operators.setOnce(UPSTREAM, this, subscription)) {
            subscription.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(R result) {
        if (done) {
            Operators.onNextDropped(result, currentContext());
            return;
        }
        if (OUTCOME.compareAndSet(this, null, result)) {
            return;
        }
        Operators.onDiscard(result, currentContext());
        if (outcome != GONE) {
            Operators.terminate(UPSTREAM, this);
            onError(
                    new IllegalStateException(
                            "the function of mapAsync published more than one result for an event: take"
                                    + " the first with next(), collect them into one, or let mapMany behind it make several of one"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        if (done) {
            Operators.onErrorDropped(failure, currentContext());
            return;
        }
        done = true;
        Object before = OUTCOME.getAndUpdate(this, now -> now == GONE ? GONE : new Failure(failure));
        if (before == GONE) {
            Operators.onErrorDropped(failure, currentContext());
            return;
        }
        if (before != null) {
            Operators.onDiscard(before, currentContext());
        }
        run.callFailed(this, failure);
    }

    @Override
    public void onComplete() {
        if (!done) {
            done = true;
            OUTCOME.compareAndSet(this, null, NOTHING);
            run.callEnded();
        }
    }

    /** What came of it, once it has ended. */
    @Nullable
    Object outcome() {
        return outcome;
    }

    /** Takes the result away, or whatever else came of it. */
    @Nullable
    Object take() {
        return OUTCOME.getAndSet(this, GONE);
    }

    /** Cancels it, and lets go of a result. */
    void cancel(Context context) {
        Object before = take();
        if (!done) {
            Operators.terminate(UPSTREAM, this);
        }
        if (before != null && before != NOTHING && before != GONE && !(before instanceof Failure)) {
            Operators.onDiscard(before, context);
        }
    }

    @Override
    public Context currentContext() {
        return run.currentContext();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.PARENT) {
            return upstream;
        }
        if (key == Attr.ACTUAL) {
            return run.operator();
        }
        if (key == Attr.CANCELLED) {
            return upstream == Operators.cancelledSubscription();
        }
        if (key == Attr.TERMINATED) {
            return done;
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
