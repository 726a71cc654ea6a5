package io.fluxmark.benchmarks.state;

import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneStateBackend;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreCommit;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.Pane;
import io.fluxmark.windows.PaneEntry;
import io.fluxmark.windows.PaneStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * One lane that counts and sums by key, as an operator of a job does: reads the entry, changes it, and commits each second
 * and when it is told that too much has changed. One commit is under way at a time. Not thread-safe.
 */
final class StateLane {

    private static final long INTERVAL_NANOS = 1_000_000_000;
    private static final int LOOK_EVERY = 256;
    private static final int RUN = 256;

    private final StateStore store;
    private final Scheduler clock;
    private final LaneSession session;
    private final LaneStateBackend backend;
    private final PaneStore<Long, Long> panes;
    private final Pane<Long, Long> pane;
    private @Nullable Mono<StoreCommit> underWay;
    private long commits;

    StateLane(StateStore store, int lane, long stateBytes, Scheduler clock) {
        this.store = store;
        this.clock = clock;
        session = StateBench.done(store.openLane("bench", lane));
        backend = LaneStateBackend.of(session, stateBytes);
        panes = backend.panes("counts", KeyCodec.tagged(), Codec.longs());
        pane = panes.open(0);
    }

    /**
     * Updates until there have been enough, or time is over.
     *
     * @param nanos how long at most
     */
    Progress update(KeyChoice choice, long updates, long nanos, long keys, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long before = commits;
        long began = clock.now(TimeUnit.NANOSECONDS);
        long now = began;
        long next = began + INTERVAL_NANOS;
        long done = 0;
        while (done < updates && now - began < nanos) {
            add(choice.key(done, keys, random));
            if (done++ % LOOK_EVERY == 0) {
                now = clock.now(TimeUnit.NANOSECONDS);
                if (now >= next || backend.pressured() || store.pressured()) {
                    barrier();
                    next = now + INTERVAL_NANOS;
                }
            }
        }
        barrier();
        await();
        return new Progress(done, commits - before);
    }

    /** How much has been done. */
    record Progress(long updates, long commits) {

        Progress plus(Progress other) {
            return new Progress(updates + other.updates, commits + other.commits);
        }
    }

    private void add(long key) {
        PaneEntry<Long, Long> entry = pane.update(key);
        Long sum = entry.accumulator;
        entry.accumulator = (sum == null ? 0 : sum) + key;
        entry.count++;
    }

    private void barrier() {
        await();
        LaneTransaction transaction = session.begin();
        panes.flush(transaction);
        Mono<StoreCommit> commit = session.submit(transaction).cache();
        commit.subscribe(done -> {}, failure -> {});
        underWay = commit;
        commits++;
    }

    private void await() {
        Mono<StoreCommit> commit = underWay;
        if (commit != null) {
            StateBench.done(commit);
        }
    }

    /** How often the keys were updated, over all entries; -1 where a sum does not fit its count. */
    long total() {
        long total = 0;
        List<PaneEntry<Long, Long>> run = new ArrayList<>(RUN);
        for (Pane.Walk<Long, Long> walk = pane.walk(); walk.next(run, RUN); run.clear()) {
            for (PaneEntry<Long, Long> entry : run) {
                Long sum = entry.accumulator;
                if (sum == null || sum != entry.count * entry.key) {
                    return -1;
                }
                total += entry.count;
            }
        }
        return total;
    }
}
