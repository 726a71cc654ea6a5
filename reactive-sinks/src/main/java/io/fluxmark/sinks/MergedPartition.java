package io.fluxmark.sinks;

import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Partition;
import io.fluxmark.log.RecordRun;
import io.fluxmark.windows.MergedEvent;
import io.fluxmark.windows.MergedEventReader;
import io.fluxmark.windows.SourcePosition;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * One partition of a merged lane: runs that are read ahead, and the first event of them. Its signals come on the thread of
 * its own reader and only leave something for the drain loop, to which everything else here is confined.
 */
final class MergedPartition<T> implements CoreSubscriber<RecordRun>, Scannable {

    /** Reading goes on while a run is worked on. */
    static final int PREFETCH = 2;

    private static final long NO_END = Long.MAX_VALUE;

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<MergedPartition, Subscription> UPSTREAM =
            AtomicReferenceFieldUpdater.newUpdater(MergedPartition.class, Subscription.class, "upstream");

    private final MergedLaneReader<T> lane;
    private final int index;
    private final Partition partition;
    private final MergedEventReader<LogRecord, T> reader;
    private final Queue<RecordRun> runs = Queues.<RecordRun>get(PREFETCH).get();

    private volatile @Nullable Subscription upstream;

    /** Behind it nothing is handed on; set from outside. */
    private volatile long end = NO_END;

    /** The run that is handed on, and the place in it. */
    private @Nullable RecordRun run;

    private int next;

    /** The event of the next record, once it is read. */
    private @Nullable MergedEvent<T> head;

    private long nextOffset;

    MergedPartition(
            MergedLaneReader<T> lane,
            int index,
            Partition partition,
            long nextOffset,
            MergedEventReader<LogRecord, T> reader) {
        this.lane = lane;
        this.index = index;
        this.partition = partition;
        this.nextOffset = nextOffset;
        this.reader = reader;
    }

    /** Starts reading, in runs of at most {@code maxRun} records. */
    void read(int maxRun, Scheduler scheduler) {
        partition.readRuns(nextOffset, maxRun, scheduler).subscribe(this);
    }

    /** Its place among the partitions of the lane. */
    int index() {
        return index;
    }

    private String text() {
        return "partition " + partition.id() + " of " + partition.topic();
    }

    /** How far it is handed on. */
    SourcePosition position() {
        return new SourcePosition(partition.topic(), partition.id(), nextOffset);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        if (Operators.setOnce(UPSTREAM, this, subscription)) {
            subscription.request(PREFETCH);
        }
    }

    @Override
    public void onNext(RecordRun records) {
        if (runs.offer(records)) {
            lane.partitionHasRead();
        } else {
            lane.partitionFailed(
                    Exceptions.failWithOverflow(text() + " sent more than the " + PREFETCH + " runs requested"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        lane.partitionFailed(failure);
    }

    @Override
    public void onComplete() {
        lane.partitionFailed(new IllegalStateException("the reader of " + text() + " has ended"));
    }

    /** Stops reading, also what is subscribed to later. Thread-safe. */
    void cancel() {
        Operators.terminate(UPSTREAM, this);
    }

    boolean hasHead() {
        return head != null;
    }

    /** Makes the next record the first event, where there is none yet; false when none is here, or it lies behind the end. */
    boolean look() {
        RecordRun records = run;
        if (records == null) {
            records = runs.poll();
            if (records == null) {
                return false;
            }
            run = records;
            next = 0;
            reader.begin();
            Subscription reading = upstream;
            if (reading != null) {
                reading.request(1);
            }
        }
        if (records.offset(next) >= end) {
            nextOffset = Math.max(nextOffset, end); // offsets without a record lie before it
            return false;
        }
        head = reader.read(index, records, next);
        return true;
    }

    /** The place of the first event in the order of all. */
    long order() {
        return Objects.requireNonNull(head, "head").order();
    }

    /** How many bytes the record has of which the first event was made. */
    long contentBytes() {
        return Objects.requireNonNull(run, "run").contentBytes(next);
    }

    /** Hands the first event on. */
    MergedEvent<T> take() {
        MergedEvent<T> taken = Objects.requireNonNull(head, "head");
        RecordRun records = Objects.requireNonNull(run, "run");
        head = null;
        nextOffset = records.offset(next) + 1;
        if (++next == records.size()) {
            run = null;
        }
        return taken;
    }

    /** The offset of the next record to hand on. */
    long nextOffset() {
        return nextOffset;
    }

    /** There is no record before {@code offset} behind what is handed on. */
    void passTo(long offset) {
        nextOffset = offset;
    }

    /** Whether there are records that have not come yet; meaningful while nothing of it is here. */
    boolean isBehind() {
        return nextOffset < Math.min(partition.endOffset(), end);
    }

    /** Whether something of it is here. */
    boolean hasUnread() {
        return head != null || run != null || !runs.isEmpty();
    }

    /** Nothing is handed on behind what the partition holds now. Thread-safe. */
    void endHere() {
        end = partition.endOffset();
    }

    boolean isAtEnd() {
        return nextOffset >= end;
    }

    /** Lets go of what is here. */
    void drop() {
        head = null;
        run = null;
        runs.clear();
    }

    @Override
    public Context currentContext() {
        return lane.currentContext();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.PARENT) {
            return upstream;
        }
        if (key == Attr.ACTUAL) {
            return lane;
        }
        if (key == Attr.PREFETCH) {
            return PREFETCH;
        }
        if (key == Attr.CANCELLED) {
            return upstream == Operators.cancelledSubscription();
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }
}
