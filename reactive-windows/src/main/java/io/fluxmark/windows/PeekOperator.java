package io.fluxmark.windows;

import io.fluxmark.windows.internal.PassThroughOperator;
import java.util.function.Consumer;
import reactor.core.CoreSubscriber;

/** Shows each value to a function, in order, and hands the run on as it is. */
final class PeekOperator<T> extends PassThroughOperator<StreamElement<T>, StreamElement<T>> {

    private final Consumer<? super T> consumer;

    PeekOperator(CoreSubscriber<? super StreamElement<T>> actual, Consumer<? super T> consumer) {
        super(actual);
        this.consumer = consumer;
    }

    @Override
    protected StreamElement<T> apply(StreamElement<T> element) {
        if (element instanceof EventBatch<T> batch) {
            int i = 0;
            try {
                for (; i < batch.size(); i++) {
                    consumer.accept(batch.value(i));
                }
            } catch (Throwable t) {
                FailedEvent.addTo(t, batch, i);
                throw t;
            }
        }
        return element;
    }
}
