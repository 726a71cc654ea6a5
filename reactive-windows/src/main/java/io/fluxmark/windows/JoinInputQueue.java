package io.fluxmark.windows;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * One of the two streams that are joined, and what it has sent that nobody has taken yet: at most as much as was requested of
 * it. Its signals come on whatever thread the stream runs on, and only leave something for the drain loop of the two, to which
 * everything else here is confined.
 */
final class JoinInputQueue<V> implements CoreSubscriber<StreamElement<V>>, Scannable {

    /** How many elements are requested ahead. */
    static final int PREFETCH = 4;

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<JoinInputQueue, Subscription> UPSTREAM =
            AtomicReferenceFieldUpdater.newUpdater(JoinInputQueue.class, Subscription.class, "upstream");

    private final JoinInputsOperator<?, ?> operator;
    private final String side;
    private final Queue<StreamElement<V>> elements =
            Queues.<StreamElement<V>>get(PREFETCH).get();

    private volatile @Nullable Subscription upstream;

    /** It has ended, in whatever way: no signal of it counts any more. */
    private volatile boolean done;

    /** It has ended, and not by an error; written behind its last element. */
    private volatile boolean completed;

    /** The run that is being taken from, and the place in it. */
    private @Nullable EventBatch<V> run;

    private int next;

    /** Its watermark in force, whether silence moved it, and whether the stream is idle. */
    private long watermark = Watermark.NONE;

    private boolean byTimeout;
    private boolean idle;

    /** For who asks: its largest timestamp, and when its last event came, epoch ms. */
    private long newest = Long.MIN_VALUE;

    private long lastCame;

    JoinInputQueue(JoinInputsOperator<?, ?> operator, String side) {
        this.operator = operator;
        this.side = side;
        this.lastCame = operator.now();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        if (Operators.setOnce(UPSTREAM, this, subscription)) {
            subscription.request(PREFETCH);
        }
    }

    @Override
    public void onNext(StreamElement<V> element) {
        Objects.requireNonNull(element, "element");
        if (done) {
            Operators.onNextDropped(element, currentContext());
        } else if (elements.offer(element)) {
            operator.hasSent();
        } else {
            Operators.onDiscardMultiple(EventBatch.contents(element), currentContext());
            onError(Exceptions.failWithOverflow(
                    "the " + side + " stream sent more than the " + PREFETCH + " elements requested"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        if (done) {
            Operators.onErrorDropped(failure, currentContext());
        } else {
            done = true;
            operator.hasFailed(failure);
        }
    }

    @Override
    public void onComplete() {
        if (!done) {
            done = true;
            completed = true;
            operator.hasCompleted(this);
        }
    }

    /** Cancels the stream, also one that is subscribed to later. Thread-safe. */
    void cancel() {
        Operators.terminate(UPSTREAM, this);
    }

    boolean isCancelled() {
        return upstream == Operators.cancelledSubscription();
    }

    /** Whether there is an event to take, once what is not one is taken in. */
    boolean look() {
        while (run == null) {
            StreamElement<V> element = elements.poll();
            if (element == null) {
                return false;
            }
            Subscription s = upstream;
            if (s != null) {
                s.request(1);
            }
            takeIn(element);
        }
        return true;
    }

    private void takeIn(StreamElement<V> element) {
        if (element instanceof EventBatch<V> events) {
            run = events;
            next = 0;
            lastCame = operator.now();
            idle = false;
            raise(events.watermarkBefore(0), false);
        } else if (element instanceof Watermark<V> progress) {
            raise(progress.timestamp(), progress.byTimeout());
        } else if (element instanceof Idle<V> state) {
            idle = state.idle();
            byTimeout = idle;
        } else {
            throw new IllegalStateException("a barrier came in the " + side
                    + " of two streams, and the other one knows nothing of it: a job is joined over two log sources");
        }
    }

    private void raise(long progress, boolean silence) {
        if (Watermark.advances(watermark, progress)) {
            watermark = progress;
            byTimeout = silence;
        }
    }

    /** The time of the event that is next. */
    long timestamp() {
        return current().timestamp(next);
    }

    private EventBatch<V> current() {
        return Objects.requireNonNull(run, "run");
    }

    /** What the sign of the event is that is next. */
    int sign() {
        return current().sign(next);
    }

    /** Takes it. */
    V take() {
        EventBatch<V> events = current();
        V value = events.value(next);
        newest = Math.max(newest, events.timestamp(next));
        if (++next == events.size()) {
            run = null;
            raise(events.watermarkAfter(), false);
        } else {
            raise(events.watermarkBefore(next), false);
        }
        return value;
    }

    long watermark() {
        return watermark;
    }

    boolean isByTimeout() {
        return byTimeout;
    }

    /** Whether it has ended and everything of it is taken. */
    boolean isFinished() {
        return completed && run == null && elements.isEmpty();
    }

    /** Whether it holds the watermark of both. */
    boolean isActive() {
        return !idle && !isFinished();
    }

    boolean isIdle() {
        return idle && !isFinished();
    }

    /** How far it has come, as partition {@code number} of two. */
    PartitionProgress progress(int number, boolean holds) {
        PartitionProgress.Standing standing = isFinished()
                ? PartitionProgress.Standing.FINISHED
                : idle ? PartitionProgress.Standing.IDLE : PartitionProgress.Standing.ACTIVE;
        return new PartitionProgress(number, standing, holds, newest, watermark, lastCame, -1);
    }

    int buffered() {
        return elements.size() + (run == null ? 0 : 1);
    }

    void discard(Context context) {
        EventBatch<V> events = run;
        run = null;
        if (events != null) {
            for (int i = next; i < events.size(); i++) {
                Operators.onDiscard(events.value(i), context);
            }
        }
        for (StreamElement<V> each = elements.poll(); each != null; each = elements.poll()) {
            Operators.onDiscardMultiple(EventBatch.contents(each), context);
        }
    }

    @Override
    public Context currentContext() {
        return operator.currentContext();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.PARENT) {
            return upstream;
        }
        if (key == Attr.ACTUAL) {
            return operator;
        }
        if (key == Attr.PREFETCH) {
            return PREFETCH;
        }
        if (key == Attr.BUFFERED) {
            return buffered();
        }
        if (key == Attr.CANCELLED) {
            return isCancelled();
        }
        if (key == Attr.TERMINATED) {
            return done && elements.isEmpty();
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
