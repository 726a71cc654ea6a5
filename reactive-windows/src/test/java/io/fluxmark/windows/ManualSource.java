package io.fluxmark.windows;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A source that signals what a test tells it, right or wrong, and records what is asked of it. */
final class ManualSource<I> extends Flux<I> implements Subscription, Scannable {

    final AtomicLong requested = new AtomicLong();
    final AtomicInteger cancels = new AtomicInteger();
    private volatile CoreSubscriber<? super I> subscriber;

    @Override
    public void subscribe(CoreSubscriber<? super I> actual) {
        subscriber = actual;
        actual.onSubscribe(this);
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public Object scanUnsafe(Attr key) {
        return null;
    }

    CoreSubscriber<? super I> subscriber() {
        return Objects.requireNonNull(subscriber);
    }

    Context context() {
        return subscriber().currentContext();
    }

    void next(I input) {
        subscriber().onNext(input);
    }

    void fail(Throwable failure) {
        subscriber().onError(failure);
    }

    void complete() {
        subscriber().onComplete();
    }

    @Override
    public void request(long n) {
        requested.accumulateAndGet(n, Operators::addCap);
    }

    @Override
    public void cancel() {
        cancels.incrementAndGet();
    }
}
