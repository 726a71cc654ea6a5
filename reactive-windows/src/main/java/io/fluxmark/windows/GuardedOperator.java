package io.fluxmark.windows;

import io.fluxmark.windows.internal.PassThroughOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;

/** Applies a function to values; an event that it fails on leaves the run, as one does that it makes nothing of. */
final class GuardedOperator<T, R> extends PassThroughOperator<StreamElement<T>, StreamElement<R>> {

    /** What is done with a value. */
    interface Step<T, R> {

        /** What the value becomes; null leaves it out. */
        @Nullable
        R apply(T value);
    }

    private final Step<? super T, ? extends R> step;
    private final FailedEvents failed;
    private final int[] kept = new int[EventBatch.MAX_SIZE];

    GuardedOperator(
            CoreSubscriber<? super StreamElement<R>> actual, Step<? super T, ? extends R> step, FailedEvents failed) {
        super(actual);
        this.step = step;
        this.failed = failed;
    }

    @Override
    protected StreamElement<R> apply(StreamElement<T> element) {
        if (element instanceof EventBatch<T> run) {
            return apply(run);
        }
        if (element instanceof CheckpointBarrier<T> barrier) {
            failed.save(barrier.transaction());
        }
        return ControlElements.retype(element);
    }

    private StreamElement<R> apply(EventBatch<T> run) {
        Object[] values = new Object[run.size()];
        int size = 0;
        for (int i = 0; i < values.length; i++) {
            R value = apply(run, i);
            if (value != null) {
                values[size] = value;
                kept[size++] = i;
            }
        }
        return run.pick(values, kept, size);
    }

    @SuppressWarnings("CatchingUnchecked") // a function can throw a checked exception without saying so
    private @Nullable R apply(EventBatch<T> run, int i) {
        try {
            return step.apply(run.value(i));
        } catch (Exception e) {
            failed.add(run, i, e);
            return null;
        } catch (Throwable t) {
            FailedEvent.addTo(t, run, i);
            throw t;
        }
    }
}
