package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** The publisher of two streams in one: the immutable definition, of which every subscription makes an operator of its own. */
final class JoinInputsFlux<L, R> extends Flux<StreamElement<JoinEvent<L, R>>> implements Scannable {

    private final Flux<StreamElement<L>> left;
    private final Flux<StreamElement<R>> right;
    private final String name;
    private final LaneContext lane;

    private JoinInputsFlux(Flux<StreamElement<L>> left, Flux<StreamElement<R>> right, String name, LaneContext lane) {
        this.left = left;
        this.right = right;
        this.name = name;
        this.lane = lane;
    }

    static <L, R> Flux<StreamElement<JoinEvent<L, R>>> of(
            Flux<StreamElement<L>> left, Flux<StreamElement<R>> right, String name, LaneContext lane) {
        return onAssembly(new JoinInputsFlux<>(left, right, name, lane));
    }

    @Override
    public void subscribe(CoreSubscriber<? super StreamElement<JoinEvent<L, R>>> actual) {
        JoinInputsOperator<L, R> operator;
        try {
            operator = new JoinInputsOperator<>(actual, name, lane);
        } catch (Throwable t) {
            Operators.error(actual, Operators.onOperatorError(t, actual.currentContext()));
            return;
        }
        operator.subscribeTo(left, right);
    }

    @Override
    public int getPrefetch() {
        return JoinInputQueue.PREFETCH;
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.NAME) {
            return name;
        }
        if (key == Attr.PARENT) {
            return left; // a chain can only go on to one: both are the operator's inners
        }
        if (key == Attr.PREFETCH) {
            return JoinInputQueue.PREFETCH;
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
