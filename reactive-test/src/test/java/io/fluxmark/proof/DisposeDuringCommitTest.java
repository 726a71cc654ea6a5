package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.state.CommitStages;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * C74: a job on real files is disposed of while its store commits, and with it the scheduler that it runs on, which interrupts
 * its threads wherever they are. The store does not care, and the next run goes on from its last commit.
 */
class DisposeDuringCommitTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int ROUNDS = THOROUGH ? 1_000 : 100;
    private static final int TICKS_PER_ROUND = 12;
    private static final List<String> STAGES = List.of("CHECKED", "APPLIED", "COMMITTED", "SYNCED");
    private static final long SEED = 1_963;

    @TempDir
    Path directory;

    /** Opened when the commit has come to the stage of the round. */
    private record Wait(String stage, AtomicInteger before, CountDownLatch reached) {

        void at(String name) {
            if (stage.equals(name) && before.getAndDecrement() == 0) {
                reached.countDown();
            }
        }
    }

    @Test
    void theStoreLivesAndHoldsItsLastCommitAfterEveryDispose() throws InterruptedException {
        Random random = new Random(SEED);
        AtomicReference<Wait> waiting = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicReference<String> newest = new AtomicReference<>("");
        AtomicLongArray acknowledged = new AtomicLongArray(ProofJob.PARTITIONS);
        List<Tick> ticks = Tick.stream(ROUNDS * TICKS_PER_ROUND, SEED);
        int insideCommits = 0;
        StoreSpec spec = CommitStages.watched(StoreSpec.defaults(), stage -> {
            newest.set(stage);
            Wait present = waiting.get();
            if (present != null) {
                present.at(stage);
            }
        });
        try (ProofJob job = ProofJob.of(
                EventLog.open(directory.resolve("log")).block(ProofJob.PATIENCE),
                StateStore.open(directory.resolve("state"), spec).block(ProofJob.PATIENCE))) {
            CheckpointSpec checkpoints = CheckpointSpec.everyEvents(3).orEvery(Duration.ofMillis(20));
            for (int round = 0; round < ROUNDS; round++) {
                job.append(ticks.subList(round * TICKS_PER_ROUND, (round + 1) * TICKS_PER_ROUND), 0);
                Wait wait = new Wait(
                        STAGES.get(random.nextInt(STAGES.size())),
                        new AtomicInteger(random.nextInt(2)),
                        new CountDownLatch(1));
                // With the first event the fences are through, and what is committed is the job's.
                AtomicBoolean first = new AtomicBoolean(true);
                job.onEvent = tick -> {
                    if (first.compareAndSet(true, false)) {
                        waiting.set(wait);
                    }
                };
                Scheduler scheduler = scheduler(round);
                Disposable running = job.run(checkpoints.scheduler(scheduler)).subscribe(checkpoint -> checkpoint
                        .lanes()
                        .forEach(lane -> acknowledged.set(
                                lane.lane(), lane.positions().get(0).nextOffset())));
                assertThat(wait.reached().await(ProofJob.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as("a commit in round %d, in which the job failed with %s", round, failure)
                        .isTrue();
                for (int spin = random.nextInt(2_000); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                insideCommits += newest.get().equals("SYNCED") ? 0 : 1;
                running.dispose();
                scheduler.dispose();
                waiting.set(null);
                assertAlive(job, acknowledged, round);
            }
            job.onEvent = tick -> {};
            job.run(CheckpointSpec.everyEvents(100).drainWhen(Mono.empty())).blockLast(ProofJob.PATIENCE);
            assertThat(job.store().info().block(ProofJob.PATIENCE).reopenings()).isZero();
            CrashCheck.Report report = CrashCheck.verify(job, job.store());
            assertThat(report.finished()).isTrue();
            assertThat(report.committed()).isEqualTo(ticks.size());
            CrashCheck.assertEachOnce(job.topic(), ticks.size());
        }
        System.out.printf(
                "disposes: %d, %d of them inside a commit, store never reopened, seed %d%n",
                ROUNDS, insideCommits, SEED);
        assertThat(insideCommits).isPositive();
    }

    private static void assertAlive(ProofJob job, AtomicLongArray acknowledged, int round) {
        JobStatus status =
                JobStatus.read(job.store(), ProofJob.NAME, job.topic()).block(ProofJob.PATIENCE);
        for (JobStatus.Lane lane : status.lanes()) {
            assertThat(lane.nextOffset())
                    .as("committed offset of lane %d after round %d", lane.lane(), round)
                    .isGreaterThanOrEqualTo(acknowledged.get(lane.lane()));
        }
        assertThat(job.store().info().block(ProofJob.PATIENCE).reopenings())
                .as("reopenings after round %d", round)
                .isZero();
    }

    /** All kinds whose dispose interrupts. */
    private static Scheduler scheduler(int round) {
        return switch (round % 4) {
            case 0 -> Schedulers.newSingle("lanes", true);
            case 1 -> Schedulers.newParallel("lanes", 2, true);
            case 2 -> Schedulers.newBoundedElastic(2, 100, "lanes", 60, true);
            default -> Schedulers.fromExecutorService(Executors.newScheduledThreadPool(2));
        };
    }
}
