package io.fluxmark.windows.internal;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The machinery of an operator where one input may become any number of outputs: a bounded input queue, demand
 * accounting, and one drain loop that alone talks downstream.
 *
 * <p>A subclass says what to do with an input ({@link #onInput}), and hands out, one at a time and only when there is
 * demand, what it holds ({@link #poll}). The next input is taken only when nothing is left to hand out, so nothing but
 * the queue of {@code prefetch} inputs and what one input became is ever buffered. All hooks are called serially.
 *
 * <p>An operator that does not ask ahead has one input at a time, and asks for the next when there is demand and nothing left
 * to do: then nothing waits in it behind what it works on.
 *
 * <p>An upstream that answers a request on the spot, before {@code request} returns, fills the buffer first; the drain
 * loop looks at it afterwards. What such an upstream has at hand is so seen together, and costs no atomic operation each.
 *
 * <p>An upstream error is delivered after what came before it. Cancel discards what is queued and held, exactly once.
 *
 * @param <I> the inputs
 * @param <O> the outputs
 */
public abstract class DrainOperator<I, O> implements CoreSubscriber<I>, Subscription, Scannable {

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<DrainOperator> REQUESTED =
            AtomicLongFieldUpdater.newUpdater(DrainOperator.class, "requested");

    private final CoreSubscriber<? super O> actual;
    private final int prefetch;
    private final int limit;
    private final boolean asksAhead;
    private final InputBuffer<I> inputs;
    private final AtomicInteger wip = new AtomicInteger();
    private final Questions questions = new Questions();

    private @Nullable Subscription upstream;

    /**
     * The thread that is in the drain loop and asks the upstream. Compared only with the current thread, which can't
     * mistake another's write for its own.
     */
    private @Nullable Thread asking;

    /** Whether what it is asked for may go to {@link #absorb}. */
    private boolean absorbing;

    private volatile long requested;
    private volatile boolean cancelled;
    private volatile boolean done;

    /** Written before {@link #done}, read after it. */
    private @Nullable Throwable error;

    /** Confined to the drain loop: inputs taken since the last request, whether the end was announced, or all is over. */
    private int consumed;

    private boolean endAnnounced;
    private boolean terminated;

    /** How it ended, when it has: confined as well. */
    private boolean completed;

    private @Nullable Throwable failure;

    /**
     * @param actual the downstream
     * @param prefetch how many inputs are requested ahead, at least 1
     */
    protected DrainOperator(CoreSubscriber<? super O> actual, int prefetch) {
        this(actual, prefetch, true);
    }

    /**
     * The same.
     *
     * @param asksAhead whether the next inputs are requested while one is worked on; else {@code prefetch} has no say
     */
    protected DrainOperator(CoreSubscriber<? super O> actual, int prefetch, boolean asksAhead) {
        if (prefetch < 1) {
            throw new IllegalArgumentException("prefetch > 0 required but it was " + prefetch);
        }
        this.asksAhead = asksAhead;
        this.actual = actual;
        this.prefetch = asksAhead ? prefetch : 1;
        this.limit = this.prefetch - (this.prefetch >> 2);
        this.inputs = new InputBuffer<>(this.prefetch);
    }

    /** Takes one input. Called only when {@link #poll} has returned null. What it throws ends the stream. */
    protected abstract void onInput(I input);

    /**
     * The next output, or null when another input is needed. Called only when there is demand for the output.
     *
     * @param starved whether no input is waiting: the moment to let go of what would be kept for company
     */
    protected abstract @Nullable O poll(boolean starved);

    /**
     * May take an input on the spot that an upstream brings while the drain loop asks it, with nothing older waiting; what
     * is taken is held, like what {@link #onInput} takes, until there is demand for it. Must not throw.
     *
     * @return whether it was taken
     */
    protected boolean absorb(I input) {
        return false;
    }

    /** No input will come any more, and there was no error; may leave something to {@link #poll}. */
    protected void onInputEnd() {
        // most operators have nothing to add
    }

    /**
     * Whether the next input, or the end, has to wait for something outside; {@link #wakeUp} when that has come.
     *
     * @param atEnd whether the end is next, and not an input
     */
    protected boolean mustWait(boolean atEnd) {
        return false;
    }

    /** Whether {@link #poll} would return something, with {@code starved} true. */
    protected abstract boolean holdsOutput();

    /** Lets go of everything held, after a cancel or an error; called exactly once. */
    protected abstract void discardHeld(Context context);

    /** What a discard hook is given of an input that is let go before it was taken. */
    protected Stream<?> contents(I input) {
        return Stream.of(input);
    }

    /** Whether {@code input} changes nothing and becomes nothing, so that it needs no demand to be taken. */
    protected boolean isIgnored(I input) {
        return false;
    }

    /**
     * Nothing more can be done for now; called behind every pass of the drain loop, with demand or without, and also when
     * the stream is over. Must not throw.
     *
     * @param demanded whether there is demand that nothing was there for
     * @param over whether the stream has completed, failed or been cancelled
     */
    protected void onPause(boolean demanded, boolean over) {
        // most operators have nothing to watch
    }

    /**
     * Asks the operator something. The answer is made in the drain loop, between two elements, whatever the demand and
     * also when the stream is over, once for each subscription. It is signalled on the thread that is there: do not block
     * in it. Thread-safe. Errors with what {@code answer} throws, and with {@link IllegalStateException} when too many
     * questions wait already; neither harms the stream.
     */
    protected final <A> Mono<A> ask(Supplier<? extends A> answer) {
        return questions.ask(answer, this::drain);
    }

    /** Whether the stream has completed, failed or been cancelled. In the drain loop only. */
    protected final boolean isOver() {
        return terminated || cancelled; // what is cancelled is as good as gone, also before the loop has seen it
    }

    /** Whether it has completed. In the drain loop only. */
    protected final boolean hasCompleted() {
        return completed;
    }

    /** What it has failed with, or null. In the drain loop only. */
    protected final @Nullable Throwable failure() {
        return failure;
    }

    /** Whether there is something to hand out, or to take, that downstream has not asked for. In the drain loop only. */
    protected final boolean waitsForDemand() {
        return !terminated && requested == 0 && (holdsOutput() || !inputs.isEmpty());
    }

    /** Work has been added outside the stream of inputs: look at {@link #poll} again. Thread-safe. */
    protected final void wakeUp() {
        drain();
    }

    /** Fails the stream from outside, as an upstream error would. Thread-safe; ignored once the stream is done. */
    protected final void failUpstream(Throwable failure) {
        Subscription s = upstream;
        if (s != null) {
            s.cancel();
        }
        onError(failure);
    }

    /** Takes no further input: the stream completes once what is held has been handed out. For the hooks only. */
    protected final void endEarly() {
        if (!done) {
            Subscription s = upstream;
            if (s != null) {
                s.cancel();
            }
            done = true;
        }
        discardInputs();
    }

    /** Whether downstream has cancelled. */
    protected final boolean isCancelled() {
        return cancelled;
    }

    /** The downstream. */
    protected final CoreSubscriber<? super O> actual() {
        return actual;
    }

    @Override
    public final void onSubscribe(Subscription subscription) {
        if (Operators.validate(upstream, subscription)) {
            upstream = subscription;
            actual.onSubscribe(this);
            if (wip.getAndIncrement() == 0) {
                askAbsorbing(subscription, prefetch);
                drainLoop();
            } else {
                subscription.request(prefetch);
            }
        }
    }

    private void askAbsorbing(Subscription subscription, long n) {
        absorbing = true;
        ask(subscription, n);
        absorbing = false;
    }

    private void ask(Subscription subscription, long n) {
        asking = Thread.currentThread();
        try {
            subscription.request(n);
        } finally {
            asking = null;
        }
    }

    @Override
    public final void onNext(I input) {
        Objects.requireNonNull(input, "input");
        if (done) {
            Operators.onNextDropped(input, actual.currentContext());
            return;
        }
        boolean fromDrain = asking == Thread.currentThread();
        if (fromDrain && absorbing && inputs.isEmpty() && absorb(input)) {
            consumed++;
            return;
        }
        if (!(fromDrain ? inputs.offerFromDrain(input) : inputs.offer(input))) {
            Operators.onDiscardMultiple(contents(input), actual.currentContext());
            Subscription s = upstream;
            if (s != null) {
                s.cancel();
            }
            error = Exceptions.failWithOverflow("the upstream sent more than the " + prefetch + " elements requested");
            done = true;
        }
        if (!fromDrain) {
            drain();
        }
    }

    @Override
    public final void onError(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        if (done) {
            Operators.onErrorDropped(failure, actual.currentContext());
            return;
        }
        error = failure;
        done = true;
        drain();
    }

    @Override
    public final void onComplete() {
        if (!done) {
            done = true;
            drain();
        }
    }

    @Override
    public final void request(long n) {
        if (Operators.validate(n)) {
            Operators.addCap(REQUESTED, this, n);
            drain();
        }
    }

    @Override
    public void cancel() {
        if (!cancelled) {
            cancelled = true;
            Subscription s = upstream;
            if (s != null) {
                s.cancel();
            }
            drain();
        }
    }

    private void drain() {
        if (wip.getAndIncrement() == 0) {
            drainLoop();
        }
    }

    private void drainLoop() {
        int missed = 1;
        do {
            drainOnce();
            questions.answer();
            onPause(!terminated && requested != 0, terminated);
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
    }

    private void drainOnce() {
        if (terminated) {
            discardInputs(); // an input that crossed a cancel or a failure on its way
            return;
        }
        long demand = requested;
        long emitted = 0;
        while (!terminated) {
            if (cancelled) {
                discardAll();
                return;
            }
            if (emitted == demand) {
                terminateIfExhausted();
                break;
            }
            boolean ended = done; // before the inputs: an end seen without inputs is the end
            boolean starved = inputs.isEmpty();
            O output;
            try {
                output = poll(starved);
            } catch (Throwable t) {
                fail(Operators.onOperatorError(upstream, t, actual.currentContext()));
                return;
            }
            if (output != null) {
                emitted++;
                actual.onNext(output);
            } else if (starved && !ended) {
                if (!replenish()) {
                    break;
                }
            } else if (mustWait(starved)) {
                break;
            } else if (starved) {
                end();
            } else {
                takeInput();
            }
        }
        if (emitted != 0 && demand != Long.MAX_VALUE) {
            Operators.produced(REQUESTED, this, emitted);
        }
    }

    /** For {@link #onInput}, where it has use for more than one: the next input that is waiting, or null. */
    protected final @Nullable I takeNext() {
        I input = inputs.poll();
        if (input != null && ++consumed >= limit && asksAhead) {
            int taken = consumed;
            consumed = 0;
            ask(Objects.requireNonNull(upstream, "upstream"), taken);
        }
        return input;
    }

    /** For the hooks: whether another input waits. */
    protected final boolean hasInputs() {
        return !inputs.isEmpty();
    }

    /** Asks for as much as was absorbed, once that is much, or for the next where none was asked for; false where not. */
    private boolean replenish() {
        int absorbed = consumed;
        if (absorbed < limit || (!asksAhead && mustWait(false))) {
            return false;
        }
        consumed = 0;
        askAbsorbing(Objects.requireNonNull(upstream, "upstream"), absorbed);
        questions.answer();
        return true;
    }

    private void takeInput() {
        I input = Objects.requireNonNull(takeNext(), "input");
        if (consumed == 0) {
            questions.answer(); // upstream was asked just now, and may have more for ever: the pass need not end
        }
        try {
            onInput(input);
        } catch (Throwable t) {
            fail(Operators.onOperatorError(upstream, t, input, actual.currentContext()));
        }
    }

    /** Without demand the stream may still end, when nothing is left that would need demand. */
    private void terminateIfExhausted() {
        boolean ended = done;
        I head = inputs.peek();
        while (head != null && isIgnored(head) && !holdsOutput() && !mustWait(false)) {
            takeInput();
            head = inputs.peek();
        }
        if (ended && head == null && !holdsOutput() && !mustWait(true)) {
            end();
            if (!terminated && !holdsOutput() && !mustWait(true)) {
                end();
            }
        }
    }

    /** The first call announces the end to the subclass, the second, when that left nothing to emit, ends the stream. */
    private void end() {
        Throwable upstreamError = error;
        if (upstreamError != null) {
            fail(upstreamError);
        } else if (!endAnnounced) {
            endAnnounced = true;
            try {
                onInputEnd();
            } catch (Throwable t) {
                fail(Operators.onOperatorError(upstream, t, actual.currentContext()));
            }
        } else {
            terminated = true;
            completed = true;
            actual.onComplete();
        }
    }

    private void fail(Throwable cause) {
        failure = cause;
        done = true;
        Subscription s = upstream;
        if (s != null) {
            s.cancel();
        }
        discardAll();
        terminated = true;
        actual.onError(cause);
    }

    private void discardInputs() {
        inputs.discard(actual.currentContext(), this::contents);
    }

    private void discardAll() {
        discardInputs();
        if (!terminated) {
            terminated = true;
            discardHeld(actual.currentContext());
        }
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.PARENT) {
            return upstream;
        }
        if (key == Attr.ACTUAL) {
            return actual;
        }
        if (key == Attr.PREFETCH) {
            return prefetch;
        }
        if (key == Attr.BUFFERED) {
            return inputs.size();
        }
        if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
            return requested;
        }
        if (key == Attr.CANCELLED) {
            return cancelled;
        }
        if (key == Attr.TERMINATED) {
            return done && inputs.isEmpty();
        }
        if (key == Attr.ERROR) {
            return error;
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
