package io.fluxmark.benchmarks;

import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** Asks for a number of elements, and for the next that many when they have come. */
final class StepwiseSubscriber extends BaseSubscriber<Object> {

    private final long step;
    private final Sinks.Empty<Void> end = Sinks.empty();
    private long received;

    private StepwiseSubscriber(long step) {
        this.step = step;
    }

    /** Subscribes and waits for the end. */
    static void drain(Flux<?> source, long step) {
        StepwiseSubscriber subscriber = new StepwiseSubscriber(step);
        source.subscribe(subscriber);
        subscriber.end.asMono().block();
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        subscription.request(step);
    }

    @Override
    protected void hookOnNext(Object element) {
        if (++received == step) {
            received = 0;
            request(step);
        }
    }

    @Override
    protected void hookOnComplete() {
        end.tryEmitEmpty();
    }

    @Override
    protected void hookOnError(Throwable failure) {
        end.tryEmitError(failure);
    }
}
