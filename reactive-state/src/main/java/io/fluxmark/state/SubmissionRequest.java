package io.fluxmark.state;

import java.util.List;
import reactor.core.publisher.MonoSink;

/** A lane's transaction on its way. */
final class SubmissionRequest implements StoreRequest {

    private final LaneSession session;
    private final LaneTransaction transaction;
    private final MonoSink<StoreCommit> sink;

    SubmissionRequest(LaneSession session, LaneTransaction transaction, MonoSink<StoreCommit> sink) {
        this.session = session;
        this.transaction = transaction;
        this.sink = sink;
    }

    @Override
    public long bytes() {
        return transaction.bytes();
    }

    @Override
    public long entries() {
        return transaction.entryCount();
    }

    @Override
    public long stateEntries() {
        return transaction.stateEntryCount();
    }

    @Override
    public void check(Incarnation store) {
        session.accept(store, transaction);
    }

    @Override
    public void apply(Incarnation store) {
        transaction.apply(store, session.laneState(), session.generation());
    }

    @Override
    public void done(Incarnation store, StoreCommit commit) {
        session.committed(transaction.id(), () -> sink.success(commit));
    }

    @Override
    public void failed(StateStoreException reason) {
        session.signal(() -> sink.error(reason));
    }

    @Override
    public void describe(List<LaneCommit> lanes) {
        lanes.add(new LaneCommit(session.job(), session.lane(), transaction.id()));
    }
}
