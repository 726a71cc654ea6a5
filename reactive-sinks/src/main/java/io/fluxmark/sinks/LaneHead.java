package io.fluxmark.sinks;

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
 * The head of a lane: hands on what a subclass has read, and sets the barriers. A barrier comes behind every so many
 * events or bytes, exactly; when asked for; when the interval has passed and there was input, or rows wait that time has fired without any; when
 * too much is uncommitted; and last of all when the job is stopped or drained, or the lane is given to somebody else.
 *
 * @param <I> what is read
 * @param <E> what is handed on
 */
abstract class LaneHead<I, E> extends DrainOperator<I, StreamElement<E>> {

    private final JobLane lane;
    private final CheckpointSpec spec;
    private final int runSize;
    private final Disposable.Composite outside = Disposables.composite();

    /** By the lane's partition. */
    private final List<EmptyEnd> emptyEnds;

    private long sinceBarrier;
    private long bytesSinceBarrier;

    /** The transaction of the newest barrier, 0 if there was none. */
    private long handed;

    private boolean atEnd;
    private boolean endTold;
    private boolean lastBarrierSet;

    /** Set from outside, looked at in the drain loop. */
    private volatile boolean due;

    private volatile boolean asked;
    private volatile boolean stopped;

    /** @param runSize the most events of a run, or more than there may be in one */
    LaneHead(CoreSubscriber<? super StreamElement<E>> actual, JobLane lane, int prefetch, int runSize) {
        super(actual, prefetch);
        this.lane = lane;
        this.runSize = Math.min(EventBatch.MAX_SIZE, runSize);
        this.spec = lane.job().spec();
        this.emptyEnds = lane.sources().stream().map(EmptyEnd::new).toList();
    }

    /**
     * The next run, of at most {@code room} events and up to the one that {@link #reachesBytes}; null while there is none. Tells
     * the lane how far it is read.
     */
    abstract @Nullable EventBatch<E> read(long room);

    /** Whether {@link #read} would return a run: a guess is enough, as long as it isn't false for ever. */
    abstract boolean hasRun();

    /** Lets go of what is read and not handed on: nothing more will be. */
    abstract void dropRead();

    /** The job is to end behind what its partitions hold now. Called once, on any thread, outside the drain loop. */
    abstract void endHere();

    /** There is no record before {@code offset} in the lane's partition at {@code index}, behind what is handed on. */
    abstract void passTo(int index, long offset);

    /** Whether everything before the end is handed on, where there is one. */
    abstract boolean isAtEnd();

    /** The next offset to read of each partition of the lane. */
    abstract List<SourcePosition> positions();

    /** Starts the timer and listens for stop and drain; all of it only adds work and wakes the drain loop. */
    final void listen() {
        long interval = spec.interval().toNanos();
        outside.add(spec.scheduler().schedulePeriodically(this::onTimer, interval, interval, TimeUnit.NANOSECONDS));
        lane.onCommitted(this::wakeUp);
        Publisher<?> demand = spec.demand();
        if (demand != null) {
            outside.add(Flux.from(demand).subscribe(v -> onDemand(), this::failUpstream));
        }
        outside.add(lane.stop().subscribe(v -> {}, this::failUpstream, this::onStop));
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
        for (int i = 0; i < emptyEnds.size(); i++) {
            emptyEnds.get(i).look(lane.handedOn(i), this::wakeUp);
        }
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
        endHere();
        wakeUp();
    }

    final JobLane lane() {
        return lane;
    }

    /** Whether nothing more is read. */
    final boolean isEnding() {
        return atEnd;
    }

    /** Whether the bytes of records have to be told to {@link #reachesBytes}. */
    final boolean countsBytes() {
        return spec.bytes() != Long.MAX_VALUE;
    }

    /** Whether a barrier comes, because of bytes, behind a record of so many, which is handed on. */
    final boolean reachesBytes(long contentBytes) {
        bytesSinceBarrier += contentBytes;
        return bytesSinceBarrier >= spec.bytes();
    }

    @Override
    protected final @Nullable StreamElement<E> poll(boolean starved) {
        if (awaitsCommit()) {
            return null;
        }
        passEmptyEnds();
        takeTime();
        if (!atEnd && (stopped || isAtEnd())) {
            atEnd = true;
            dropRead();
            endEarly();
        }
        if (atEnd) {
            return pollEnd();
        }
        if (isBarrierDue() || (sinceBarrier > 0 && lane.isPressured())) {
            return barrier(false);
        }
        if (!isCommitUnderWay()) {
            due = false;
        }
        EventBatch<E> run = read(Math.min(runSize, spec.events() - sinceBarrier));
        if (run != null) {
            sinceBarrier += run.size();
        }
        return run;
    }

    private void passEmptyEnds() {
        for (int i = 0; i < emptyEnds.size(); i++) {
            if (emptyEnds.get(i).reached() > lane.handedOn(i)) {
                passTo(i, emptyEnds.get(i).reached());
            }
        }
    }

    /** A barrier is handed on, and where the lane stopped for it, durable. */
    private void takeTime() {
        if (spec.stopsTheWorld() && !hasRun() && !hasInputs()) {
            lane.costs().nothingLost();
        } else {
            lane.costs().handed();
        }
    }

    @Override
    protected void onPause(boolean demanded, boolean over) {
        if (!awaitsCommit()) {
            takeTime();
        }
    }

    private boolean isBarrierDue() {
        return sinceBarrier >= spec.events()
                || bytesSinceBarrier >= spec.bytes()
                || asked
                || (due
                        && !isCommitUnderWay()
                        && (sinceBarrier > 0 || lane.hasWaitingRows() || lane.hasRemovableRows()));
    }

    /** A barrier because of time would only wait for this commit, and the lane behind it. */
    private boolean isCommitUnderWay() {
        return handed > lane.session().committedTransaction();
    }

    private boolean awaitsCommit() {
        return spec.stopsTheWorld() && isCommitUnderWay();
    }

    /** A drained lane ends its stream before the last barrier; a stopped one only sets the barrier. */
    private @Nullable StreamElement<E> pollEnd() {
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

    private CheckpointBarrier<E> barrier(boolean last) {
        due = false;
        asked = false;
        sinceBarrier = 0;
        bytesSinceBarrier = 0;
        LaneTransaction transaction = lane.session().begin();
        handed = transaction.id();
        lane.costs().handing();
        return new CheckpointBarrier<>(transaction, positions(), last);
    }

    @Override
    protected final boolean mustWait(boolean inputsEnded) {
        return awaitsCommit();
    }

    @Override
    protected final boolean holdsOutput() {
        if (awaitsCommit()) {
            return false;
        }
        if (atEnd) {
            return !lastBarrierSet;
        }
        return hasRun() || stopped || isAtEnd() || isBarrierDue();
    }

    @Override
    protected void discardHeld(Context context) {
        dropRead();
        outside.dispose();
    }
}
