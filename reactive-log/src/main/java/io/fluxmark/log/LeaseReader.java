package io.fluxmark.log;

import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/** Reads one partition ahead for a member, by a bounded number of records. Polled by the drain of its subscription only. */
final class LeaseReader {

    private final Lease lease;
    private final RecordsSubscription parent;
    private final int prefetch;
    private final int limit;
    private final AtomicReference<@Nullable Inner> inner = new AtomicReference<>();
    private volatile boolean dropped;
    private @Nullable Throwable reported;

    /**
     * @param limit how many records may be in hand
     */
    LeaseReader(Lease lease, RecordsSubscription parent, int prefetch, int limit) {
        this.lease = lease;
        this.parent = parent;
        this.prefetch = prefetch;
        this.limit = limit;
    }

    Lease lease() {
        return lease;
    }

    /** Reads from an offset on, instead of whatever it read before. */
    void start(long from) {
        Inner next = new Inner();
        Inner before = inner.getAndSet(next);
        if (before != null) {
            before.cancel();
        }
        lease.partition().read(from).subscribe(next);
        if (dropped) {
            next.cancel();
        }
    }

    /** Nothing of it is to be handed out any more; the drain clears it. */
    void drop() {
        dropped = true;
        Inner current = inner.get();
        if (current != null) {
            current.cancel();
        }
    }

    boolean isDropped() {
        return dropped;
    }

    int buffered() {
        Inner current = inner.get();
        return current == null ? 0 : current.queue.size();
    }

    /** Whether nothing of it is to be handed out any more; then nothing of it is held either. */
    boolean clearIfDropped() {
        if (dropped) {
            clear();
        }
        return dropped;
    }

    void clear() {
        Inner current = inner.get();
        if (current != null) {
            current.clear();
        }
    }

    /** The next record that may go out, handed out already, or null. */
    @Nullable
    ConsumerRecord poll() {
        Inner current = inner.get();
        if (current == null || dropped || !lease.hasRoom(limit)) {
            return null;
        }
        LogRecord record = current.poll();
        if (record == null) {
            return null;
        }
        ConsumerRecord begun = lease.begin(record);
        if (begun == null) {
            Operators.onDiscard(record, parent.currentContext());
        }
        return begun;
    }

    /** What reading failed with, once all before it is handed out, and once only. */
    @Nullable
    Throwable failure() {
        Inner current = inner.get();
        Throwable error = current == null || dropped ? null : current.error;
        if (current == null || error == null || !current.queue.isEmpty() || reported == error) {
            return null;
        }
        reported = error;
        return error;
    }

    private final class Inner implements CoreSubscriber<LogRecord> {

        private final Queue<LogRecord> queue = Queues.<LogRecord>get(prefetch).get();
        private final int low = Math.max(1, prefetch - (prefetch >> 2));
        private int taken;
        private volatile @Nullable Subscription upstream;
        private volatile boolean cancelled;
        private volatile @Nullable Throwable error;

        @Override
        public Context currentContext() {
            return parent.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            if (cancelled) {
                subscription.cancel();
            } else {
                subscription.request(prefetch);
            }
        }

        @Override
        public void onNext(LogRecord record) {
            if (cancelled) {
                Operators.onDiscard(record, currentContext());
            } else if (queue.offer(record)) {
                parent.drain();
            } else {
                cancel();
                error = Exceptions.failWithOverflow("more records than requested of " + lease.partition());
                parent.drain();
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (cancelled) {
                Operators.onErrorDropped(failure, currentContext());
            } else {
                error = failure;
                parent.drain();
            }
        }

        @Override
        public void onComplete() {
            // The tail of a partition has no end.
        }

        @Nullable
        LogRecord poll() {
            LogRecord record = queue.poll();
            Subscription subscription = upstream;
            if (record != null && ++taken == low && subscription != null) {
                taken = 0;
                subscription.request(low);
            }
            return record;
        }

        void cancel() {
            cancelled = true;
            Subscription subscription = upstream;
            if (subscription != null) {
                subscription.cancel();
            }
        }

        void clear() {
            for (LogRecord record = queue.poll(); record != null; record = queue.poll()) {
                Operators.onDiscard(record, currentContext());
            }
        }
    }
}
