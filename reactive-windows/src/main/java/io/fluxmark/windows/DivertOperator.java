package io.fluxmark.windows;

import io.fluxmark.windows.internal.PassThroughOperator;
import java.util.function.Predicate;
import reactor.core.CoreSubscriber;

/** Takes the values that match out of the stream and hands them to a side output, whose rows go with the barriers. */
final class DivertOperator<T> extends PassThroughOperator<StreamElement<T>, StreamElement<T>> {

    private final Predicate<? super T> predicate;
    private final SideSink.Output<? super T> output;
    private final int[] kept = new int[EventBatch.MAX_SIZE];

    DivertOperator(
            CoreSubscriber<? super StreamElement<T>> actual,
            Predicate<? super T> predicate,
            SideSink.Output<? super T> output) {
        super(actual);
        this.predicate = predicate;
        this.output = output;
    }

    @Override
    protected StreamElement<T> apply(StreamElement<T> element) {
        if (element instanceof CheckpointBarrier<T> barrier) {
            output.flush(barrier.transaction());
        }
        return element instanceof EventBatch<T> batch ? divert(batch) : element;
    }

    private StreamElement<T> divert(EventBatch<T> batch) {
        boolean timed = batch.isTimed();
        int size = 0;
        int i = 0;
        try {
            for (; i < batch.size(); i++) {
                T value = batch.value(i);
                if (predicate.test(value)) {
                    output.accept(value, timed ? batch.timestamp(i) : Long.MIN_VALUE, batch.sign(i));
                } else {
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
