package io.fluxmark.sinks;

import io.fluxmark.log.Partition;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneStateBackend;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StoreCommit;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.StateBackend;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One lane of a running job: its partition, its session with the store, and where it begins. Confined to the lane, except
 * for what it was made of.
 */
final class JobLane implements LaneContext {

    /** Beyond so many waiting rows the next barrier comes early. */
    private static final int MAX_WAITING_ROWS = 50_000;

    private final Job job;
    private final Partition partition;
    private final LaneSession session;
    private final Submissions submissions;
    private final JobFloor floor;
    private final LaneStateBackend state;
    private final LanePosition start;

    /** The offset that the head of the lane reads next. */
    private volatile long readTo;

    /** Rows that wait for the next barrier: written at the end of the lane, read at its head. */
    private volatile int waitingRows;

    /** Wakes the head of the lane where it waits for commits. */
    private volatile Runnable onCommitted = () -> {};

    /** Whether rows have been delivered that the next barrier removes: asked at the head of the lane. */
    private final List<BooleanSupplier> removable = new CopyOnWriteArrayList<>();

    private final Set<String> operators = new LinkedHashSet<>();

    JobLane(Job job, Partition partition, LaneSession session, Submissions submissions, JobFloor floor) {
        this.job = job;
        this.partition = partition;
        this.session = session;
        this.submissions = submissions;
        this.floor = floor;
        this.state = LaneStateBackend.of(session, job.stateBudgetBytes());
        this.start = LanePosition.restore(state);
        this.readTo = start.nextOffset();
        floor.restored(partition.id(), start);
    }

    static JobLane of(LaneContext lane) {
        if (lane.unwrap() instanceof JobLane jobLane) {
            return jobLane;
        }
        throw new IllegalStateException("a log source runs only as a job: end the pipeline with writeTo");
    }

    @Override
    public StateBackend state() {
        return state;
    }

    @Override
    public Scheduler clock() {
        return job.spec().scheduler();
    }

    @Override
    public void counters(String operator, LiveCounters counters) {
        operators.add(operator);
    }

    @Override
    public List<Integer> partitions() {
        return List.of(partition.id());
    }

    @Override
    public long lag(int number) {
        return number == partition.id() ? partition.endOffset() - readTo : -1;
    }

    /** Tells how far the lane has been read. */
    void readTo(long nextOffset) {
        readTo = nextOffset;
    }

    @Override
    public void checkKey(Object key) {
        job.checkPlace(key, partition.id());
    }

    Job job() {
        return job;
    }

    int number() {
        return partition.id();
    }

    Partition partition() {
        return partition;
    }

    LaneSession session() {
        return session;
    }

    /** Keeps what is known of a sink of the lane beside its rows. */
    StoredSink.Keeper keeper(StoredSink sink) {
        return new StoredSink.Keeper(sink, session.restored());
    }

    /** Hands a transaction of the lane to the store when subscribed. */
    Mono<StoreCommit> submit(LaneTransaction transaction) {
        return Mono.defer(() -> {
            submissions.add(number());
            return session.submit(transaction);
        });
    }

    LanePosition start() {
        return start;
    }

    /** Whether so much is changed and uncommitted that the next barrier had better come now. */
    boolean isPressured() {
        return waitingRows > MAX_WAITING_ROWS
                || state.pressured()
                || job.store().pressured();
    }

    /** The lowest offset that the lane may have to read again. */
    long oldestOffset() {
        return floor.oldest(number());
    }

    /** Has the head of the lane told of each commit. */
    void onCommitted(Runnable listener) {
        onCommitted = listener;
    }

    /** Registers what knows of rows that the next barrier removes. */
    void removableRows(BooleanSupplier any) {
        removable.add(any);
    }

    /** Whether a barrier has something to do though nothing was read. */
    boolean hasRemovableRows() {
        for (BooleanSupplier any : removable) {
            if (any.getAsBoolean()) {
                return true;
            }
        }
        return false;
    }

    /** Tells how many rows wait for the next barrier. */
    void waitingRows(int rows) {
        waitingRows = rows;
    }

    /** What the newest durable transaction holds: read back from the store, so that it says what is there. */
    LaneCheckpoint committed(LaneTransaction transaction, List<SourcePosition> positions, boolean finished) {
        positions.forEach(position -> floor.committed(number(), position.nextOffset()));
        onCommitted.run();
        Map<String, Counters> counters = new TreeMap<>();
        for (String operator : operators) {
            long @Nullable [] cells = state.longs(operator, LiveCounters.STATE_NAME);
            if (cells != null) {
                counters.put(operator, Counters.ofArray(cells));
            }
        }
        return new LaneCheckpoint(number(), transaction.id(), positions, counters, finished);
    }
}
