package io.fluxmark.windows;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;

/**
 * The publisher of every operator here: it holds the immutable definition as a function that makes the subscriber, whose
 * state is new for each subscription.
 */
final class OperatorFlux<I, O> extends FluxOperator<I, O> {

    private final String name;
    private final Function<CoreSubscriber<? super O>, CoreSubscriber<? super I>> operator;

    private OperatorFlux(
            Flux<? extends I> source,
            String name,
            Function<CoreSubscriber<? super O>, CoreSubscriber<? super I>> operator) {
        super(source);
        this.name = name;
        this.operator = operator;
    }

    static <I, O> Flux<O> of(
            Publisher<? extends I> source,
            String name,
            Function<CoreSubscriber<? super O>, CoreSubscriber<? super I>> operator) {
        return onAssembly(new OperatorFlux<I, O>(Flux.from(source), name, operator));
    }

    @Override
    public void subscribe(CoreSubscriber<? super O> actual) {
        CoreSubscriber<? super I> subscriber;
        try {
            subscriber = operator.apply(actual);
        } catch (Throwable t) {
            Operators.error(actual, Operators.onOperatorError(t, actual.currentContext()));
            return;
        }
        source.subscribe(subscriber);
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.NAME) {
            return name;
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : super.scanUnsafe(key);
    }
}
