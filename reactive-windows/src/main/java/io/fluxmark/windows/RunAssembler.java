package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Collects plain values into runs: whatever is available, up to the run size, and never waiting to fill one. When the
 * source completes the stream ends, which the watermark {@link Watermark#END} says.
 */
final class RunAssembler<T> extends DrainOperator<T, StreamElement<T>> {

    private final int runSize;
    private Object[] values;
    private int size;
    private boolean ended;

    RunAssembler(CoreSubscriber<? super StreamElement<T>> actual, int runSize) {
        super(actual, runSize);
        this.runSize = runSize;
        this.values = new Object[runSize];
    }

    @Override
    protected void onInput(T input) {
        values[size++] = input;
        while (size < runSize) {
            T next = takeNext();
            if (next == null) {
                return;
            }
            values[size++] = next;
        }
    }

    @Override
    protected boolean absorb(T input) {
        if (size == runSize) {
            return false;
        }
        values[size++] = input;
        return true;
    }

    @Override
    protected @Nullable StreamElement<T> poll(boolean starved) {
        if (size == runSize || (starved && size > 0)) {
            return build();
        }
        if (ended) {
            ended = false;
            return new Watermark<>(Watermark.END);
        }
        return null;
    }

    private EventBatch<T> build() {
        Object[] run = values;
        if (size == runSize) {
            values = new Object[runSize];
        } else {
            run = Arrays.copyOf(values, size);
            Arrays.fill(values, 0, size, null);
        }
        EventBatch<T> batch = new EventBatch<>(run, size, null, null, Watermark.NONE, Watermark.NONE, null);
        size = 0;
        return batch;
    }

    @Override
    protected void onInputEnd() {
        ended = true;
    }

    @Override
    protected boolean holdsOutput() {
        return size > 0 || ended;
    }

    @Override
    protected void discardHeld(Context context) {
        for (int i = 0; i < size; i++) {
            Operators.onDiscard(values[i], context);
        }
        size = 0;
    }
}
