package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Makes any number of results of each event. A run becomes one run where they fit into it, else several, each of which waits
 * for demand: what is left of an event's results stays in their iterator. A run that becomes nothing becomes its watermark (S34).
 */
final class ManyOperator<T, R> extends DrainOperator<StreamElement<T>, StreamElement<R>> {

    private final Function<? super T, ? extends Iterable<? extends R>> function;
    private final @Nullable FailedEvents failed;
    private final int runSize;

    /** The run that is worked through, the next event of it, and what is left of the results of the one before. */
    private @Nullable EventBatch<T> batch;

    private int next;
    private @Nullable Iterator<? extends R> results;
    private boolean resultsEnd;

    /** The run that is put together: results, and which events they are of. Empty between two calls. */
    private final Object[] values;

    private final int[] indexes;
    private int count;

    private @Nullable StreamElement<R> control;

    private ManyOperator(
            CoreSubscriber<? super StreamElement<R>> actual,
            Function<? super T, ? extends Iterable<? extends R>> function,
            @Nullable FailedEvents failed,
            LaneContext lane) {
        super(actual, 1, false);
        this.function = function;
        this.failed = failed;
        this.runSize = Math.min(EventBatch.MAX_SIZE, lane.runSize());
        this.values = new Object[runSize];
        this.indexes = new int[runSize];
    }

    /** @param guard where goes what the function fails on; null where that ends the stream */
    static <T, R> Flux<StreamElement<R>> flux(
            Publisher<StreamElement<T>> source,
            String name,
            Function<? super T, ? extends Iterable<? extends R>> function,
            @Nullable FailureGuard guard,
            LaneContext lane) {
        return OperatorFlux.of(
                source,
                name,
                actual -> new ManyOperator<T, R>(actual, function, guard == null ? null : guard.open(lane), lane));
    }

    @Override
    protected void onInput(StreamElement<T> input) {
        if (input instanceof EventBatch<T> run) {
            batch = run;
            next = 0;
        } else {
            control = ControlElements.retype(input);
        }
    }

    @Override
    protected @Nullable StreamElement<R> poll(boolean starved) {
        StreamElement<R> element = control;
        if (element != null) {
            control = null;
            if (failed != null && element instanceof CheckpointBarrier<R> barrier) {
                failed.save(barrier.transaction());
            }
            return element;
        }
        EventBatch<T> run = batch;
        if (run == null) {
            return null;
        }
        while (hasResult(run) && count < runSize) {
            take(run);
        }
        if (count == runSize && hasResult(run)) {
            return build(run, run.watermarkBefore(indexes[count - 1])); // and of the rest another run
        }
        batch = null;
        return count > 0 ? build(run, run.watermarkAfter()) : new Watermark<>(run.watermarkAfter());
    }

    /** Whether there is another result of the run; asks the function about events until there is. */
    private boolean hasResult(EventBatch<T> run) {
        while (true) {
            Iterator<? extends R> left = results;
            if (left != null && hasNext(run, left)) {
                return true;
            }
            results = null;
            if (next == run.size()) {
                return false;
            }
            next++;
            results = expand(run, next - 1);
        }
    }

    private boolean hasNext(EventBatch<T> run, Iterator<? extends R> left) {
        try {
            return left.hasNext();
        } catch (Throwable t) {
            FailedEvent.addTo(t, run, next - 1);
            throw t;
        }
    }

    private void take(EventBatch<T> run) {
        try {
            values[count] = Objects.requireNonNull(
                    Objects.requireNonNull(results, "results").next(), "a result of mapMany is null");
        } catch (Throwable t) {
            FailedEvent.addTo(t, run, next - 1);
            throw t;
        }
        indexes[count++] = next - 1;
    }

    @SuppressWarnings("CatchingUnchecked") // a function can throw a checked exception without saying so
    private @Nullable Iterator<? extends R> expand(EventBatch<T> run, int i) {
        FailedEvents guard = failed;
        try {
            Iterable<? extends R> made =
                    Objects.requireNonNull(function.apply(run.value(i)), "the function of mapMany returned null");
            // Where an event that fails is left out, nothing of it may be on its way when it does.
            Iterable<? extends R> certain = guard == null ? made : collect(made);
            resultsEnd = certain instanceof Collection<?>;
            return certain.iterator();
        } catch (Exception e) {
            if (guard != null) {
                guard.add(run, i, e);
                return null;
            }
            FailedEvent.addTo(e, run, i);
            throw e;
        } catch (Throwable t) {
            FailedEvent.addTo(t, run, i);
            throw t;
        }
    }

    private static <R> List<R> collect(Iterable<? extends R> made) {
        List<R> all = new ArrayList<>();
        for (R result : made) {
            if (all.size() == Elements.MAX_RESULTS) {
                throw new IllegalStateException("mapMany made more than " + Elements.MAX_RESULTS
                        + " results of one event, which are collected where a failure policy may leave the event out: make"
                        + " fewer, or use FailurePolicy.fail()");
            }
            all.add(Objects.requireNonNull(result, "a result of mapMany is null"));
        }
        return all;
    }

    private StreamElement<R> build(EventBatch<T> run, long after) {
        EventBatch<R> built = run.spread(values, indexes, count, after);
        forget();
        return built;
    }

    private void forget() {
        Arrays.fill(values, 0, count, null);
        count = 0;
    }

    @Override
    protected boolean holdsOutput() {
        return control != null || batch != null;
    }

    @Override
    protected Stream<?> contents(StreamElement<T> input) {
        return EventBatch.contents(input);
    }

    @Override
    protected void discardHeld(Context context) {
        for (int i = 0; i < count; i++) {
            Operators.onDiscard(values[i], context);
        }
        forget();
        Operators.onDiscardMultiple(results, resultsEnd, context);
        EventBatch<T> run = batch;
        for (int i = next; run != null && i < run.size(); i++) {
            Operators.onDiscard(run.value(i), context);
        }
        results = null;
        batch = null;
        control = null;
    }
}
