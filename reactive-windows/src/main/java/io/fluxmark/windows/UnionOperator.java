package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Merges streams that have watermarks of their own: before each event the smallest of them is in force that is not of an idle or
 * ended stream (S25-S31).
 *
 * <p>Taken next is the earliest among the events at hand, of equal ones that of the first stream; a stream that has nothing at hand
 * is not waited for. Behind a retraction comes what the same stream has next, so that a correction stays together. A barrier
 * comes once all streams that have not ended have brought it, and nothing behind it is taken before.
 *
 * <p>The streams put what they send into queues of their own and wake the drain loop; the operator has no other input.
 */
final class UnionOperator<T> extends DrainOperator<StreamElement<T>, StreamElement<T>> implements MergeInput.Owner {

    private static final Comparator<UnionInput<?>> EARLIEST =
            Comparator.<UnionInput<?>>comparingLong(UnionInput::timestamp).thenComparingInt(UnionInput::index);

    private final List<UnionInput<T>> inputs = new ArrayList<>();
    private final AtomicInteger uncompleted;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final int runSize;

    /** The inputs that have an event at hand. */
    private final PriorityQueue<UnionInput<T>> heads;

    /** The watermarks of those that hold the others. */
    private final SmallestWatermark active;

    /** The input whose next event belongs to what was taken last. */
    private @Nullable UnionInput<T> correcting;

    private final EventBatchBuilder<T> builder = EventBatch.builder();

    /** What is put together and not handed out yet. */
    private @Nullable EventBatch<T> run;

    private long watermark = Watermark.NONE;
    private long told = Watermark.NONE;
    private boolean idleTold;

    /** Whether all that have not ended are idle. */
    private boolean idle;

    /** Whether silence, and no event, is why the watermark has moved. */
    private boolean byTimeout;

    UnionOperator(CoreSubscriber<? super StreamElement<T>> actual, int count, int prefetch, int runSize) {
        super(actual, prefetch);
        this.uncompleted = new AtomicInteger(count);
        this.heads = new PriorityQueue<>(count, EARLIEST);
        this.runSize = runSize;
        this.active = new SmallestWatermark(count);
        for (int i = 0; i < count; i++) {
            inputs.add(new UnionInput<>(this, i, prefetch));
        }
    }

    /** Subscribes to the streams. */
    void subscribeTo(List<? extends Publisher<StreamElement<T>>> publishers) {
        onSubscribe(new Subscription() {

            /** Asked once, in the drain loop: whoever sends on the spot waits there until all are subscribed to. */
            @Override
            public void request(long n) {
                for (int i = 0; i < publishers.size() && !inputs.get(i).isCancelled(); i++) {
                    publishers.get(i).subscribe(inputs.get(i));
                }
            }

            @Override
            public void cancel() {
                inputs.forEach(MergeInput::cancel);
            }
        });
    }

    @Override
    public void inputHasSent() {
        wakeUp();
    }

    /** The others are cancelled, and what has come is delivered before the error. */
    @Override
    public void inputFailed(Throwable failure) {
        if (failed.compareAndSet(false, true)) {
            failUpstream(failure);
        } else {
            Operators.onErrorDropped(failure, currentContext());
        }
    }

    /** Which is the end if it was the last. */
    @Override
    public void inputCompleted() {
        if (uncompleted.decrementAndGet() == 0) {
            onComplete();
        } else {
            wakeUp();
        }
    }

    @Override
    protected void onInput(StreamElement<T> input) {
        throw new IllegalStateException("a union has its elements from its streams alone");
    }

    @Override
    protected @Nullable StreamElement<T> poll(boolean starved) {
        if (run == null) {
            run = assemble();
        }
        EventBatch<T> next = run;
        if (next != null) {
            if (idleTold && !idle) {
                idleTold = false;
                return new Idle<>(false);
            }
            run = null;
            told = next.watermarkAfter();
            return next;
        }
        StreamElement<T> news = news();
        return news != null ? news : barrier();
    }

    private @Nullable EventBatch<T> assemble() {
        boolean silent = false;
        for (UnionInput<T> input : inputs) {
            if (!input.hasEvent()) {
                silent |= look(input) && !input.hasEvent();
            }
        }
        combine(silent);
        while (builder.size() < runSize) {
            UnionInput<T> next = next();
            if (next == null) {
                break;
            }
            boolean corrects = next.take(builder, watermark) < 0;
            look(next);
            correcting = corrects && heads.remove(next) ? next : null;
            if (next.hasEvent()) {
                active.set(next.index(), next.watermark());
                advanceTo(active.get(), false);
            } else {
                combine(false);
            }
        }
        return builder.size() == 0 ? null : builder.build(watermark);
    }

