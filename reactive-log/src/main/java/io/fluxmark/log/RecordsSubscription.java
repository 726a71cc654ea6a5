package io.fluxmark.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * What a member reads, of all partitions that it holds, one record of each in turn.
 *
 * <p>Whoever raises {@code wip} from 0 hands out. The group never does so itself: its wake-ups go over the scheduler, since what is
 * handed out may run for long. After a terminal signal {@code wip} stays above 0.
 */
final class RecordsSubscription implements Subscription, Scannable {

    private static final AtomicLongFieldUpdater<RecordsSubscription> REQUESTED =
            AtomicLongFieldUpdater.newUpdater(RecordsSubscription.class, "requested");

    private final CoreSubscriber<? super ConsumerRecord> actual;
    private final GroupCoordinator group;
    private final Member member;
    private final int limit;
    /** As many as the member holds partitions. */
    private final List<LeaseReader> readers = new CopyOnWriteArrayList<>();

    private final AtomicInteger wip = new AtomicInteger();
    private volatile long requested;
    private volatile boolean cancelled;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;
    private volatile boolean terminated;

    RecordsSubscription(
            CoreSubscriber<? super ConsumerRecord> actual, GroupCoordinator group, Member member, int limit) {
        this.actual = actual;
        this.group = group;
        this.member = member;
        this.limit = limit;
    }

    Context currentContext() {
        return actual.currentContext();
    }

    /** In a task of the group. */
    void add(Lease lease, long from) {
        LeaseReader reader = new LeaseReader(lease, this, group.spec().prefetch(), limit);
        readers.add(reader);
        reader.start(from);
    }

    /** In a task of the group: drops what was prefetched. */
    void remove(Lease lease) {
        readers.forEach(reader -> {
            if (reader.lease() == lease) {
                reader.drop();
            }
        });
        wake();
    }

    /** In a task of the group: reads on elsewhere. */
    void restart(Lease lease, long from) {
        readers.forEach(reader -> {
            if (reader.lease() == lease && !reader.isDropped()) {
                reader.start(from);
            }
        });
    }

    /** In a task of the group: the member takes no more part. */
    void end(@Nullable Throwable why) {
        if (why != null) {
            failure = why;
        }
        ended = true;
        wake();
    }

    /** Looks again, on a thread that may run the subscriber's code. */
    void wake() {
        group.hop(this::drain);
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
        if (!cancelled) {
            cancelled = true;
            drain();
        }
    }

    boolean isCancelled() {
        return cancelled;
    }

    void drain() {
        if (wip.getAndIncrement() != 0) {
            return;
        }
        int missed = 1;
        do {
            if (!emit()) {
                return;
            }
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
    }

    /** Answers whether it goes on. */
    private boolean emit() {
        long demand = requested;
        long emitted = 0;
        boolean more = true;
        while (more) {
            more = false;
            readers.removeIf(LeaseReader::clearIfDropped);
            for (LeaseReader reader : readers) {
                if (isOver()) {
                    return false;
                }
                ConsumerRecord record = emitted == demand ? null : reader.poll();
                if (record != null) {
                    actual.onNext(record);
                    emitted++;
                    more = true;
                }
                handleFailure(reader);
            }
        }
        if (emitted != 0) {
            Operators.produced(REQUESTED, this, emitted);
        }
        return !isOver();
    }

    private void handleFailure(LeaseReader reader) {
        Throwable error = reader.failure();
        if (error instanceof OffsetOutOfRangeException gone) {
            group.tasks().run(() -> group.outOfRange(member, this, reader.lease(), gone));
        } else if (error != null) {
            end(error);
        }
    }

    private boolean isOver() {
        if (!cancelled && !ended) {
            return false;
        }
        terminated = true;
        readers.forEach(LeaseReader::drop);
        readers.forEach(LeaseReader::clear);
        readers.clear();
        group.tasks().run(() -> group.detach(member, this));
        Throwable why = failure;
        if (!cancelled) {
            if (why == null) {
                actual.onComplete();
            } else {
                actual.onError(why);
            }
        }
        return true;
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
        if (key == Attr.ERROR) {
            return failure;
        }
        if (key == Attr.BUFFERED) {
            return readers.stream().mapToInt(LeaseReader::buffered).sum();
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }
}
