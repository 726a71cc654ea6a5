package io.fluxmark.windows.internal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The machinery of an operator that turns each input into exactly one output: no queue, demand and cancel pass through.
 *
 * @param <I> the inputs
 * @param <O> the outputs
 */
public abstract class PassThroughOperator<I, O> implements CoreSubscriber<I>, Subscription, Scannable {

    private final CoreSubscriber<? super O> actual;
    private @Nullable Subscription upstream;
    private boolean done;
    private volatile boolean cancelled;

    /** @param actual the downstream */
    protected PassThroughOperator(CoreSubscriber<? super O> actual) {
        this.actual = actual;
    }

    /** The output of {@code input}. What it throws ends the stream. */
    protected abstract O apply(I input);

    @Override
    public final void onSubscribe(Subscription subscription) {
        if (Operators.validate(upstream, subscription)) {
            upstream = subscription;
            actual.onSubscribe(this);
        }
    }

    @Override
    public final void onNext(I input) {
        if (done) {
            Operators.onNextDropped(input, actual.currentContext());
            return;
        }
        O output;
        try {
            output = Objects.requireNonNull(apply(input), "output");
        } catch (Throwable t) {
            done = true;
            actual.onError(Operators.onOperatorError(upstream, t, input, actual.currentContext()));
            return;
        }
        actual.onNext(output);
    }

    @Override
    public final void onError(Throwable failure) {
        if (done) {
            Operators.onErrorDropped(failure, actual.currentContext());
            return;
        }
        done = true;
        actual.onError(failure);
    }

    @Override
    public final void onComplete() {
        if (!done) {
            done = true;
            actual.onComplete();
        }
    }

    @Override
    public final void request(long n) {
        Subscription s = upstream;
        if (s != null) {
            s.request(n);
        }
    }

    @Override
    public final void cancel() {
        cancelled = true;
        Subscription s = upstream;
        if (s != null) {
            s.cancel();
        }
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.PARENT) {
            return upstream;
        }
        if (key == Attr.ACTUAL) {
            return actual;
        }
        if (key == Attr.TERMINATED) {
            return done;
        }
        if (key == Attr.CANCELLED) {
            return cancelled;
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
