package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * A run whose events are being asked about. Calls are begun, and what came of them is taken, in the drain loop; they end on
 * whatever thread.
 */
final class AsyncRun<T, R> {

    /** A failure that ends the stream, and the event of it. */
    private record Fatal(Throwable cause, int index) {}

    private final AsyncMapOperator<T, R> operator;
    private final EventBatch<T> events;
    private final List<AsyncCall<R>> calls;

    /** How many calls have begun: written in the drain loop. */
    private volatile int begun;

    private final AtomicInteger ended = new AtomicInteger();

    /** The first failure, where failures end the stream. */
    private final AtomicReference<@Nullable Fatal> fatal = new AtomicReference<>();

    AsyncRun(AsyncMapOperator<T, R> operator, EventBatch<T> events) {
        this.operator = operator;
        this.events = events;
        this.calls = new ArrayList<>(events.size());
    }

    /** Begins calls, of the next events in order, until {@code most} are under way. */
    void begin(Function<? super T, ? extends Publisher<? extends R>> function, int most) {
        for (int i = begun; i < events.size() && mayBegin(i, most); i++) {
            AsyncCall<R> call = new AsyncCall<>(this, i);
            calls.add(call);
            begun = i + 1; // before it can end
            Publisher<? extends R> answer;
            try {
                answer = Objects.requireNonNull(
                        function.apply(events.value(i)), "the function of mapAsync returned null");
            } catch (Throwable t) {
                Exceptions.throwIfFatal(t);
                call.onError(t);
                continue;
            }
            answer.subscribe(call);
        }
    }

    private boolean mayBegin(int i, int most) {
        return i - ended.get() < most && fatal.get() == null && !operator.isUnwanted();
    }

    /** A call has ended. On any thread. */
    void callEnded() {
        // Whoever reads that it was the last, or that others wait for their turn, has the drain loop look.
        boolean isLast = ended.incrementAndGet() == events.size();
        if (isLast || begun < events.size()) {
            operator.callHasEnded();
        }
    }

    /** A call has failed. On any thread. */
    void callFailed(AsyncCall<R> call, Throwable failure) {
        if (operator.isFatal(failure)) {
            if (!fatal.compareAndSet(null, new Fatal(failure, call.index()))) {
                Operators.onErrorDropped(failure, currentContext());
            }
            ended.incrementAndGet();
            operator.callHasEnded();
        } else {
            callEnded();
        }
    }

    /** Throws what ends the stream, where a call has brought that about. */
    void throwFatal() {
        Fatal first = fatal.get();
        if (first != null) {
            FailedEvent.addTo(first.cause(), events, first.index());
            throw Exceptions.propagate(first.cause());
        }
    }

    /** Whether all calls have ended. */
    boolean isComplete() {
        return ended.get() == events.size();
    }

    /** What the run has become, in the order of its events; of failed ones {@code failed} is told first. */
    StreamElement<R> build(@Nullable FailedEvents failed) {
        int size = calls.size();
        for (int i = 0; i < size; i++) {
            if (failed != null && calls.get(i).outcome() instanceof AsyncCall.Failure failure) {
                failed.add(events, i, (Exception) failure.cause());
            }
        }
        Object[] results = new Object[size];
        int[] kept = new int[size];
        int count = 0;
        for (int i = 0; i < size; i++) {
            Object result = calls.get(i).take();
            if (result != null && result != AsyncCall.NOTHING && !(result instanceof AsyncCall.Failure)) {
                results[count] = result;
                kept[count++] = i;
            }
        }
        return events.pick(results, kept, count);
    }

    /** Cancels what is under way, and lets go of results and of what nobody has asked about. */
    void discard(Context context) {
        for (AsyncCall<R> call : calls) {
            call.cancel(context);
        }
        for (int i = begun; i < events.size(); i++) {
            Operators.onDiscard(events.value(i), context);
        }
    }

    Stream<AsyncCall<R>> calls() {
        return IntStream.range(0, begun).mapToObj(calls::get); // the list never grows beyond what it has room for
    }

    AsyncMapOperator<T, R> operator() {
        return operator;
    }

    Context currentContext() {
        return operator.currentContext();
    }
}
