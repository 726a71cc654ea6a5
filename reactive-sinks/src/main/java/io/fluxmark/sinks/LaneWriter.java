package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StoreCommit;
import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.internal.DrainOperator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * The end of a lane: rows are collected as they come; a barrier takes them into its transaction, which is handed to the
 * store once the log is durable up to the positions in it. One commit is under way at a time: the lane goes on meanwhile,
 * up to the next barrier.
 *
 * <p>Rows beyond a budget are written ahead of their transaction, as of a firing that is larger than the heap, behind
 * which the barrier waits. One part is written at a time, and no more is taken before it is durable.
 */
final class LaneWriter<T> extends DrainOperator<StreamElement<T>, LaneWriter.Committed> {

    /** What one transaction of the lane made durable, and the store commit that it was in. */
    record Committed(StoreCommit commit, LaneCheckpoint lane) {}

    private static final int PREFETCH = 4;

    /** Rows are added to the transaction in batches: of a row that changes at once again only the last is. */
    private static final int FLUSH_ROWS = 1024;

    private final JobLane lane;
    private final RowWriter<T> rows;
    private final Deliveries deliveries;
    private final Disposable.Swap commit = Disposables.swap();
    private final CommitDeadline deadline;
    private final Disposable.Swap writingAhead = Disposables.swap();

    /** Whether the store has the job's identity, or will have it with the lane's first transaction. */
    private boolean identityKept;

    /** Whether the same is so of what the job is now. */
    private boolean described;

    /** The rows of the transaction of the next barrier. */
    private LaneTransaction part;

    /** What of them the writer still holds. */
    private int unflushed;

    /** Results since the last barrier. */
    private int written;

    /** A part is being written ahead. */
    private boolean ahead;

    /** Writing ahead makes no room: the sink drops what it writes, or another lane writes the same rows. They wait for the barrier. */
    private boolean aheadFruitless;

    private @Nullable CheckpointBarrier<T> waiting;
    private @Nullable CheckpointBarrier<T> committing;

    /** Set by the store when the commit is durable, looked at in the drain loop. */
    private volatile @Nullable StoreCommit durable;

    /** Set by the store when a part is durable: what of it could not be written ahead. */
    private volatile @Nullable LaneTransaction rest;

    /** Why a commit has failed. Not an upstream error: the upstream may have completed, and its end waits for the commit. */
    private volatile @Nullable Throwable failure;

    LaneWriter(CoreSubscriber<? super Committed> actual, JobLane lane, RowWriter<T> rows, Deliveries deliveries) {
        super(actual, PREFETCH);
        this.lane = lane;
        this.rows = rows;
        this.deadline = new CommitDeadline(
                lane.job().spec(),
                "lane " + lane.number() + " of job " + lane.job().name(),
                this::onFailed);
        this.deliveries = deliveries;
        this.part = lane.session().part(lane.session().restored().transaction() + 1);
        this.identityKept = lane.session().restored().value(JobRunner.IDENTITY) != null;
        deliveries.onRoom(this::wakeUp);
    }

    @Override
    protected void onInput(StreamElement<T> input) {
        if (input instanceof EventBatch<T> batch) {
            for (int i = 0; i < batch.size(); i++) {
                rows.write(batch.value(i));
            }
            written += batch.size();
            unflushed += batch.size();
            lane.rowsWait(true);
            if (unflushed >= FLUSH_ROWS) {
                flush();
                writeAhead();
            }
        } else if (input instanceof CheckpointBarrier<T> barrier) {
            long began = lane.costs().begins();
            LaneTransaction transaction = (LaneTransaction) barrier.transaction();
            flush();
            int rowsOfIt = written;
            written = 0;
            lane.rowsWait(false);
            lane.waitingRowBytes(0); // another barrier would make room for nothing
            lane.position(barrier.positions(), barrier.last(), transaction.id()).save(transaction);
            if (!described) {
                described = true;
                StoredDescription.keep(lane.job().description(), lane.session().restored(), transaction);
            }
            if (!identityKept) {
                identityKept = true;
                transaction.lane(JobRunner.IDENTITY, lane.job().identity().getBytes(StandardCharsets.UTF_8));
            }
            waiting = barrier;
            lane.costs().ends(began);
            if (committing != null) {
                lane.costs().stands();
            }
            deadline.reached(transaction.id());
            lane.progress().reached(transaction.bytes(), rowsOfIt);
            commitNext();
        }
    }

    private void flush() {
        rows.flush(part);
        unflushed = 0;
        lane.waitingRowBytes(part.bytes());
    }

    private boolean isOverBudget() {
        return !aheadFruitless && part.bytes() > lane.rowBudgetBytes();
    }

    /** Not while the transaction before is under way: its rows come first. */
    private void writeAhead() {
        if (isOverBudget() && !ahead && committing == null) {
            ahead = true;
            writingAhead.update(lane.session().writeAhead(part).subscribe(this::onAhead, this::onFailed));
            aheadFruitless = isOverBudget();
        }
    }

    private void onAhead(LaneTransaction left) {
        rest = left;
        wakeUp();
    }

    /** The log first: a durable commit never names an offset that a power cut could take back. */
    private void commitNext() {
        CheckpointBarrier<T> barrier = waiting;
        if (barrier == null || committing != null || ahead) {
            return;
        }
        waiting = null;
        committing = barrier;
        LaneTransaction transaction = (LaneTransaction) barrier.transaction();
        transaction.include(part);
        part = lane.session().part(transaction.id() + 1);
        aheadFruitless = false;
        lane.waitingRowBytes(0);
        Mono<StoreCommit> submitted = lane.force(barrier.positions())
                .then(Mono.defer(() -> isCancelled() ? Mono.<StoreCommit>empty() : lane.submit(transaction)));
        commit.update(submitted.subscribe(this::onDurable, this::onFailed));
    }

    private void onDurable(StoreCommit done) {
        durable = done;
        wakeUp();
    }

    private void onFailed(Throwable why) {
        failure = why;
        wakeUp();
    }

    @Override
    protected @Nullable Committed poll(boolean starved) {
        Throwable failed = failure;
        if (failed != null) {
            lane.progress().failed();
            throw Exceptions.propagate(failed);
        }
        LaneTransaction left = rest;
        if (left != null) {
            rest = null;
            ahead = false;
            part.include(left);
            lane.waitingRowBytes(part.bytes());
            aheadFruitless |= !left.isEmpty();
            commitNext();
            writeAhead();
        }
        StoreCommit done = durable;
        CheckpointBarrier<T> barrier = committing;
        if (done == null || barrier == null) {
            return null;
        }
        durable = null;
        committing = null;
        deadline.durable();
        lane.progress().durable();
        lane.costs().durable(done, hasInputs());
        LaneTransaction transaction = (LaneTransaction) barrier.transaction();
        deliveries.committed(transaction);
        List<SourcePosition> positions = barrier.positions();
        Committed committed = new Committed(done, lane.committed(transaction, positions, barrier.last()));
        commitNext();
        writeAhead();
        return committed;
    }

    @Override
    protected boolean mustWait(boolean atEnd) {
        if (atEnd) {
            return waiting != null || committing != null || ahead;
        }
        return waiting != null || deliveries.areFull() || (isOverBudget() && (committing != null || ahead));
    }

    @Override
    protected boolean holdsOutput() {
        return durable != null || failure != null || rest != null;
    }

    @Override
    protected void discardHeld(Context context) {
        waiting = null;
        deadline.dispose();
    }

    @Override
    protected void onInputEnd() {
        deadline.dispose();
    }
}
