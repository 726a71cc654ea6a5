package io.fluxmark.state;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * Commit numbers as they become durable. Each subscriber gets the newest number it has not had when it has demand;
 * numbers in between are skipped. Signals come on a worker of the scheduler, never on the store thread.
 */
final class CommitTail extends Flux<Long> implements Scannable {

    private final Scheduler scheduler;
    private final Set<Tail> tails = ConcurrentHashMap.newKeySet();
    private volatile long newest;

    CommitTail(Scheduler scheduler, long newest) {
        this.scheduler = scheduler;
        this.newest = newest;
    }

    Flux<Long> flux() {
        return onAssembly(this);
    }

    void publish(long number) {
        newest = number;
        tails.forEach(Tail::drain);
    }

    /** Ends the present subscriptions. */
    void fail(Throwable reason) {
        tails.forEach(tail -> tail.end(reason));
    }

    @Override
    public void subscribe(CoreSubscriber<? super Long> actual) {
        Tail tail = new Tail(this, actual);
        tails.add(tail);
        actual.onSubscribe(tail);
        tail.drain();
    }

    @Override
    @SuppressWarnings("rawtypes")
    public @Nullable Object scanUnsafe(Attr key) {
        return key == Attr.RUN_ON ? scheduler : key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }

    private static final class Tail implements Subscription, Scannable {

        private static final AtomicLongFieldUpdater<Tail> REQUESTED =
                AtomicLongFieldUpdater.newUpdater(Tail.class, "requested");

        private final CommitTail parent;
        private final CoreSubscriber<? super Long> actual;
        private final Scheduler.Worker worker;

        private volatile long requested;
        private final AtomicInteger wip = new AtomicInteger();
        private volatile boolean cancelled;
        private volatile @Nullable Throwable error;
        // Only the drain loop reads and writes these two.
        private long emitted;
        private boolean done;

        Tail(CommitTail parent, CoreSubscriber<? super Long> actual) {
            this.parent = parent;
            this.actual = actual;
            worker = parent.scheduler.createWorker();
        }

        @Override
        public void request(long n) {
            if (Operators.validate(n)) {
                Operators.addCap(REQUESTED, this, n);
                drain();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            parent.tails.remove(this);
            drain();
        }

        void end(Throwable reason) {
            error = reason;
            parent.tails.remove(this);
            drain();
        }

        void drain() {
            if (wip.getAndIncrement() == 0) {
                try {
                    worker.schedule(this::run);
                } catch (RejectedExecutionException e) {
                    // Nobody can be signalled on the chosen scheduler any more.
                    parent.tails.remove(this);
                    if (!cancelled) {
                        actual.onError(Operators.onRejectedExecution(e, actual.currentContext()));
                    }
                }
            }
        }

        private void run() {
            int missed = wip.get();
            do {
                emit();
                missed = wip.addAndGet(-missed);
            } while (missed != 0);
        }

        private void emit() {
            if (done) {
                return;
            }
            if (cancelled) {
                done = true;
                worker.dispose();
                return;
            }
            // The error is read first: what was committed before it is still delivered if there is demand.
            Throwable reason = error;
            long number = parent.newest;
            if (number > emitted && requested > 0) {
                emitted = number;
                actual.onNext(number);
                Operators.produced(REQUESTED, this, 1);
            }
            if (reason != null && !cancelled) {
                done = true;
                actual.onError(reason);
                worker.dispose();
            }
        }

        @Override
        @SuppressWarnings("rawtypes")
        public @Nullable Object scanUnsafe(Attr key) {
            if (key == Attr.ACTUAL) {
                return actual;
            } else if (key == Attr.PARENT) {
                return parent;
            } else if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
                return requested;
            } else if (key == Attr.CANCELLED) {
                return cancelled;
            } else if (key == Attr.TERMINATED) {
                return done;
            } else if (key == Attr.ERROR) {
                return error;
            } else if (key == Attr.RUN_ON) {
                return worker;
            }
            return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
        }
    }
}
