package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * One subscriber of a partition with its own cursor.
 *
 * <p>Requests, the moving tail and cancellation only add to {@code wip}; the one who raises it from 0 owns the cursor: it schedules
 * the drain on the worker, or on cancellation releases. After a terminal signal {@code wip} stays above 0, so there is no other
 * owner ever after. The worker is disposed only by the owner: disposing it from outside would interrupt a read.
 *
 * @param <T> what is emitted per unit of demand
 */
abstract class ReadSubscription<T> implements Subscription, TailListener, Runnable, Scannable {

    private static final Logger LOG = Loggers.getLogger(ReadSubscription.class);

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<ReadSubscription> WIP =
            AtomicIntegerFieldUpdater.newUpdater(ReadSubscription.class, "wip");

    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<ReadSubscription> REQUESTED =
            AtomicLongFieldUpdater.newUpdater(ReadSubscription.class, "requested");

    private final CoreSubscriber<? super T> actual;
    private final PartitionView partition;
    private final PartitionCursor cursor;
    private final ReadOptions options;
    private final long end;
    private final Scheduler.Worker worker;

    private volatile int wip;
    private volatile long requested;
    private volatile boolean cancelled;
    /** Set before the tail is looked at for the last time, so that either the owner sees it move or the mover sees this. */
    private volatile boolean waiting;
    /** Owned by the drain. */
    private boolean started;
    /** Owned by the drain: whether the last poll found that its offset is not there. */
    private boolean isReset;
    /** Written by the owner only. */
    private volatile boolean terminated;

    ReadSubscription(CoreSubscriber<? super T> actual, ReadPlan plan, Scheduler.Worker worker) {
        this.actual = actual;
        this.partition = plan.partition();
        this.cursor = plan.cursor();
        this.options = plan.options();
        this.end = options.end();
        this.worker = worker;
    }

    /** What to emit next, or null if the tail or {@code end} is reached. */
    abstract @Nullable T poll(PartitionCursor from, long endExclusive) throws IOException;

    /** Begins; the subscriber has its subscription. */
    void start() {
        partition.add(this);
        if (cancelled || terminated) {
            // It ended while its subscriber was being handed the subscription: nobody else would remove it now.
            partition.remove(this);
        }
        signal();
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n)) {
            Operators.addCap(REQUESTED, this, n);
            signal();
        }
    }

    @Override
    public void onTailMoved() {
        if (waiting || partition.isClosed()) {
            signal();
        }
    }

    @Override
    public void cancel() {
        if (cancelled) {
            return;
        }
        cancelled = true;
        if (WIP.getAndIncrement(this) == 0) {
            release();
        }
    }

    private void signal() {
        if (WIP.getAndIncrement(this) != 0) {
            return;
        }
        try {
            worker.schedule(this);
        } catch (RejectedExecutionException e) {
            release();
            if (!cancelled) {
                actual.onError(Operators.onRejectedExecution(e, actual.currentContext()));
            }
        }
    }

    @Override
    public void run() {
        int missed = wip;
        do {
            waiting = false;
            if (!drain()) {
                return;
            }
            missed = WIP.addAndGet(this, -missed);
        } while (missed != 0);
    }

    /** Emits what is requested and there; answers whether the subscription goes on. */
    private boolean drain() {
        long demand = requested;
        long emitted = 0;
        for (; ; ) {
            if (isOver()) {
                return false;
            }
            if (emitted == demand) {
                break;
            }
            T value;
            try {
                value = pollOrReset();
            } catch (Throwable failure) {
                Exceptions.throwIfFatal(failure);
                return fail(failure);
            }
            if (value != null) {
                actual.onNext(value);
                emitted++;
            } else if (cursor.position() < end && !isReset) {
                waiting = true;
                if (cursor.atTail() && !partition.isClosed()) {
                    break;
                }
            }
        }
        if (emitted != 0) {
            Operators.produced(REQUESTED, this, emitted);
        }
        return true;
    }

    /** The same as {@link #poll}; null too after it went on elsewhere, as it has been told to. */
    private @Nullable T pollOrReset() throws IOException {
        isReset = false;
        try {
            return poll(cursor, end);
        } catch (OffsetOutOfRangeException missing) {
            reset(missing);
            isReset = true;
            return null;
        }
    }

    private void reset(OffsetOutOfRangeException missing) {
        if (options.policy() == OffsetPolicy.FAIL) {
            throw missing;
        }
        long resumed = options.policy() == OffsetPolicy.EARLIEST ? missing.begin() : missing.end();
        cursor.moveTo(resumed);
        options.listener().accept(new OffsetReset(partition.id(), missing.requested(), resumed, missing.lost()));
    }

    /** Ends the subscription if it has to end, requested or not. */
    private boolean isOver() {
        if (cancelled) {
            release();
            return true;
        }
        if (!started) {
            started = true;
            if (!hasStart()) {
                return true;
            }
        }
        if (cursor.position() >= end) {
            release();
            actual.onComplete();
            return true;
        }
        if (partition.isClosed()) {
            fail(partition.closedException());
            return true;
        }
        return false;
    }

    /** Answers whether there is where to begin; otherwise it has ended. */
    private boolean hasStart() {
        long from = cursor.position();
        long begin = partition.segments().beginOffset();
        long visibleEnd = partition.tail().offset();
        if (from >= begin && from <= visibleEnd) {
            return true;
        }
        try {
            reset(new OffsetOutOfRangeException(partition.name(), from, begin, visibleEnd));
            return true;
        } catch (Throwable failure) {
            Exceptions.throwIfFatal(failure);
            return fail(failure);
        }
    }

    private boolean fail(Throwable failure) {
        release();
        if (cancelled) {
            Operators.onErrorDropped(failure, actual.currentContext());
        } else {
            actual.onError(
                    failure instanceof IOException io
                            ? new UncheckedIOException(
                                    "cannot read " + partition.name() + " at offset " + cursor.position() + ": " + io,
                                    io)
                            : failure);
        }
        return false;
    }

    /** By the owner only, once: it keeps {@code wip} above 0. */
    private void release() {
        terminated = true;
        partition.remove(this);
        try {
            cursor.close();
        } catch (IOException e) {
            LOG.warn("cannot close a file of " + partition.name(), e);
        }
        worker.dispose();
    }

    @Override
    @SuppressWarnings("rawtypes") // as declared by Scannable
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.ACTUAL) {
            return actual;
        }
        if (key == Attr.CANCELLED) {
            return cancelled;
        }
        if (key == Attr.TERMINATED) {
            return terminated && !cancelled;
        }
        if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
            return requested;
        }
        if (key == Attr.RUN_ON) {
            return worker;
        }
        if (key == Attr.RUN_STYLE) {
            return Attr.RunStyle.ASYNC;
        }
        return null;
    }
}
