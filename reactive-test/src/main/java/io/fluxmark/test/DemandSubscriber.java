package io.fluxmark.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A subscriber with a fixed pattern of demand: it requests so many elements and, when they have come, as many again, by
 * turns from within {@code onNext} and from the thread that waits in {@link #await}, so that a publisher is also seen
 * without any demand. It watches the publisher meanwhile: more than was requested, a null, overlapping signals or a
 * signal after the end are failures, which {@link #await} throws.
 *
 * @param <T> the elements
 */
public final class DemandSubscriber<T> implements CoreSubscriber<T> {

    private final long batch;
    private final Consumer<? super T> listener;
    private final List<T> received = new ArrayList<>();

    /** A permit for whoever waits: demand has run out, or all is over. */
    private final Semaphore turns = new Semaphore(0);

    private final AtomicLong outstanding = new AtomicLong();
    private final AtomicInteger signalling = new AtomicInteger();

    private volatile @Nullable Subscription subscription;
    private volatile @Nullable Throwable failure;
    private volatile boolean ended;
    private volatile boolean cancelled;

    /** Confined to the publisher's serial signals. */
    private long missing;

    /** Whether it is the waiting thread's turn to request. */
    private boolean waiter;

    private DemandSubscriber(long batch, Consumer<? super T> listener) {
        if (batch < 1) {
            throw new IllegalArgumentException("a demand is at least 1 but was " + batch);
        }
        this.batch = batch;
        this.listener = listener;
        this.missing = batch;
    }

    /** Requests {@code batch} elements at a time; {@link Long#MAX_VALUE} is unbounded. */
    public static <T> DemandSubscriber<T> requesting(long batch) {
        return new DemandSubscriber<>(batch, element -> {});
    }

    /** The same; {@code listener} is called with each element, and what it throws cancels and is thrown by await. */
    public static <T> DemandSubscriber<T> requesting(long batch, Consumer<? super T> listener) {
        return new DemandSubscriber<>(batch, listener);
    }

    /** Empty: this is where the stream ends. */
    @Override
    public Context currentContext() {
        return Context.empty();
    }

    @Override
    public void onSubscribe(Subscription s) {
        if (subscription != null) {
            s.cancel();
            violate("a second onSubscribe");
            return;
        }
        subscription = s;
        demand(s);
    }

    private void demand(Subscription s) {
        outstanding.accumulateAndGet(batch, Operators::addCap);
        s.request(batch);
    }

    @Override
    public void onNext(T element) {
        if (cancelled) {
            return;
        }
        enter();
        if (ended) {
            violate("onNext(" + element + ") after the end");
        } else if (element == null) {
            violate("onNext(null)");
        } else if (outstanding.decrementAndGet() < 0) {
            violate("onNext(" + element + ") without demand");
        } else {
            hear(element);
        }
        signalling.decrementAndGet();
        replenish();
    }

    private void hear(T element) {
        received.add(element);
        try {
            listener.accept(element);
        } catch (AssertionError | RuntimeException e) {
            end(e);
        }
    }

    private void replenish() {
        Subscription s = subscription;
        if (--missing == 0 && !cancelled && s != null) {
            missing = batch;
            waiter = !waiter;
            if (waiter) {
                turns.release();
            } else {
                demand(s);
            }
        }
    }

    @Override
    public void onError(Throwable error) {
        terminate("onError(" + error + ")", new IllegalStateException("the publisher failed: " + error, error));
    }

    @Override
    public void onComplete() {
        terminate("onComplete", null);
    }

    private void terminate(String signal, @Nullable Throwable error) {
        if (cancelled) {
            return;
        }
        enter();
        if (ended) {
            violate(signal + " after the end");
        } else {
            failure = error;
        }
        signalling.decrementAndGet();
        ended = true;
        turns.release();
    }

    private void enter() {
        if (signalling.getAndIncrement() != 0) {
            violate("signals overlap");
        }
    }

    private void violate(String what) {
        end(new AssertionError("the publisher broke Reactive Streams with a demand of " + batch + ": " + what));
    }

    private void end(Throwable reason) {
        if (cancelled) {
            return;
        }
        cancelled = true;
        failure = reason;
        Subscription s = subscription;
        if (s != null) {
            s.cancel();
        }
        ended = true;
        turns.release();
    }

    /**
     * Waits for the end, requesting meanwhile, and returns what came. To be called once.
     *
     * @param patience the longest time between two requests, or to the end
     * @throws AssertionError when nothing ends within {@code patience}, or the publisher broke a rule
     * @throws IllegalStateException with the publisher's error as its cause
     */
    public List<T> await(Duration patience) {
        while (!ended) {
            if (!turn(patience)) {
                end(new AssertionError("a demand of " + batch + " was not met within " + patience + "; "
                        + received.size() + " elements came"));
            }
            Subscription s = subscription;
            if (!ended && s != null) {
                demand(s);
            }
        }
        Throwable reason = failure;
        if (reason instanceof Error e) {
            throw e;
        }
        if (reason instanceof RuntimeException e) {
            throw e;
        }
        return received;
    }

    private boolean turn(Duration patience) {
        try {
            return turns.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end", e);
        }
    }
}
