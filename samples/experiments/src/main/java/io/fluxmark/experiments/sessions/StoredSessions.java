package io.fluxmark.experiments.sessions;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneStateBackend;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreInfo;
import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** The same sessions with their state in a store file, a barrier every second of event time, and little heap. */
final class StoredSessions implements AutoCloseable {

    private static final String JOB = "sessions";
    private static final int LANE = 0;
    private static final long BUDGET = 64L << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** How many more barriers may pass until what was dropped is gone from the file. */
    private static final int MOST_CLEANING = 2_000;

    private static final int SAMPLE_SECONDS = 5;

    private final OneShotKeys input;
    private final StateStore store;
    private final LaneSession session;
    private final LaneStateBackend backend;
    private final Playback<Long> playback;

    private StoredSessions(OneShotKeys input, Path directory, WindowSpec windows) {
        this.input = input;
        store = await(StateStore.open(directory));
        session = await(store.openLane(JOB, LANE));
        backend = LaneStateBackend.of(session, BUDGET);
        playback = new Playback<>(backend);
        playback.run(input.pipeline(playback, windows, live -> {}), result -> {});
    }

    /** Opens the store in a directory, with what an earlier run has left. */
    static StoredSessions open(OneShotKeys input, Path directory, WindowSpec windows) {
        return new StoredSessions(input, directory, windows);
    }

    /** Takes in so many seconds of keys and adds rows to {@code table}. */
    void run(String name, long seconds, Table table) {
        long key = 0;
        for (long second = 1; second <= seconds; second++) {
            for (; key < second * input.perSecond(); key++) {
                input.feed(playback, key);
            }
            barrier();
            if (second % SAMPLE_SECONDS == 0) {
                StoreInfo info = await(store.info());
                table.row(
                        name,
                        second,
                        playback.stateEntries(),
                        Figures.decimal(info.fileBytes() / 1e6, 1),
                        Figures.decimal(backend.heapBytes() / 1e6, 1));
            }
        }
    }

    /** The watermark passes everything, and the store gets time to remove what that has dropped. */
    void passEverything() {
        input.feed(playback, OneShotKeys.TICK);
        barrier();
        for (int i = 0; await(store.info()).pendingRanges() > 0; i++) {
            if (i == MOST_CLEANING) {
                throw new IllegalStateException("the store still removes entries after " + i + " barriers");
            }
            barrier();
        }
    }

    /** Commits what has changed. */
    void barrier() {
        LaneTransaction transaction = session.begin();
        playback.barrier(new CheckpointBarrier<>(transaction, List.of(), false));
        await(session.submit(transaction));
    }

    /** Entries that the operator holds. */
    long entries() {
        return playback.stateEntries();
    }

    /** Entries of state and index that are in the file, beside watermarks and counters. */
    long stored() {
        return await(store.readState(JOB, LANE, new byte[0], null).count())
                - await(store.longs(JOB, LANE).count());
    }

    private static <V> V await(Mono<V> mono) {
        return Objects.requireNonNull(mono.block(PATIENCE), "the store gave nothing");
    }

    @Override
    public void close() {
        playback.cancel();
        store.close();
    }
}
