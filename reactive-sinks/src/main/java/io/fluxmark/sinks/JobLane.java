package io.fluxmark.sinks;

import io.fluxmark.log.Partition;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneStateBackend;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreCommit;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.LiveExplanation;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.StateBackend;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One lane of a running job: its partitions, its session with the store, and where it begins. A lane of a merged job is over
 * all partitions of the topic, any other over the one of its number. Confined to the lane, except for what it was made of.
 */
final class JobLane implements LaneContext {

    private final Job job;
    private final int number;
    private final List<Partition> partitions;
    private final List<Integer> numbers;
    private final LaneSession session;
    private final Submissions submissions;
    private final JobFloor floor;
    private final Mono<Void> stop;
    private final LaneStateBackend state;

    /** Those of the threads that keys are divided among. */
    private final List<LaneStateBackend> divided = new CopyOnWriteArrayList<>();

    private final LanePosition start;
    private final LaneProgress progress;
    private final LaneCosts costs;

    /** By the lane's partition, the offset that the head of the lane hands on next. */
    private final AtomicLongArray readTo;

    /** Bytes of rows that wait for the next barrier: written at the end of the lane, read at its head. */
    private volatile long waitingRowBytes;

    /** Whether there are any, counted or not yet. */
    private volatile boolean rowsWait;

    /** Wakes the head of the lane where it waits for commits. */
    private volatile Runnable onCommitted = () -> {};

    /** Whether rows have been delivered that the next barrier removes: asked at the head of the lane. */
    private final List<BooleanSupplier> removable = new CopyOnWriteArrayList<>();

    private final Set<String> operators = new LinkedHashSet<>();
    private final Set<String> claimed = new HashSet<>();

    JobLane(Job job, int number, LaneSession session, Submissions submissions, JobFloor floor, Mono<Void> stop) {
        this.job = job;
        this.number = number;
        this.partitions = List.copyOf(job.topics().ofLane(number, job.merged()));
        this.numbers = List.copyOf(job.topics().numbersOfLane(number, job.merged()));
        this.session = session;
        this.submissions = submissions;
        this.floor = floor;
        this.stop = stop;
        this.state = LaneStateBackend.of(session, job.stateBudgetBytes());
        this.start = LanePosition.restore(state);
        this.costs = new LaneCosts(
                RunningJobs.costs(job.store(), job.name()), number, job.spec().scheduler());
        this.readTo = new AtomicLongArray(partitions.size());
        for (int i = 0; i < partitions.size(); i++) {
            readTo.set(i, start.nextOffset(i));
            floor.restored(partitions.get(i), start.offsets(i));
        }
        this.progress = RunningJobs.progress(job.store(), job.name()).begin(this);
    }

    static JobLane of(LaneContext lane) {
        if (lane.unwrap() instanceof JobLane jobLane) {
            return jobLane;
        }
        throw new IllegalStateException("a log source runs only as a job: end the pipeline with writeTo");
    }

    /** Where the time is taken that checkpoints cost. */
    LaneCosts costs() {
        return costs;
    }

    /** Refuses a table that something else in the lane writes to: both would number their rows alike. */
    void claim(String table) {
        if (!claimed.add(table)) {
            throw new IllegalStateException("the " + table + " of job " + job.name()
                    + " is used in two places, as on both sides of a join: give each a table of its own");
        }
    }

    /** Refuses a table that is not of the job's store; {@code table} is what the message calls it. */
    void requireStore(StateStore store, String table) {
        if (job.store() != store) {
            throw new IllegalStateException(
                    table + " belongs to another store than its job: open it on the job's store");
        }
    }

    @Override
    public StateBackend state() {
        return state;
    }

