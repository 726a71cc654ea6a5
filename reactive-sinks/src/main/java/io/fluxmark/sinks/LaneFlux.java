package io.fluxmark.sinks;

import java.util.function.Function;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;

/** The publisher of an operator of this package: makes the subscriber, whose state is new for each subscription. */
final class LaneFlux<I, O> extends FluxOperator<I, O> {

    private final Function<CoreSubscriber<? super O>, CoreSubscriber<? super I>> operator;

    LaneFlux(Flux<? extends I> source, Function<CoreSubscriber<? super O>, CoreSubscriber<? super I>> operator) {
        super(source);
        this.operator = operator;
    }

    @Override
    public void subscribe(CoreSubscriber<? super O> actual) {
        source.subscribe(operator.apply(actual));
    }
}