    private @Nullable UnionInput<T> next() {
        UnionInput<T> same = correcting;
        return same != null ? same : heads.poll();
    }

    /** Looks for the next event of an input that is not among the heads; says whether it has said something else. */
    private boolean look(UnionInput<T> input) {
        boolean changed = !input.hasEvent() && input.advance();
        if (input.hasEvent()) {
            heads.add(input);
        }
        return changed;
    }

    /** @param silent whether it may be that no event is why the watermark moves */
    private void combine(boolean silent) {
        long highestIdle = Watermark.NONE;
        boolean someActive = false;
        boolean someIdle = false;
        boolean timedOut = false;
        for (UnionInput<T> input : inputs) {
            boolean holds = !input.isExhausted() && !input.isIdle();
            active.set(input.index(), holds ? input.watermark() : Watermark.END);
            someActive |= holds;
            timedOut |= input.byTimeout();
            if (!input.isExhausted() && input.isIdle()) {
                someIdle = true;
                highestIdle = Watermark.later(highestIdle, input.watermark());
            }
        }
        idle = someIdle && !someActive;
        advanceTo(idle ? highestIdle : active.get(), silent && (someIdle || timedOut));
    }

    private void advanceTo(long combined, boolean bySilence) {
        if (Watermark.advances(watermark, combined)) {
            watermark = combined;
            byTimeout = bySilence;
        }
    }

    private @Nullable StreamElement<T> news() {
        if (Watermark.advances(told, watermark)) {
            told = watermark;
            idleTold &= watermark != Watermark.END;
            return new Watermark<>(watermark, byTimeout);
        }
        if (idleTold != idle && watermark != Watermark.END) {
            idleTold = idle;
            return new Idle<>(idle);
        }
        return null;
    }

    /** The barrier that all have brought, or null. */
    private @Nullable StreamElement<T> barrier() {
        if (!hasBarrier()) {
            return null;
        }
        CheckpointBarrier<T> first = null;
        List<SourcePosition> positions = new ArrayList<>();
        boolean last = true;
        for (UnionInput<T> input : inputs) {
            CheckpointBarrier<T> each = input.barrier();
            if (each == null) {
                continue;
            }
            if (first != null && first.transaction() != each.transaction()) {
                throw new IllegalStateException(
                        "the streams of a union have brought barriers of different transactions, "
                                + first.transaction().id() + " and "
                                + each.transaction().id()
                                + ": one barrier has to go through all of them");
            }
            first = first == null ? each : first;
            last &= each.last();
            each.positions().stream()
                    .filter(position -> !positions.contains(position))
                    .forEach(positions::add);
            input.passBarrier();
        }
        return first == null ? null : new CheckpointBarrier<>(first.transaction(), positions, last);
    }

    private boolean hasBarrier() {
        boolean some = false;
        for (UnionInput<T> input : inputs) {
            if (input.barrier() != null) {
                some = true;
            } else if (!input.isExhausted()) {
                return false;
            }
        }
        return some;
    }

    @Override
    protected void onPause(boolean demanded, boolean over) {
        if (over) {
            discardInputs(currentContext()); // what crossed the end on its way
        }
    }

    @Override
    protected void onInputEnd() {
        combine(false);
    }

    @Override
    protected boolean holdsOutput() {
        return run != null || buffered() > 0 || Watermark.advances(told, watermark) || idleTold != idle;
    }

    private int buffered() {
        int buffered = 0;
        for (UnionInput<T> input : inputs) {
            buffered += input.buffered();
        }
        return buffered;
    }

    private void discardInputs(Context context) {
        for (UnionInput<T> input : inputs) {
            input.discard(context);
        }
    }

    @Override
    protected void discardHeld(Context context) {
        EventBatch<T> held = run != null ? run : builder.size() > 0 ? builder.build(Watermark.NONE) : null;
        run = null;
        heads.clear();
        correcting = null;
        if (held != null) {
            Operators.onDiscardMultiple(EventBatch.contents(held), context);
        }
        discardInputs(context);
    }

    @Override
    public Stream<? extends Scannable> inners() {
        return inputs.stream();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.BUFFERED) {
            return buffered();
        }
        if (key == Attr.TERMINATED) {
            return Boolean.TRUE.equals(super.scanUnsafe(key)) && buffered() == 0;
        }
        return key == Attr.PARENT ? null : super.scanUnsafe(key);
    }
}
