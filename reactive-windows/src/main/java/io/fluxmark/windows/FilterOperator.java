package io.fluxmark.windows;

import io.fluxmark.windows.internal.PassThroughOperator;
import java.util.function.Predicate;
import reactor.core.CoreSubscriber;

/** Keeps the values that match; of a run that keeps none its watermark goes on (S34). */
final class FilterOperator<T> extends PassThroughOperator<StreamElement<T>, StreamElement<T>> {

    private final Predicate<? super T> predicate;
    private final int[] kept = new int[EventBatch.MAX_SIZE];

    FilterOperator(CoreSubscriber<? super StreamElement<T>> actual, Predicate<? super T> predicate) {
        super(actual);
        this.predicate = predicate;
    }

    @Override
    protected StreamElement<T> apply(StreamElement<T> element) {
        if (!(element instanceof EventBatch<T> batch)) {
            return element;
        }
        int size = 0;
        int i = 0;
        try {
            for (; i < batch.size(); i++) {
                if (predicate.test(batch.value(i))) {
                    kept[size++] = i;
                }
            }
        } catch (Throwable t) {
            FailedEvent.addTo(t, batch, i);
            throw t;
        }
        return batch.keep(kept, size);
    }
}
