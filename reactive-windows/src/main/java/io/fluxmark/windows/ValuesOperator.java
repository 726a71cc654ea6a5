package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** The values of the runs, one by one. */
final class ValuesOperator<T> extends DrainOperator<StreamElement<T>, T> {

    private static final int PREFETCH = 2;

    private @Nullable EventBatch<T> batch;
    private int next;

    ValuesOperator(CoreSubscriber<? super T> actual) {
        super(actual, PREFETCH);
    }

    @Override
    protected void onInput(StreamElement<T> input) {
        if (input instanceof EventBatch<T> events) {
            batch = events;
            next = 0;
        }
    }

    @Override
    protected @Nullable T poll(boolean starved) {
        EventBatch<T> events = batch;
        if (events == null) {
            return null;
        }
        T value = events.value(next++);
        if (next == events.size()) {
            batch = null;
        }
        return value;
    }

    @Override
    protected boolean holdsOutput() {
        return batch != null;
    }

    /** So that the last value may be followed by the end without a further demand. */
    @Override
    protected boolean isIgnored(StreamElement<T> input) {
        return !(input instanceof EventBatch<T>);
    }

    @Override
    protected Stream<?> contents(StreamElement<T> input) {
        return EventBatch.contents(input);
    }

    @Override
    protected void discardHeld(Context context) {
        EventBatch<T> events = batch;
        batch = null;
        if (events != null) {
            for (int i = next; i < events.size(); i++) {
                Operators.onDiscard(events.value(i), context);
            }
        }
    }
}
