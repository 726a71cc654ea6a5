package io.fluxmark.windows;

import io.fluxmark.windows.internal.PassThroughOperator;
import java.util.function.Predicate;
import reactor.core.CoreSubscriber;

/** Keeps the values that match; of a run that keeps none its watermark goes on (S34). */
final class FilterOperator<T> extends PassThroughOperator<StreamElement<T>, StreamElement<T>> {

    private final Predicate<? super T> predicate;
    private final EventBatchBuilder<T> kept = EventBatch.builder();

    FilterOperator(CoreSubscriber<? super StreamElement<T>> actual, Predicate<? super T> predicate) {
        super(actual);
        this.predicate = predicate;
    }

    @Override
    protected StreamElement<T> apply(StreamElement<T> element) {
        if (!(element instanceof EventBatch<T> batch)) {
            return element;
        }
        boolean timed = batch.isTimed();
        int i = 0;
        try {
            for (; i < batch.size(); i++) {
                if (predicate.test(batch.value(i))) {
                    kept.add(batch.value(i), timed ? batch.timestamp(i) : 0, batch.watermarkBefore(i), batch.sign(i));
                }
            }
        } catch (Throwable t) {
            FailedEvent.addTo(t, batch, i);
            throw t;
        }
        if (kept.size() == batch.size()) {
            kept.clear();
            return batch;
        }
        if (kept.size() == 0) {
            return new Watermark<>(batch.watermarkAfter());
        }
        EventBatch<T> run = kept.build(batch.watermarkAfter());
        return timed ? run : run.withoutTimestamps();
    }
}
