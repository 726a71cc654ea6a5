package io.fluxmark.sinks;

import io.fluxmark.log.LogRecord;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.internal.DrainOperator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/**
 * The head of a lane: turns the runs of a partition into elements and sets the barriers. A barrier comes behind every so
 * many events, exactly; when the interval has passed and there was input; when too much is uncommitted; and last of all
 * when the job is stopped or drained.
 */
final class LaneReader extends DrainOperator<List<LogRecord>, StreamElement<LogRecord>> {

    /** Two runs ahead: reading goes on while one is worked on. */
    private static final int PREFETCH = 2;

    private static final long NOT_DRAINED = Long.MAX_VALUE;

    private final JobLane lane;
    private final CheckpointSpec spec;
    private final Disposable.Composite outside = Disposables.composite();

    private @Nullable List<LogRecord> run;
    private int next;
    private long nextOffset;
    private long sinceBarrier;
    private long bytesSinceBarrier;

    /** The transaction whose commit is waited for, 0 if none is. */
    private long awaited;

    private boolean atEnd;
    private boolean endTold;
    private boolean lastBarrierSet;

    /** Set from outside, looked at in the drain loop. */
    private volatile boolean due;

    private volatile boolean asked;
    private volatile boolean stopped;
    private volatile long drainEnd = NOT_DRAINED;

    private LaneReader(CoreSubscriber<? super StreamElement<LogRecord>> actual, JobLane lane) {
        super(actual, PREFETCH);
        this.lane = lane;
        this.spec = lane.job().spec();
        this.nextOffset = lane.start().nextOffset();
    }

    static Flux<StreamElement<LogRecord>> open(JobLane lane) {
        Flux<List<LogRecord>> runs = lane.partition()
                .readRuns(
                        lane.start().nextOffset(),
                        EventBatch.MAX_SIZE,
                        lane.job().spec().scheduler());
        return new LaneFlux<>(runs, actual -> {
            LaneReader reader = new LaneReader(actual, lane);
            reader.listen();
            return reader;
        });
    }

    /** Starts the timer and listens for stop and drain; all of it only adds work and wakes the drain loop. */
    private void listen() {
        long interval = spec.interval().toNanos();
        outside.add(spec.scheduler().schedulePeriodically(this::onTimer, interval, interval, TimeUnit.NANOSECONDS));
        if (spec.stopsTheWorld()) {
            lane.onCommitted(this::wakeUp);
        }
        Publisher<?> demand = spec.demand();
        if (demand != null) {
            outside.add(Flux.from(demand).subscribe(v -> onDemand(), this::failUpstream));
        }
        Publisher<?> stop = spec.stop();
        if (stop != null) {
            outside.add(Flux.from(stop).take(1).then().subscribe(v -> {}, this::failUpstream, this::onStop));
        }
        Publisher<?> drain = spec.drain();
        if (drain != null) {
            outside.add(Flux.from(drain).take(1).then().subscribe(v -> {}, this::failUpstream, this::onDrain));
        }
    }

    private void onTimer() {
        due = true;
        wakeUp();
    }

    private void onDemand() {
        asked = true;
        wakeUp();
    }

    private void onStop() {
        stopped = true;
        wakeUp();
    }

    private void onDrain() {
        drainEnd = lane.partition().endOffset();
        wakeUp();
    }

    @Override
    protected void onInput(List<LogRecord> input) {
        if (!atEnd) {
            run = input;
            next = 0;
        }
    }

    @Override
    protected @Nullable StreamElement<LogRecord> poll(boolean starved) {
        if (awaitsCommit()) {
            return null;
        }
        if (!atEnd && (stopped || nextOffset >= drainEnd)) {
            atEnd = true;
            run = null;
            endEarly();
        }
        if (atEnd) {
            return pollEnd();
        }
        if (isFull() || asked || isDue() || (sinceBarrier > 0 && lane.isPressured())) {
            return barrier(false);
        }
        due = false;
        List<LogRecord> records = run;
        return records == null ? null : batch(records);
    }

    /** A drained lane ends its stream before the last barrier; a stopped one only sets the barrier. */
    private @Nullable StreamElement<LogRecord> pollEnd() {
        boolean drained = !stopped;
        if (drained && !endTold) {
            endTold = true;
            return new Watermark<>(Watermark.END);
        }
        if (!lastBarrierSet) {
            lastBarrierSet = true;
            outside.dispose();
            return barrier(drained);
        }
        return null;
    }

    private StreamElement<LogRecord> batch(List<LogRecord> records) {
        long limit = Math.min(spec.events() - sinceBarrier, drainEnd - nextOffset);
        int size = (int) Math.min(records.size() - next, limit);
        if (spec.bytes() != Long.MAX_VALUE) {
            size = upToBytes(records, size);
        }
        EventBatch<LogRecord> batch = EventBatch.ofValues(records.subList(next, next + size));
        next += size;
        sinceBarrier += size;
        // Not every offset has a record.
        nextOffset = records.get(next - 1).offset() + 1;
        lane.readTo(nextOffset);
        if (next == records.size()) {
            run = null;
        }
        return batch;
    }

    /** How many records there are up to the one with which the bytes are reached. */
    private int upToBytes(List<LogRecord> records, int most) {
        for (int i = 0; i < most; i++) {
            LogRecord record = records.get(next + i);
            bytesSinceBarrier += length(record.key()) + (long) length(record.value());
            if (bytesSinceBarrier >= spec.bytes()) {
                return i + 1;
            }
        }
        return most;
    }

    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private boolean isFull() {
        return sinceBarrier >= spec.events() || bytesSinceBarrier >= spec.bytes();
    }

    private boolean awaitsCommit() {
        return awaited > lane.session().committedTransaction();
    }

    private CheckpointBarrier<LogRecord> barrier(boolean last) {
        due = false;
        asked = false;
        sinceBarrier = 0;
        bytesSinceBarrier = 0;
        SourcePosition position = new SourcePosition(lane.job().topic().name(), lane.number(), nextOffset);
        LaneTransaction transaction = lane.session().begin();
        awaited = spec.stopsTheWorld() ? transaction.id() : 0;
        return new CheckpointBarrier<>(transaction, List.of(position), last);
    }

    @Override
    protected boolean mustWait(boolean inputsEnded) {
        return awaitsCommit();
    }

    @Override
    protected boolean holdsOutput() {
        if (awaitsCommit()) {
            return false;
        }
        if (atEnd) {
            return !lastBarrierSet;
        }
        return run != null || stopped || asked || nextOffset >= drainEnd || isFull() || isDue();
    }

    private boolean isDue() {
        return due && (sinceBarrier > 0 || lane.hasRemovableRows());
    }

    @Override
    protected void discardHeld(Context context) {
        run = null;
        outside.dispose();
    }
}
