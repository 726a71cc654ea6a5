package io.fluxmark.windows;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * One of the streams that an operator merges, and what it has sent that nobody has taken yet: at most as much as was requested of
 * it. Its signals come on whatever thread it runs on, and only leave something for the operator's drain loop, to which
 * everything else here is confined.
 *
 * @param <T> what it sends
 */
abstract class MergeInput<T> implements CoreSubscriber<T>, Scannable {

    /** The operator. */
    interface Owner extends Scannable {

        /** Something is to be taken. Thread-safe. */
        void inputHasSent();

        /** An input has failed. Thread-safe. */
        void inputFailed(Throwable failure);

        /** An input has completed. Thread-safe. */
        void inputCompleted();

        Context currentContext();
    }

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<MergeInput, Subscription> UPSTREAM =
            AtomicReferenceFieldUpdater.newUpdater(MergeInput.class, Subscription.class, "upstream");

    private final Owner owner;
    private final int index;
    private final int prefetch;
    private final int limit;
    private final Queue<T> waiting;

    private volatile @Nullable Subscription upstream;

    /** It has ended, in whatever way: no signal of it counts any more. */
    private volatile boolean done;

    /** It has ended, and not by an error; written behind its last value. */
    private volatile boolean completed;

    /** How many have been done with since the last request. */
    private int consumed;

    /** @param prefetch how many values are requested ahead, at least 1 */
    MergeInput(Owner owner, int index, int prefetch) {
        this.owner = owner;
        this.index = index;
        this.prefetch = prefetch;
        this.limit = prefetch - (prefetch >> 2);
        this.waiting = Queues.<T>get(prefetch).get();
    }

    /** Its place among the inputs, from 0. */
    final int index() {
        return index;
    }

    @Override
    public final void onSubscribe(Subscription subscription) {
        if (Operators.setOnce(UPSTREAM, this, subscription)) {
            subscription.request(prefetch);
        }
    }

    @Override
    public final void onNext(T value) {
        Objects.requireNonNull(value, "value");
        if (done) {
            Operators.onNextDropped(value, currentContext());
        } else if (waiting.offer(value)) {
            owner.inputHasSent();
        } else {
            Operators.onDiscardMultiple(contents(value), currentContext());
            onError(Exceptions.failWithOverflow(
                    "source " + index + " sent more than the " + prefetch + " elements requested"));
        }
    }

    @Override
    public final void onError(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        if (done) {
            Operators.onErrorDropped(failure, currentContext());
        } else {
            done = true;
            owner.inputFailed(failure);
        }
    }

    @Override
    public final void onComplete() {
        if (!done) {
            done = true;
            completed = true;
            owner.inputCompleted();
        }
    }

    /** Cancels the input, also one that is subscribed to later. Thread-safe. */
    final void cancel() {
        Operators.terminate(UPSTREAM, this);
    }

    final boolean isCancelled() {
        return upstream == Operators.cancelledSubscription();
    }

    /** The next of what waits, or null; {@link #isDoneWithOne} when another one may be sent for it. */
    final @Nullable T poll() {
        return waiting.poll();
    }

    /** Another one may be sent. */
    final void isDoneWithOne() {
        Subscription s = upstream;
        if (++consumed == limit && s != null) {
            consumed = 0;
            s.request(limit);
        }
    }

    /** Whether something is taken out of the queue and not done with. */
    abstract boolean holds();

    /** Lets go of that. */
    abstract void discardHeld(Context context);

    /** What a discard hook is given of something that was sent. */
    abstract Stream<?> contents(T value);

    /** Whether it has completed, and nothing of it is left to take. */
    final boolean isExhausted() {
        return completed && isEmpty(); // the end before the values: they all came before it
    }

    /** Whether nothing of it is left to take for now. */
    final boolean isEmpty() {
        return !holds() && waiting.isEmpty();
    }

    /** How much of it is to be taken; a guess outside the drain loop. */
    final int buffered() {
        return waiting.size() + (holds() ? 1 : 0);
    }

    /** Lets go of what waits. */
    final void discard(Context context) {
        discardHeld(context);
        for (T value = waiting.poll(); value != null; value = waiting.poll()) {
            Operators.onDiscardMultiple(contents(value), context);
        }
    }

    @Override
    public final Context currentContext() {
        return owner.currentContext();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public final @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.PARENT) {
            return upstream;
        }
        if (key == Attr.ACTUAL) {
            return owner;
        }
        if (key == Attr.PREFETCH) {
            return prefetch;
        }
        if (key == Attr.BUFFERED) {
            return buffered();
        }
        if (key == Attr.CANCELLED) {
            return isCancelled();
        }
        if (key == Attr.TERMINATED) {
            return done && isEmpty();
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
