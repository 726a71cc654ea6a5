package io.fluxmark.sinks;

import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Partition;
import io.fluxmark.log.RecordRun;
import io.fluxmark.windows.Alignment;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.MergedEvent;
import io.fluxmark.windows.MergedEventReader;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.StreamElement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The head of a lane over several partitions, of one topic or of two that are joined: one stream of their events, the lowest
 * time first, of equal ones that of the lowest partition, those of the left topic before those of the right one. Read next is the lowest of the first events of all partitions; so a partition that has more in the log
 * and nothing here yet is waited for, and the order is one of the records, not of who is quick. A partition that is read to
 * its end is passed by, since there is nothing to wait for, unless the others would be too far ahead of it.
 *
 * <p>The partitions put what they have read into queues of their own and wake the drain loop; there is no other input.
 * Barriers are set here, behind the merge: what is ahead of it in the queues is not in any position.
 */
final class MergedLaneReader<T> extends LaneHead<RecordRun, MergedEvent<T>> {

    /** How many records may be read ahead of all partitions together, unless there are very many partitions. */
    static final int AHEAD = 8192;

    private static final int SMALLEST_RUN = 16;

    private static final Comparator<MergedPartition<?>> LOWEST = Comparator.<MergedPartition<?>>comparingLong(
                    MergedPartition::order)
            .thenComparingInt(MergedPartition::index);

    private final List<MergedPartition<T>> partitions = new ArrayList<>();
    private final AtomicBoolean failed = new AtomicBoolean();
    private final @Nullable Alignment alignment;

    /** The partitions whose first event is read. */
    private final PriorityQueue<MergedPartition<T>> heads;

    private MergedLaneReader(
            CoreSubscriber<? super StreamElement<MergedEvent<T>>> actual,
            JobLane lane,
            int runSize,
            MergedEventReader<LogRecord, T> reader) {
        super(actual, lane, 1, runSize);
        List<Partition> sources = lane.sources();
        for (int i = 0; i < sources.size(); i++) {
            partitions.add(
                    new MergedPartition<>(this, i, sources.get(i), lane.start().nextOffset(i), reader));
        }
        this.heads = new PriorityQueue<>(sources.size(), LOWEST);
        this.alignment = reader.alignment();
    }

    static <T> Flux<StreamElement<MergedEvent<T>>> open(
            JobLane lane, int runSize, MergedEventReader<LogRecord, T> reader) {
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super StreamElement<MergedEvent<T>>> actual) {
                MergedLaneReader<T> merged;
                try {
                    merged = new MergedLaneReader<>(actual, lane, runSize, reader);
                } catch (Throwable t) {
                    Operators.error(actual, Operators.onOperatorError(t, actual.currentContext()));
                    return;
                }
                merged.start();
            }
        };
    }

    private void start() {
        listen();
        if (alignment != null) {
            alignment.onChange(this::wakeUp);
        }
        onSubscribe(new Subscription() {

            /** Asked once, in the drain loop: what comes on the spot waits there until all are subscribed to. */
            @Override
            public void request(long n) {
                int run = Math.max(
                        SMALLEST_RUN,
                        Math.min(EventBatch.MAX_SIZE, AHEAD / (MergedPartition.PREFETCH * partitions.size())));
                for (MergedPartition<T> partition : partitions) {
                    if (!isCancelled()) {
                        partition.read(
                                run,
                                lane().job().spec().scheduler(),
                                lane().job().threads());
                    }
                }
            }

            @Override
            public void cancel() {
                partitions.forEach(MergedPartition::cancel);
            }
        });
    }

    /** A partition has brought something. Thread-safe. */
    void partitionHasRead() {
        wakeUp();
    }

    /** A partition can't be read: so the lane can't go on. Thread-safe. */
    void partitionFailed(Throwable failure) {
        if (failed.compareAndSet(false, true)) {
            failUpstream(failure);
        } else {
            Operators.onErrorDropped(failure, currentContext());
        }
    }

    @Override
    protected void onInput(RecordRun input) {
        throw new IllegalStateException("a merged lane has its records from its partitions alone");
    }

    @Override
    @Nullable
    EventBatch<MergedEvent<T>> read(long room) {
        if (!haveAllLooked()) {
            return null;
        }
        int limit = (int) room;
        List<MergedEvent<T>> run = new ArrayList<>(limit);
        while (run.size() < limit) {
            MergedPartition<T> lowest = heads.peek();
            if (lowest == null || !isClose(lowest)) {
                break;
            }
            heads.remove();
            boolean full = countsBytes() && reachesBytes(lowest.contentBytes());
            run.add(lowest.take());
            if (lowest.look()) {
                heads.add(lowest);
            } else {
                full |= lowest.isBehind();
            }
            if (full) {
                break;
            }
        }
        if (run.isEmpty()) {
            return null;
        }
        for (int i = 0; i < partitions.size(); i++) {
            lane().readTo(i, partitions.get(i).nextOffset());
        }
        return EventBatch.ofValues(run);
    }

    /** Whether the first of all events may be handed on; its place in the order counts from then on. */
    private boolean isClose(MergedPartition<T> lowest) {
        if (alignment == null) {
            return true;
        }
        if (!alignment.mayRead(lowest.index(), this::isWaitedFor)) {
            return false;
        }
        alignment.read(lowest.index(), lowest.order());
        return true;
    }

    private boolean isWaitedFor(int partition) {
        return !partitions.get(partition).hasUnread()
                && !partitions.get(partition).isAtEnd();
    }

    /** Looks for the first event of each partition that has none; false while one is to be waited for. */
    private boolean haveAllLooked() {
        boolean complete = true;
        for (MergedPartition<T> partition : partitions) {
            if (!partition.hasHead()) {
                if (partition.look()) {
                    heads.add(partition);
                } else {
                    complete &= !partition.isBehind();
                }
            }
        }
        return complete;
    }

    @Override
    boolean hasRun() {
        boolean some = false;
        for (MergedPartition<T> partition : partitions) {
            if (partition.hasUnread()) {
                some = true;
            } else if (partition.isBehind()) {
                return false;
            }
        }
        return some;
    }

    @Override
    void endHere() {
        partitions.forEach(MergedPartition::endHere);
    }

    @Override
    void passTo(int index, long offset) {
        partitions.get(index).passTo(offset);
        lane().readTo(index, offset);
    }

    @Override
    boolean isAtEnd() {
        for (MergedPartition<T> partition : partitions) {
            if (!partition.isAtEnd()) {
                return false;
            }
        }
        return true;
    }

    @Override
    List<SourcePosition> positions() {
        return partitions.stream().map(MergedPartition::position).toList();
    }

    @Override
    void dropRead() {
        heads.clear();
        partitions.forEach(MergedPartition::drop);
    }

    @Override
    protected void onPause(boolean demanded, boolean over) {
        super.onPause(demanded, over);
        if (over) {
            dropRead(); // what crossed the end on its way
        }
    }

    @Override
    public Stream<? extends Scannable> inners() {
        return partitions.stream();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        return key == Attr.PARENT ? null : super.scanUnsafe(key);
    }

    @Override
    public Context currentContext() {
        return actual().currentContext();
    }
}
