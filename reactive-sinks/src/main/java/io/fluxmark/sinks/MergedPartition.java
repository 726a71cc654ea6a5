package io.fluxmark.sinks;

import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Partition;
import io.fluxmark.log.RecordRun;
import io.fluxmark.windows.MergedEvent;
import io.fluxmark.windows.MergedEventReader;
import io.fluxmark.windows.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * One partition of a merged lane: runs that are read ahead, and the first event of them. Its signals come on the thread of
 * its own reader and only leave something for the drain loop, to which everything else here is confined.
 */
final class MergedPartition<T> implements CoreSubscriber<MergedRun<T>>, Scannable {

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

    /** What makes events ahead, where several threads do: as many as have been at work at once. */
    private final Queue<MergedEventReader<LogRecord, T>> readers = new ConcurrentLinkedQueue<>();

    private final Queue<MergedRun<T>> runs = Queues.<MergedRun<T>>get(PREFETCH).get();

    private volatile @Nullable Subscription upstream;

    /** Behind it nothing is handed on; set from outside. */
    private volatile long end = NO_END;

    /** The run that is handed on, and the place in it. */
    private @Nullable MergedRun<T> run;

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

    /**
     * Starts reading, in runs of at most {@code maxRun} records.
     *
     * @param threads how many runs are made into events ahead, each on a worker of {@code scheduler}; with fewer than two it is
     *     done in the drain loop
     */
    void read(int maxRun, Scheduler scheduler, int threads) {
        Flux<RecordRun> records = partition.readRuns(nextOffset, maxRun, scheduler);
        Flux<MergedRun<T>> read = threads < 2
                ? records.map(some -> new MergedRun<>(some, null))
                : records.flatMapSequential(
                        some -> Mono.fromCallable(() -> decode(some)).subscribeOn(scheduler), threads, 1);
        read.subscribe(this);
    }

    private MergedRun<T> decode(RecordRun records) {
        MergedEventReader<LogRecord, T> free = readers.poll();
        MergedEventReader<LogRecord, T> own = free == null ? reader.another() : free;
        own.begin();
        List<MergedEvent<T>> events = new ArrayList<>(records.size());
        for (int i = 0; i < records.size(); i++) {
            events.add(own.read(index, records, i));
        }
        readers.add(own);
        return new MergedRun<>(records, events);
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
    public void onNext(MergedRun<T> read) {
        if (runs.offer(read)) {
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
        MergedRun<T> current = run;
        if (current == null) {
            current = runs.poll();
            if (current == null) {
                return false;
            }
            run = current;
            next = 0;
            if (current.events() == null) {
                reader.begin();
            }
            Subscription reading = upstream;
            if (reading != null) {
                reading.request(1);
            }
        }
        RecordRun records = current.records();
        if (records.offset(next) >= end) {
            nextOffset = Math.max(nextOffset, end); // offsets without a record lie before it
            return false;
        }
        List<MergedEvent<T>> events = current.events();
        head = events == null ? reader.read(index, records, next) : events.get(next);
        return true;
    }

    /** The place of the first event in the order of all. */
    long order() {
        return Objects.requireNonNull(head, "head").order();
    }

    /** How many bytes the record has of which the first event was made. */
    long contentBytes() {
        return Objects.requireNonNull(run, "run").records().contentBytes(next);
    }

    /** Hands the first event on. */
    MergedEvent<T> take() {
        MergedEvent<T> taken = Objects.requireNonNull(head, "head");
        RecordRun records = Objects.requireNonNull(run, "run").records();
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
