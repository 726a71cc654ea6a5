package io.fluxmark.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/**
 * A subscriber with a fixed pattern of demand: it requests so many elements, and again as many when they have come. It
 * watches the publisher meanwhile: more than was requested, a null, overlapping signals or a signal after the end are
 * failures, which {@link #await} throws.
 *
 * @param <T> the elements
 */
public final class DemandSubscriber<T> implements CoreSubscriber<T> {

    private final long batch;
    private final Consumer<? super T> listener;
    private final List<T> received = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicLong outstanding = new AtomicLong();
    private final AtomicLong signalling = new AtomicLong();

    private volatile @Nullable Subscription subscription;
    private volatile @Nullable Throwable error;
    private volatile @Nullable AssertionError violation;
    private volatile boolean cancelled;
    private long missing;

    private DemandSubscriber(long batch, Consumer<? super T> listener) {
        if (batch < 1) {
            throw new IllegalArgumentException("a demand is at least 1 but was " + batch);
        }
        this.batch = batch;
        this.listener = listener;
    }

    /** Requests {@code batch} elements at a time; {@link Long#MAX_VALUE} is unbounded. */
    public static <T> DemandSubscriber<T> requesting(long batch) {
        return new DemandSubscriber<>(batch, element -> {});
    }

    /** The same; {@code listener} is called with each element, and what it throws cancels and is thrown by await. */
    public static <T> DemandSubscriber<T> requesting(long batch, Consumer<? super T> listener) {
        return new DemandSubscriber<>(batch, listener);
    }

    @Override
    public void onSubscribe(Subscription s) {
        if (subscription != null) {
            violate("a second onSubscribe");
            return;
        }
        subscription = s;
        missing = batch;
        demand(s);
    }

    private void demand(Subscription s) {
        if (batch != Long.MAX_VALUE) {
            outstanding.addAndGet(batch);
        }
        s.request(batch);
    }

    @Override
    public void onNext(T element) {
        if (cancelled) {
            return;
        }
        enter();
        try {
            if (ended.getCount() == 0) {
                violate("onNext(" + element + ") after the end");
                return;
            }
            if (batch != Long.MAX_VALUE && outstanding.decrementAndGet() < 0) {
                violate("onNext(" + element + ") without demand");
                return;
            }
            if (element == null) {
                violate("onNext(null)");
                return;
            }
            received.add(element);
            hear(element);
        } finally {
            signalling.decrementAndGet();
        }
        Subscription s = subscription;
        if (batch != Long.MAX_VALUE && --missing == 0 && s != null) {
            missing = batch;
            demand(s);
        }
    }

    private void hear(T element) {
        try {
            listener.accept(element);
        } catch (AssertionError | RuntimeException e) {
            end(e);
        }
    }

    @Override
    public void onError(Throwable failure) {
        terminate("onError(" + failure + ")", failure);
    }

    @Override
    public void onComplete() {
        terminate("onComplete", null);
    }

    private void terminate(String signal, @Nullable Throwable failure) {
        if (cancelled) {
            return;
        }
        enter();
        if (ended.getCount() == 0) {
            violate(signal + " after the end");
        }
        error = failure;
        signalling.decrementAndGet();
        ended.countDown();
    }

    private void enter() {
        if (signalling.getAndIncrement() != 0) {
            violate("signals overlap");
        }
    }

    private void violate(String what) {
        end(new AssertionError("the publisher broke Reactive Streams with a demand of " + batch + ": " + what));
    }

    private void end(Throwable failure) {
        if (violation != null) {
            return;
        }
        cancelled = true;
        Subscription s = subscription;
        if (s != null) {
            s.cancel();
        }
        if (failure instanceof AssertionError e) {
            violation = e;
        } else {
            error = failure;
        }
        ended.countDown();
    }

    /**
     * Waits for the end and returns what came.
     *
     * @throws AssertionError when there is no end within {@code timeout}, or the publisher broke a rule
     * @throws IllegalStateException with the publisher's error as its cause
     */
    public List<T> await(Duration timeout) {
        boolean over;
        try {
            over = ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end", e);
        }
        AssertionError broken = violation;
        if (broken != null) {
            throw broken;
        }
        Subscription s = subscription;
        if (!over) {
            if (s != null) {
                s.cancel();
            }
            throw new AssertionError("no end within " + timeout + " with a demand of " + batch + "; " + received.size()
                    + " elements came");
        }
        Throwable failure = error;
        if (failure != null) {
            throw new IllegalStateException("the publisher failed: " + failure, failure);
        }
        return received;
    }
}
