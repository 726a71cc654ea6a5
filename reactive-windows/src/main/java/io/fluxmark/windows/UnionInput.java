package io.fluxmark.windows;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** One stream of a union: the run whose events are taken, and the watermark and the standing that it has told. */
final class UnionInput<T> extends MergeInput<StreamElement<T>> {

    private @Nullable EventBatch<T> run;
    private int next;

    /** Its own watermark behind what is taken. */
    private long watermark = Watermark.NONE;

    /** Whether silence moved it there. */
    private boolean byTimeout;

    private boolean idle;
    private @Nullable CheckpointBarrier<T> barrier;

    UnionInput(Owner owner, int index, int prefetch) {
        super(owner, index, prefetch);
    }

    /**
     * Goes on to its next event, where it has none yet; takes in what its control elements say before that, up to a barrier, which
     * nothing passes.
     *
     * @return whether one of them has changed its watermark or its standing
     */
    boolean advance() {
        boolean changed = false;
        while (run == null && barrier == null) {
            StreamElement<T> element = poll();
            if (element == null) {
                break;
            }
            if (element instanceof EventBatch<T> events) {
                run = events;
                next = 0;
                changed |= idle || Watermark.advances(watermark, events.watermarkBefore(0));
                idle = false;
                byTimeout = false;
                watermark = Watermark.later(watermark, events.watermarkBefore(0));
                break;
            }
            if (element instanceof CheckpointBarrier<T> next) {
                barrier = next;
                break;
            }
            changed |= control(element);
            isDoneWithOne();
        }
        return changed;
    }

    private boolean control(StreamElement<T> element) {
        if (element instanceof Idle<T> told) {
            boolean changes = idle != told.idle();
            idle = told.idle();
            return changes;
        }
        Watermark<T> told = (Watermark<T>) element;
        if (!Watermark.advances(watermark, told.timestamp())) {
            return false;
        }
        watermark = told.timestamp();
        byTimeout = told.byTimeout();
        return true;
    }

    boolean hasEvent() {
        return run != null;
    }

    /** The time of the next event, epoch ms. */
    long timestamp() {
        return run().timestamp(next);
    }

    /** Takes the next event; behind it the watermark is its own, before the following one or behind the run. */
    int take(EventBatchBuilder<T> into, long combined) {
        EventBatch<T> events = run();
        int sign = events.sign(next);
        into.add(events.value(next), events.timestamp(next), combined, sign);
        if (++next == events.size()) {
            run = null;
            watermark = Watermark.later(watermark, events.watermarkAfter());
            isDoneWithOne();
        } else {
            watermark = Watermark.later(watermark, events.watermarkBefore(next));
        }
        return sign;
    }

    private EventBatch<T> run() {
        return Objects.requireNonNull(run, "run");
    }

    long watermark() {
        return watermark;
    }

    boolean byTimeout() {
        return byTimeout;
    }

    boolean isIdle() {
        return idle;
    }

    @Nullable
    CheckpointBarrier<T> barrier() {
        return barrier;
    }

    /** The barrier has been handed on. */
    void passBarrier() {
        if (barrier != null) {
            barrier = null;
            isDoneWithOne();
        }
    }

    @Override
    boolean holds() {
        return run != null || barrier != null;
    }

    @Override
    void discardHeld(Context context) {
        EventBatch<T> events = run;
        for (int i = next; events != null && i < events.size(); i++) {
            Operators.onDiscard(events.value(i), context);
        }
        run = null;
        barrier = null;
    }

    @Override
    Stream<?> contents(StreamElement<T> element) {
        return EventBatch.contents(element);
    }
}
