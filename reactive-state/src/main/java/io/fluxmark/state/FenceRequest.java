package io.fluxmark.state;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/** The first act of a session: raises the lane's generation, so that transactions of earlier ones are in or refused. */
final class FenceRequest implements StoreRequest {

    private static final int BYTES = 256;

    private final StoreThread thread;
    private final LaneId id;
    private final MonoSink<LaneSession> sink;
    private final Signals signals;
    private @Nullable Lane lane;
    private long generation;

    FenceRequest(StoreThread thread, LaneId id, MonoSink<LaneSession> sink) {
        this.thread = thread;
        this.id = id;
        this.sink = sink;
        signals = new Signals(thread.spec().scheduler());
    }

    @Override
    public long bytes() {
        return BYTES;
    }

    @Override
    public long entries() {
        return 0;
    }

    @Override
    public void check(Incarnation store) {
        lane = store.lanes().lane(id);
        lane.fence();
        generation = lane.generation();
    }

    @Override
    public void apply(Incarnation store) {
        store.ahead().lose(checked().number());
        store.lanes().putHead(checked());
    }

    @Override
    public void done(Incarnation store, StoreCommit commit) {
        try {
            LaneRecord restored = store.lanes().record(checked());
            LaneSession session = new LaneSession(thread, store, checked(), generation, restored, signals);
            checked().sessionStarted(session);
            signals.send(() -> sink.success(session));
        } catch (StateStoreException e) {
            failed(e);
        }
    }

    @Override
    public void failed(StateStoreException reason) {
        signals.send(() -> sink.error(reason));
        signals.retire();
    }

    @Override
    public void describe(List<LaneCommit> lanes) {
        // A fence changes no state; commits list transactions only.
    }

    private Lane checked() {
        return Objects.requireNonNull(lane, "lane");
    }
}
