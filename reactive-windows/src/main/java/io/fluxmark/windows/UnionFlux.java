package io.fluxmark.windows;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** The publisher of a union, of which every subscription makes an operator of its own. */
final class UnionFlux<T> extends Flux<StreamElement<T>> implements Scannable {

    private final List<Publisher<StreamElement<T>>> streams;
    private final int prefetch;
    private final int runSize;

    private UnionFlux(List<Publisher<StreamElement<T>>> streams, LaneContext lane) {
        this.streams = streams;
        this.prefetch = AnnouncedLane.asksAhead(lane) ? Elements.UNION_PREFETCH : 1;
        this.runSize = Math.min(EventBatch.MAX_SIZE, lane.runSize());
    }

    static <T> Flux<StreamElement<T>> of(List<? extends Publisher<StreamElement<T>>> streams, LaneContext lane) {
        if (streams.isEmpty() || streams.size() > EventTime.MAX_SOURCES) {
            throw new IllegalArgumentException("a union has 1.." + EventTime.MAX_SOURCES + " streams but was given "
                    + streams.size() + ": make unions of groups of them first");
        }
        return onAssembly(new UnionFlux<>(List.copyOf(streams), lane));
    }

    @Override
    public void subscribe(CoreSubscriber<? super StreamElement<T>> actual) {
        UnionOperator<T> operator;
        try {
            operator = new UnionOperator<>(actual, streams.size(), prefetch, runSize);
        } catch (Throwable t) {
            Operators.error(actual, Operators.onOperatorError(t, actual.currentContext()));
            return;
        }
        operator.subscribeTo(streams);
    }

    @Override
    public int getPrefetch() {
        return prefetch;
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.NAME) {
            return "union";
        }
        if (key == Attr.PARENT) {
            return streams.get(0); // a chain can only go on to one: the others are the operator's inners
        }
        if (key == Attr.PREFETCH) {
            return prefetch;
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
