package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;

/**
 * The receiver of one lane: asks for a number of elements at a time, and hands results on at once, or holds them back
 * while those of other lanes are sorted in between. Guarded by a monitor that all lanes share, because a timer may emit
 * on a thread of its own.
 */
final class LaneOutput extends BaseSubscriber<StreamElement<WindowResult<Object, Value>>> {

    private final Object monitor;
    private final long demand;
    private final Consumer<WindowResult<Object, Value>> results;
    private final Deque<WindowResult<Object, Value>> held = new ArrayDeque<>();
    private long outstanding;
    private boolean holding;
    private boolean ended;
    private @Nullable Throwable failure;

    LaneOutput(Object monitor, long demand, Consumer<WindowResult<Object, Value>> results) {
        this.monitor = monitor;
        this.demand = demand;
        this.results = results;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        askForMore();
    }

    private void askForMore() {
        outstanding = demand;
        request(demand);
    }

    @Override
    protected void hookOnNext(StreamElement<WindowResult<Object, Value>> element) {
        boolean served;
        synchronized (monitor) {
            if (element instanceof EventBatch<WindowResult<Object, Value>> run) {
                for (int i = 0; i < run.size(); i++) {
                    if (holding) {
                        held.add(run.value(i));
                    } else {
                        results.accept(run.value(i));
                    }
                }
            }
            outstanding -= demand == Long.MAX_VALUE ? 0 : 1;
            served = outstanding == 0 && !holding;
            monitor.notifyAll();
        }
        if (served) {
            askForMore();
        }
    }

    @Override
    protected void hookOnComplete() {
        end(null);
    }

    @Override
    protected void hookOnError(Throwable throwable) {
        end(throwable);
    }

    private void end(@Nullable Throwable cause) {
        synchronized (monitor) {
            failure = cause;
            ended = true;
            monitor.notifyAll();
        }
    }

    /** From now on results are held back, no more of them than are asked for. */
    void hold() {
        synchronized (monitor) {
            holding = true;
        }
    }

    /** The result that comes next; null where there is none for now. Asks for what has not been asked for. */
    @Nullable
    WindowResult<Object, Value> peek() {
        while (held.isEmpty() && !ended && outstanding == 0) {
            askForMore();
        }
        return held.peek();
    }

    /** What {@link #peek} has found. */
    WindowResult<Object, Value> head() {
        return held.element();
    }

    /** Takes the result that comes next. */
    WindowResult<Object, Value> take() {
        return held.remove();
    }

    /** Results are handed on at once again; what is held back must have been taken. */
    void release() {
        boolean served;
        synchronized (monitor) {
            holding = false;
            served = outstanding == 0 && !ended;
        }
        if (served) {
            askForMore();
        }
    }

    boolean hasEnded() {
        synchronized (monitor) {
            return ended;
        }
    }

    /** What has ended the lane other than its end, or null. */
    @Nullable
    Throwable failure() {
        synchronized (monitor) {
            return failure;
        }
    }

    /** How many entries the windowed operator, which is right above, holds. */
    long stateEntries() {
        Object entries = Scannable.from(upstream()).scanUnsafe(Scannable.Attr.LARGE_BUFFERED);
        return entries instanceof Number number ? number.longValue() : 0;
    }
}
