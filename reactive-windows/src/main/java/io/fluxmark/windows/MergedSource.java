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
 * One source of a merge, and what it has sent that nobody has taken yet: at most as much as was requested of it. Its
 * signals come on whatever thread the source runs on, and only leave something for the merge's drain loop, to which
 * everything else here is confined.
 */
final class MergedSource<T> implements CoreSubscriber<T>, Scannable {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<MergedSource, Subscription> UPSTREAM =
            AtomicReferenceFieldUpdater.newUpdater(MergedSource.class, Subscription.class, "upstream");

    private final MergeOperator<T> merge;
    private final int index;
    private final int prefetch;
    private final int limit;
    private final Queue<T> values;

    private volatile @Nullable Subscription upstream;

    /** It has ended, in whatever way: no signal of it counts any more. */
    private volatile boolean done;

    /** It has ended, and not by an error; written behind its last value. */
    private volatile boolean completed;

    /** Values taken since the last request. */
    private int consumed;

    /** The first value, once it is read; the others still wait behind it. */
    private @Nullable T head;

    private long timestamp;
    private boolean ahead;

    /** @param prefetch how many values are requested ahead, at least 1 */
    MergedSource(MergeOperator<T> merge, int index, int prefetch) {
        this.merge = merge;
        this.index = index;
        this.prefetch = prefetch;
        this.limit = prefetch - (prefetch >> 2);
        this.values = Queues.<T>get(prefetch).get();
    }

    /** Its place among the sources, from 0: the partition that its events are of. */
    int index() {
        return index;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        if (Operators.setOnce(UPSTREAM, this, subscription)) {
            subscription.request(prefetch);
        }
    }

    @Override
    public void onNext(T value) {
        Objects.requireNonNull(value, "value");
        if (done) {
            Operators.onNextDropped(value, currentContext());
        } else if (values.offer(value)) {
            merge.sourceHasSent();
        } else {
            Operators.onDiscard(value, currentContext());
            onError(Exceptions.failWithOverflow(
                    "source " + index + " sent more than the " + prefetch + " elements requested"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        Objects.requireNonNull(failure, "failure");
        if (done) {
            Operators.onErrorDropped(failure, currentContext());
        } else {
            done = true;
            merge.sourceFailed(failure);
        }
    }

    @Override
    public void onComplete() {
        if (!done) {
            done = true;
            completed = true;
            merge.sourceCompleted();
        }
    }

    /** Cancels the source, also one that is subscribed to later. Thread-safe. */
    void cancel() {
        Operators.terminate(UPSTREAM, this);
    }

    boolean isCancelled() {
        return upstream == Operators.cancelledSubscription();
    }

    /** Whether there is a first value that {@link #take} would return. */
    boolean hasHead() {
        return head != null;
    }

    /**
     * Makes the next valid value the first one, where there is none yet; the invalid ones before it are told and counted.
     *
     * @return whether there is a first value now that there was not before
     */
    boolean readHead(TimestampReader<T, T> reader, LiveCounters counters) {
        while (head == null && !merge.isUnwanted()) {
            head = values.poll();
            if (head == null) {
                return false;
            }
            if (reader.read(head) != null) {
                timestamp = reader.timestamp();
                ahead = reader.isAhead();
                return true;
            }
            counters.add(Counter.INGESTED, 1);
            counters.add(Counter.REJECTED, 1);
            take();
        }
        return false;
    }

    /** The first value, which it is no more: another one may be sent for it. */
    T take() {
        T value = Objects.requireNonNull(head, "head");
        head = null;
        Subscription s = upstream;
        if (++consumed == limit && s != null) {
            consumed = 0;
            s.request(limit);
        }
        return value;
    }

    /** The time of the first value, epoch ms. */
    long timestamp() {
        return timestamp;
    }

    /** Whether that lies beyond the guard. */
    boolean isAhead() {
        return ahead;
    }

    /** Whether it has completed, and nothing of it is left to take. */
    boolean isExhausted() {
        return completed && isEmpty(); // the end before the values: they all came before it
    }

    /** Whether nothing of it is left to take for now. */
    boolean isEmpty() {
        return head == null && values.isEmpty();
    }

    /** How many values wait; a guess outside the drain loop. */
    int buffered() {
        return values.size() + (head == null ? 0 : 1);
    }

    /** Lets go of what waits. */
    void discard(Context context) {
        T first = head;
        head = null;
        if (first != null) {
            Operators.onDiscard(first, context);
        }
        for (T value = values.poll(); value != null; value = values.poll()) {
            Operators.onDiscard(value, context);
        }
    }

    @Override
    public Context currentContext() {
        return merge.currentContext();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.PARENT) {
            return upstream;
        }
        if (key == Attr.ACTUAL) {
            return merge;
        }
        if (key == Attr.PREFETCH) {
            return prefetch;
        }
        if (key == Attr.BUFFERED) {
            return buffered();
        }
        if (key == Attr.CANCELLED) {
            return isCancelled();
        }
        if (key == Attr.TERMINATED) {
            return done && isEmpty();
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
