package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.state.CommitStages;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Generations: a commit is held at a random stage of its way, the run that it belongs to ends in one of several ways, the
 * next one begins before or after the commit goes on, and so again. Whatever happens, what is stored between two runs is
 * what follows from the committed records, and at the end nothing is lost and nothing is doubled.
 */
class HeldCommitScheduleTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int SCHEDULES = THOROUGH ? 1_000 : 100;
    private static final int MOST_ROUNDS = 3;
    private static final int TICKS_PER_ROUND = 80;
    private static final long SEED = 1_848;

    /** Where the commit is held: waiting for the store's thread, or as the store names its stages. */
    private enum Stage {
        QUEUED,
        CHECKED,
        APPLIED,
        COMMITTED,
        SYNCED
    }

    /** How the run ends. */
    private enum End {
        ERROR,
        CANCEL,
        /** Others open the lanes while the run goes on, which then finds itself replaced. */
        REVOKE,
        /** The next run of the job begins while the commit is still held. */
        RESUBSCRIBE
    }

    /** Holds the store's thread, once, when it comes to a stage for the n-th time. */
    private static final class Hold {

        private final Stage stage;
        private final AtomicInteger before;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        Hold(Stage stage, int before) {
            this.stage = stage;
            this.before = new AtomicInteger(before);
        }

        void at(String name) {
            if (stage.name().equals(name) && before.getAndDecrement() == 0) {
                reached.countDown();
                await(released);
            }
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(ProofJob.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted at a hold", e);
            }
        }
    }

    @TempDir
    Path directory;

    private final ExecutorService storeThread = Executors.newSingleThreadExecutor();
    private final AtomicReference<Hold> hold = new AtomicReference<>();
    private final Map<Stage, Integer> stages = new EnumMap<>(Stage.class);
    private final Map<End, Integer> ends = new EnumMap<>(End.class);
    private long refused;

    @AfterEach
    void endThread() {
        storeThread.shutdown();
    }

    @Test
    void nothingIsLostAndNothingIsDoubledInAnySchedule() throws IOException {
        List<Tick> ticks = Tick.stream(MOST_ROUNDS * TICKS_PER_ROUND, SEED);
        for (int schedule = 0; schedule < SCHEDULES; schedule++) {
            Path place = Files.createDirectory(directory.resolve("schedule" + schedule));
            try {
                run(place, ticks, new Random(SEED + schedule));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("schedule " + schedule + " of seed " + SEED + ": " + e.getMessage(), e);
            } finally {
                MachineFilePath.unmount(place);
            }
        }
        System.out.printf(
                "held commits: %d schedules, held when %s, ended by %s, %d later transactions refused, seed %d%n",
                SCHEDULES, stages, ends, refused, SEED);
        assertThat(stages).hasSize(Stage.values().length);
        assertThat(ends).hasSize(End.values().length);
    }

    private void run(Path place, List<Tick> ticks, Random random) {
        try (ProofJob job = open(place, new Machine())) {
            try {
                run(job, ticks, random);
            } finally {
                letGo();
            }
        }
    }

    private void run(ProofJob job, List<Tick> ticks, Random random) {
        int rounds = 1 + random.nextInt(MOST_ROUNDS);
        CheckpointSpec spec = CheckpointSpec.everyEvents(3 + random.nextInt(6)).orEvery(Duration.ofMillis(20));
        for (int round = 1; round <= rounds; round++) {
            job.append(ticks.subList(0, round * TICKS_PER_ROUND));
            endWhileHeld(job, spec, random);
            // Behind this, what the ended run may still have handed over is in or refused.
            openLanes(job).blockLast(ProofJob.PATIENCE);
            CrashCheck.verify(job, job.store());
        }
        job.run(spec.drainWhen(Mono.empty())).blockLast(ProofJob.PATIENCE);
        CrashCheck.Report report = CrashCheck.verify(job, job.store());
        assertThat(report.finished()).isTrue();
        assertThat(report.committed()).isEqualTo((long) rounds * TICKS_PER_ROUND);
        refused += job.store().info().block(ProofJob.PATIENCE).refusedTransactions();
    }

    /** Before the store is closed, which waits for its thread. */
    private void letGo() {
        Hold last = hold.getAndSet(null);
        if (last != null) {
            last.released.countDown();
        }
    }

    private static Flux<LaneSession> openLanes(ProofJob job) {
        return Flux.range(0, ProofJob.PARTITIONS).flatMap(lane -> job.store().openLane(ProofJob.NAME, lane));
    }

    private ProofJob open(Path place, Machine machine) {
        StoreSpec spec = CommitStages.watched(StoreSpec.defaults(), this::at)
                .executor(task -> storeThread.execute(() -> {
                    at(Stage.QUEUED.name());
                    task.run();
                }));
        return ProofJob.of(
                EventLog.open(
                                place.resolve("log"),
                                LogSpec.defaults().durability(Durability.OS).storage(machine))
                        .block(ProofJob.PATIENCE),
                StateStore.open(place, MachineFilePath.mount(spec, place, machine))
                        .block(ProofJob.PATIENCE));
    }

    private void at(String stage) {
        Hold present = hold.get();
        if (present != null) {
            present.at(stage);
        }
    }

    private void endWhileHeld(ProofJob job, CheckpointSpec spec, Random random) {
        Stage stage = Stage.values()[random.nextInt(Stage.values().length)];
        End end = End.values()[random.nextInt(End.values().length)];
        // Of commits there are several; the thread may take all of them in one turn.
        Hold own = new Hold(stage, stage == Stage.QUEUED ? 0 : random.nextInt(2));
        // With the first event: all lanes are open by then, and what comes to the store is the transactions of this
        // run.
        job.onEvent = tick -> hold.compareAndSet(null, own);
        Sinks.Empty<Void> stop = Sinks.empty();
        Sinks.Empty<Void> ended = Sinks.empty();
        Disposable running = job.run(spec.stopWhen(stop.asMono()))
                .subscribe(checkpoint -> {}, ended::tryEmitError, ended::tryEmitEmpty);
        Hold.await(own.reached);
        job.onEvent = tick -> {};
        stages.merge(stage, 1, Integer::sum);
        ends.merge(end, 1, Integer::sum);
        switch (end) {
            case ERROR -> {
                stop.tryEmitError(new IllegalStateException("the job fails"));
                own.released.countDown();
                ended.asMono().onErrorComplete().block(ProofJob.PATIENCE);
            }
            case CANCEL -> {
                running.dispose();
                own.released.countDown();
            }
            case REVOKE -> {
                Flux<LaneSession> elsewhere = openLanes(job).replay().autoConnect(0);
                own.released.countDown();
                elsewhere.blockLast(ProofJob.PATIENCE);
                running.dispose();
            }
            case RESUBSCRIBE -> {
                running.dispose();
                Flux<Checkpoint> next =
                        job.run(spec.stopWhen(Mono.empty())).replay().autoConnect(0);
                own.released.countDown();
                next.blockLast(ProofJob.PATIENCE);
            }
        }
        hold.set(null);
    }
}
