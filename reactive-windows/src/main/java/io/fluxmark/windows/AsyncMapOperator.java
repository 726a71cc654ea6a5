package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Asks a function about each event that answers later. One run is worked on at a time: its calls begin in order, as many at
 * once as may be under way, and what they bring goes on as one run when all have ended. So order is kept, and no watermark,
 * barrier or word of idleness passes a call.
 *
 * <p>The next element is asked for only when nothing is under way. Where sources make runs of the announced size, all calls of
 * one are under way at once, and a barrier waits for these and for nothing else.
 *
 * <p>Calls end on threads that are not the lane's, which must not be made to do the lane's work: they have it woken on its clock.
 */
final class AsyncMapOperator<T, R> extends DrainOperator<StreamElement<T>, StreamElement<R>> {

    private final Function<? super T, ? extends Publisher<? extends R>> function;
    private final int concurrency;
    private final @Nullable FailedEvents failed;
    private final Scheduler clock;

    /** The run that is worked on: by the drain loop, and looked at by whoever scans. */
    private volatile @Nullable AsyncRun<T, R> run;

    private @Nullable StreamElement<R> control;

    /** Why the lane can't be woken on its clock. Not an upstream error: the upstream may have completed, and waits for a call. */
    private volatile @Nullable RuntimeException rejected;

    /**
     * The thread that is beginning calls. Compared only with the current thread, which can't mistake another's write for its
     * own.
     */
    private @Nullable Thread beginning;

    private AsyncMapOperator(
            CoreSubscriber<? super StreamElement<R>> actual,
            Function<? super T, ? extends Publisher<? extends R>> function,
            int concurrency,
            @Nullable FailedEvents failed,
            LaneContext lane) {
        super(actual, 1, false);
        this.function = function;
        this.concurrency = concurrency;
        this.failed = failed;
        this.clock = lane.clock();
    }

    /** @param guard where goes what the function fails on; null where that ends the stream */
    static <T, R> Flux<StreamElement<R>> flux(
            Publisher<StreamElement<T>> source,
            String name,
            Function<? super T, ? extends Publisher<? extends R>> function,
            int concurrency,
            @Nullable FailureGuard guard,
            LaneContext lane) {
        return OperatorFlux.of(
                source,
                name,
                actual -> new AsyncMapOperator<T, R>(
                        actual, function, concurrency, guard == null ? null : guard.open(lane), lane));
    }

    static void requireConcurrency(int concurrency) {
        if (concurrency < 1 || concurrency > EventBatch.MAX_SIZE) {
            throw new IllegalArgumentException("mapAsync has 1.." + EventBatch.MAX_SIZE
                    + " calls under way at once but was to have " + concurrency);
        }
    }

    @Override
    protected void onInput(StreamElement<T> input) {
        if (input instanceof EventBatch<T> batch) {
            run = new AsyncRun<>(this, batch);
        } else {
            control = ControlElements.retype(input);
        }
    }

    @Override
    protected @Nullable StreamElement<R> poll(boolean starved) {
        StreamElement<R> next = control;
        if (next != null) {
            control = null;
            if (failed != null && next instanceof CheckpointBarrier<R> barrier) {
                failed.save(barrier.transaction());
            }
            return next;
        }
        AsyncRun<T, R> current = run;
        if (current == null) {
            return null;
        }
        RuntimeException reason = rejected;
        if (reason != null) {
            throw reason;
        }
        begin(current);
        current.throwFatal();
        if (!current.isComplete()) {
            return null;
        }
        StreamElement<R> results = current.build(failed);
        run = null;
        return results;
    }

    private void begin(AsyncRun<T, R> current) {
        beginning = Thread.currentThread();
        try {
            current.begin(function, concurrency);
        } finally {
            beginning = null;
        }
    }

    /** A call has ended, and there is something to do. On any thread. */
    void callHasEnded() {
        if (beginning == Thread.currentThread()) {
            return; // the drain loop looks when it has begun what it may
        }
        try {
            clock.schedule(this::wakeUp);
        } catch (RejectedExecutionException e) {
            rejected = Operators.onRejectedExecution(e, actual().currentContext());
            wakeUp();
        }
    }

    /** Whether nobody listens any more. */
    boolean isUnwanted() {
        return isCancelled();
    }

    /** Whether a call that fails so ends the stream. */
    boolean isFatal(Throwable failure) {
        return failed == null || !(failure instanceof Exception);
    }

    @Override
    protected boolean mustWait(boolean atEnd) {
        return run != null;
    }

    @Override
    protected boolean holdsOutput() {
        AsyncRun<T, R> current = run;
        return control != null || (current != null && current.isComplete());
    }

    @Override
    protected Stream<?> contents(StreamElement<T> input) {
        return EventBatch.contents(input);
    }

    @Override
    protected void discardHeld(Context context) {
        AsyncRun<T, R> current = run;
        run = null;
        control = null;
        if (current != null) {
            current.discard(context);
        }
    }

    @Override
    public Stream<? extends Scannable> inners() {
        AsyncRun<T, R> current = run;
        return current == null ? Stream.empty() : current.calls();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.RUN_STYLE) {
            return Attr.RunStyle.ASYNC;
        }
        if (key == Attr.RUN_ON) {
            return clock;
        }
        if (key == Attr.TERMINATED) {
            return Boolean.TRUE.equals(super.scanUnsafe(key)) && run == null;
        }
        return super.scanUnsafe(key);
    }
}
