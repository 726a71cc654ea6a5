package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Brings two streams that have their time already into one, with the watermark of both in force before each event: the smaller
 * one of the streams that are not idle (S25 to S31). Read next is the earlier of the two first events at hand, of equal ones
 * that of the left; a stream that has nothing at hand is not waited for, since it holds the watermark.
 *
 * <p>The streams put what they send into queues of their own and wake the drain loop; the operator has no other input.
 */
final class JoinInputsOperator<L, R> extends DrainOperator<StreamElement<L>, StreamElement<JoinEvent<L, R>>>
        implements WatermarkSource {

    private final String name;
    private final LaneContext lane;
    private final JoinInputQueue<L> left;
    private final JoinInputQueue<R> right;
    private final AtomicInteger uncompleted = new AtomicInteger(2);
    private final AtomicBoolean failed = new AtomicBoolean();
    private final EventBatchBuilder<JoinEvent<L, R>> builder = EventBatch.builder();

    /** What is put together and not handed out yet. */
    private @Nullable EventBatch<JoinEvent<L, R>> run;

    /** The watermark of both, and what of it downstream knows. */
    private long watermark = Watermark.NONE;

    private long told = Watermark.NONE;
    private boolean byTimeout;
    private boolean idleTold;

    JoinInputsOperator(CoreSubscriber<? super StreamElement<JoinEvent<L, R>>> actual, String name, LaneContext lane) {
        super(actual, JoinInputQueue.PREFETCH);
        this.name = name;
        this.lane = lane;
        this.left = new JoinInputQueue<>(this, "left");
        this.right = new JoinInputQueue<>(this, "right");
    }

    /** Subscribes to both. */
    void subscribeTo(Publisher<StreamElement<L>> ofLeft, Publisher<StreamElement<R>> ofRight) {
        onSubscribe(new Subscription() {

            /** Asked once, in the drain loop: whoever sends on the spot waits there until both are subscribed to. */
            @Override
            public void request(long n) {
                if (!left.isCancelled()) {
                    ofLeft.subscribe(left);
                }
                if (!right.isCancelled()) {
                    ofRight.subscribe(right);
                }
            }

            @Override
            public void cancel() {
                left.cancel();
                right.cancel();
            }
        });
    }

    /** The lane's clock, epoch ms. */
    long now() {
        return lane.clock().now(TimeUnit.MILLISECONDS);
    }

    /** One of them has sent something. Thread-safe. */
    void hasSent() {
        wakeUp();
    }

    /** One of them has failed: the other is cancelled, and what has come is delivered before the error. Thread-safe. */
    void hasFailed(Throwable failure) {
        if (failed.compareAndSet(false, true)) {
            failUpstream(failure);
        } else {
            Operators.onErrorDropped(failure, currentContext());
        }
    }

    /** One of them has completed, which is the end if it was the last. Thread-safe. */
    void hasCompleted(JoinInputQueue<?> input) {
        if (uncompleted.decrementAndGet() == 0) {
            onComplete();
        } else {
            wakeUp();
        }
    }

    @Override
    public Mono<WatermarkOrigin> origin() {
        return ask(() -> new WatermarkOrigin(
                name, watermark, List.of(left.progress(0, isHeldBy(left)), right.progress(1, isHeldBy(right)))));
    }

    private boolean isHeldBy(JoinInputQueue<?> input) {
        return input.isActive() && watermark != Watermark.END && !Watermark.advances(combined(), input.watermark());
    }

    @Override
    protected void onInput(StreamElement<L> input) {
        throw new IllegalStateException("a join has its inputs from its two streams alone");
    }

    @Override
    protected @Nullable StreamElement<JoinEvent<L, R>> poll(boolean starved) {
        if (run == null) {
            run = assemble();
        }
        EventBatch<JoinEvent<L, R>> next = run;
        if (next != null) {
            if (idleTold && !isIdle()) {
                idleTold = false;
                return new Idle<>(false);
            }
            run = null;
            told = next.watermarkAfter();
            return next;
        }
        if (Watermark.advances(told, watermark)) {
            told = watermark;
            return new Watermark<>(told, byTimeout);
        }
        if (idleTold != isIdle()) {
            idleTold = !idleTold;
            return new Idle<>(idleTold);
        }
        return null;
    }

    private @Nullable EventBatch<JoinEvent<L, R>> assemble() {
        boolean hasLeft = left.look();
        boolean hasRight = right.look();
        combine();
        while ((hasLeft || hasRight) && !builder.isFull()) {
            boolean isLeft = hasLeft && (!hasRight || left.timestamp() <= right.timestamp());
            long timestamp = isLeft ? left.timestamp() : right.timestamp();
            int sign = isLeft ? left.sign() : right.sign();
            builder.add(
                    isLeft ? JoinEvent.ofLeft(left.take()) : JoinEvent.ofRight(right.take()),
                    timestamp,
                    watermark,
                    sign);
            hasLeft = left.look();
            hasRight = right.look();
            combine();
        }
        return builder.size() == 0 ? null : builder.build(watermark);
    }

    private void combine() {
        long both = combined();
        if (Watermark.advances(watermark, both)) {
            watermark = both;
            byTimeout = left.isByTimeout() || right.isByTimeout();
        }
    }

    private long combined() {
        if (left.isActive()) {
            return right.isActive() ? Watermark.earlier(left.watermark(), right.watermark()) : left.watermark();
        }
        if (right.isActive()) {
            return right.watermark();
        }
        if (left.isIdle() || right.isIdle()) {
            return left.isFinished()
                    ? right.watermark()
                    : right.isFinished() ? left.watermark() : Watermark.later(left.watermark(), right.watermark());
        }
        return Watermark.earlier(left.watermark(), right.watermark());
    }

    private boolean isIdle() {
        return !left.isActive() && !right.isActive() && (left.isIdle() || right.isIdle());
    }

    @Override
    protected void onPause(boolean demanded, boolean over) {
        if (over) {
            discardSides(currentContext()); // what crossed the end on its way
        }
    }

    @Override
    protected boolean holdsOutput() {
        return run != null
                || Watermark.advances(told, combined())
                || left.buffered() + right.buffered() > 0
                || idleTold != isIdle();
    }

    private void discardSides(Context context) {
        left.discard(context);
        right.discard(context);
    }

    @Override
    protected void discardHeld(Context context) {
        EventBatch<JoinEvent<L, R>> held =
                run != null ? run : builder.size() > 0 ? builder.build(Watermark.NONE) : null;
        run = null;
        if (held != null) {
            for (int i = 0; i < held.size(); i++) {
                JoinEvent<L, R> event = held.value(i);
                Operators.onDiscard(event.left() == null ? event.right() : event.left(), context);
            }
        }
        discardSides(context);
    }

    @Override
    public Stream<? extends Scannable> inners() {
        return Stream.of(left, right);
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.BUFFERED) {
            return left.buffered() + right.buffered();
        }
        if (key == Attr.TERMINATED) {
            return Boolean.TRUE.equals(super.scanUnsafe(key)) && left.buffered() + right.buffered() == 0;
        }
        if (key == Attr.NAME) {
            return name;
        }
        return key == Attr.PARENT ? null : super.scanUnsafe(key);
    }
}