    @Override
    public StateBackend stateOfLane(int number, int threads) {
        LaneStateBackend backend = LaneStateBackend.of(session, job.dividedStateBytes(threads));
        divided.add(backend);
        return backend;
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
    public void explanation(LiveExplanation live) {
        progress.explanation(live);
    }

    /** Where what the lane is doing is told. */
    LaneProgress progress() {
        return progress;
    }

    /** How many records of its partitions the lane has not read. Thread-safe. */
    long unread() {
        return partitions().stream().mapToLong(this::lag).sum();
    }

    /** About how much heap its state takes. */
    long stateBytes() {
        return state.heapBytes()
                + divided.stream().mapToLong(LaneStateBackend::heapBytes).sum();
    }

    @Override
    public List<Integer> partitions() {
        return numbers;
    }

    @Override
    public long lag(int partition) {
        int index = Collections.binarySearch(numbers, partition);
        if (index < 0) {
            return -1;
        }
        return partitions.get(index).endOffset() - readTo.get(index);
    }

    /** Tells how far the lane's partition at {@code index} has been handed on. */
    void readTo(int index, long nextOffset) {
        readTo.lazySet(index, nextOffset);
    }

    /** How far the lane's partition at {@code index} has been handed on. Thread-safe. */
    long handedOn(int index) {
        return readTo.get(index);
    }

    @Override
    public void checkKey(Object key) {
        if (!job.merged()) {
            job.checkPlace(key, number);
        }
    }

    Job job() {
        return job;
    }

    int number() {
        return number;
    }

    /** The only partition, where it is over one. */
    Partition partition() {
        return partitions.get(0);
    }

    /** The partitions in order of their numbers. */
    List<Partition> sources() {
        return partitions;
    }

    /** Completes when everything before the positions survives a power cut. */
    Mono<Void> force(List<SourcePosition> positions) {
        return Flux.range(0, positions.size())
                .flatMap(i -> partitions.get(i).force(positions.get(i).nextOffset()))
                .then();
    }

    /** What a transaction says of where the lane stands. */
    LanePosition position(List<SourcePosition> positions, boolean finished, long transaction) {
        List<LanePosition.Offsets> offsets = new ArrayList<>();
        for (int i = 0; i < positions.size(); i++) {
            offsets.add(new LanePosition.Offsets(positions.get(i).nextOffset(), floor.oldest(partitions.get(i))));
        }
        return new LanePosition(
                offsets, finished, transaction, job.topics().areSeveral() ? numbers : List.<Integer>of());
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
            submissions.add(number);
            return session.submit(transaction);
        });
    }

    /** When this completes, the lane is to stop, whatever the job does. */
    Mono<Void> stop() {
        return stop;
    }

    LanePosition start() {
        return start;
    }

    /** Whether so much is changed and uncommitted that the next barrier had better come now. */
    boolean isPressured() {
        return waitingRowBytes > job.rowBudgetBytes() / 2
                || state.pressured()
                || isDividedPressured()
                || job.store().pressured();
    }

    private boolean isDividedPressured() {
        for (LaneStateBackend each : divided) {
            if (each.pressured()) {
                return true;
            }
        }
        return false;
    }

    /** Whether any row waits for the next barrier. */
    boolean hasWaitingRows() {
        return rowsWait;
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

    /** Tells how much heap the rows take that wait for the next barrier. */
    void waitingRowBytes(long bytes) {
        waitingRowBytes = bytes;
    }

    /** Tells whether any rows wait for the next barrier. */
    void rowsWait(boolean any) {
        rowsWait = any;
    }

    /** About how much heap these may take. */
    long rowBudgetBytes() {
        return job.rowBudgetBytes();
    }

    /** What the newest durable transaction holds: read back from the store, so that it says what is there. */
    LaneCheckpoint committed(LaneTransaction transaction, List<SourcePosition> positions, boolean finished) {
        for (int i = 0; i < positions.size(); i++) {
            floor.committed(partitions.get(i), positions.get(i).nextOffset());
        }
        onCommitted.run();
        Map<String, Counters> counters = new TreeMap<>();
        for (String operator : operators) {
            long @Nullable [] cells = state.longs(operator, LiveCounters.STATE_NAME);
            if (cells != null) {
                counters.put(operator, Counters.ofArray(cells));
            }
        }
        return new LaneCheckpoint(number, transaction.id(), positions, counters, finished);
    }
}
