package io.fluxmark.windows;

import io.fluxmark.windows.internal.PassThroughOperator;
import reactor.core.CoreSubscriber;

/** Applies a function to values, and leaves out what it makes nothing of; what it throws ends the stream. */
final class StepOperator<T, R> extends PassThroughOperator<StreamElement<T>, StreamElement<R>> {

    private final GuardedOperator.Step<? super T, ? extends R> step;
    private final int[] kept = new int[EventBatch.MAX_SIZE];

    StepOperator(CoreSubscriber<? super StreamElement<R>> actual, GuardedOperator.Step<? super T, ? extends R> step) {
        super(actual);
        this.step = step;
    }

    @Override
    protected StreamElement<R> apply(StreamElement<T> element) {
        if (!(element instanceof EventBatch<T> run)) {
            return ControlElements.retype(element);
        }
        Object[] values = new Object[run.size()];
        int size = 0;
        int i = 0;
        try {
            for (; i < values.length; i++) {
                R value = step.apply(run.value(i));
                if (value != null) {
                    values[size] = value;
                    kept[size++] = i;
                }
            }
        } catch (Throwable t) {
            FailedEvent.addTo(t, run, i);
            throw t;
        }
        return run.pick(values, kept, size);
    }
}
