package io.fluxmark.aggregate.run;

import io.fluxmark.windows.StreamElement;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Where the driver hands elements to a lane, from its own loop and only where there is demand, so that an element is
 * worked through before the next is even read.
 */
final class PushSource implements Publisher<StreamElement<Event>>, Subscription {

    private @Nullable Subscriber<? super StreamElement<Event>> subscriber;
    private long requested;
    private boolean cancelled;

    @Override
    public void subscribe(Subscriber<? super StreamElement<Event>> actual) {
        subscriber = actual;
        actual.onSubscribe(this);
    }

    @Override
    public synchronized void request(long n) {
        requested = requested + n < 0 ? Long.MAX_VALUE : requested + n;
        notifyAll();
    }

    @Override
    public synchronized void cancel() {
        cancelled = true;
        notifyAll();
    }

    /** Hands {@code element} on as soon as it is asked for; false when nobody wants it any more. */
    boolean push(StreamElement<Event> element) {
        if (!awaitDemand()) {
            return false;
        }
        subscriber().onNext(element);
        return true;
    }

    /** Only a timer on another thread can keep demand from being there at once, for as long as it takes to emit. */
    private synchronized boolean awaitDemand() {
        try {
            while (requested == 0 && !cancelled) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        if (cancelled) {
            return false;
        }
        requested--;
        return true;
    }

    /** Ends the stream. */
    void complete() {
        synchronized (this) {
            if (cancelled) {
                return;
            }
        }
        subscriber().onComplete();
    }

    private Subscriber<? super StreamElement<Event>> subscriber() {
        Subscriber<? super StreamElement<Event>> actual = subscriber;
        if (actual == null) {
            throw new IllegalStateException("the lane has not subscribed yet");
        }
        return actual;
    }
}
