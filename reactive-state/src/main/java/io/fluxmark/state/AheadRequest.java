package io.fluxmark.state;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/** Rows on their way to the file ahead of their transaction. */
final class AheadRequest implements StoreRequest {

    private final StoreThread thread;
    private final LaneSession session;
    private final LaneTransaction rows;
    private final MonoSink<LaneTransaction> sink;
    private @Nullable AheadId id;
    private @Nullable LaneTransaction rest;

    AheadRequest(StoreThread thread, LaneSession session, LaneTransaction rows, MonoSink<LaneTransaction> sink) {
        this.thread = thread;
        this.session = session;
        this.rows = rows;
        this.sink = sink;
    }

    @Override
    public long bytes() {
        return rows.bytes();
    }

    @Override
    public long entries() {
        return rows.entryCount();
    }

    @Override
    public void check(Incarnation store) {
        id = session.acceptAhead(store, rows.id());
    }

    @Override
    public void apply(Incarnation store) {
        rest = rows.writeAhead(store, Objects.requireNonNull(id, "id"));
    }

    @Override
    public void done(Incarnation store, StoreCommit commit) {
        LaneTransaction waiting = Objects.requireNonNull(rest, "rest");
        thread.writtenAhead(rows.entryCount() - waiting.entryCount(), rows.bytes() - waiting.bytes());
        session.signal(() -> sink.success(waiting));
    }

    @Override
    public void failed(StateStoreException reason) {
        session.signal(() -> sink.error(reason));
    }

    @Override
    public void describe(List<LaneCommit> lanes) {
        // Rows written ahead are part of no transaction yet.
    }
}
