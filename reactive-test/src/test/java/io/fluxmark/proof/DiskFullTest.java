package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.state.DiskFullException;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreDurability;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** The disk becomes full while a job commits, stays full for a while, and has room again. */
class DiskFullTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int ROUNDS = THOROUGH ? 300 : 30;
    private static final int TICKS = 300;
    private static final long SEED = 28;

    @TempDir
    Path directory;

    private int failures;
    private int failuresOfFences;
    private int readWhileFull;

    @Test
    void c52TheCommitBeforeStaysWholeTheErrorSaysWhatToDoAndTheJobGoesOnWhenThereIsRoom() throws Exception {
        List<Tick> ticks = Tick.stream(TICKS, SEED);
        int rounds = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Path place = Files.createDirectory(directory.resolve("round" + round));
            try {
                rounds += run(place, ticks, new Random(SEED + round)) ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("round " + round + " of seed " + SEED + ": " + e.getMessage(), e);
            } finally {
                MachineFilePath.unmount(place);
            }
        }
        System.out.printf(
                "disk full: %d rounds, in %d of them at a commit; %d runs failed, %d of them as they opened; %d times"
                        + " all was read meanwhile, seed %d%n",
                ROUNDS, rounds, failures, failuresOfFences, readWhileFull, SEED);
        assertThat(rounds).isGreaterThan(ROUNDS / 2);
        assertThat(failuresOfFences).isPositive();
        assertThat(readWhileFull).isPositive();
    }

    /** Whether the disk became full in time. */
    private boolean run(Path place, List<Tick> ticks, Random random) {
        Machine machine = new Machine();
        StoreDurability durability = random.nextBoolean() ? StoreDurability.SYNC : StoreDurability.OS;
        int fullAfter = random.nextInt(TICKS / 2);
        int room = random.nextInt(12_000);
        int retriesWhileFull = random.nextInt(3);
        List<Throwable> seen = new ArrayList<>();
        AtomicBoolean filled = new AtomicBoolean();
        AtomicLongArray acknowledged = new AtomicLongArray(ProofJob.PARTITIONS);
        try (ProofJob job = open(place, machine, durability)) {
            job.append(ticks);
            job.onEvent = tick -> {
                if (tick.number() >= fullAfter && filled.compareAndSet(false, true)) {
                    machine.leaveRoom(room);
                }
            };
            job.run(CheckpointSpec.everyEvents(5).drainWhen(Mono.empty()))
                    .doOnNext(checkpoint -> checkpoint
                            .lanes()
                            .forEach(lane -> acknowledged.set(
                                    lane.lane(), lane.positions().get(0).nextOffset())))
                    .retryWhen(Retry.max(10)
                            .filter(DiskFullException.class::isInstance)
                            .doBeforeRetry(signal -> {
                                seen.add(signal.failure());
                                assertWhole(job, acknowledged);
                                if (seen.size() > retriesWhileFull) {
                                    machine.leaveRoom(Long.MAX_VALUE);
                                }
                            }))
                    .blockLast(ProofJob.PATIENCE);
            assertThat(seen).allSatisfy(failure -> assertThat(failure)
                    .hasMessageContaining(place.toString())
                    .hasMessageContaining("is full")
                    .hasMessageContaining("make room"));
            failures += seen.size();
            failuresOfFences += Math.max(0, seen.size() - 1);
            CrashCheck.Report report = CrashCheck.verify(job, job.store());
            assertThat(report.finished()).isTrue();
            assertThat(report.committed()).isEqualTo(TICKS);
            CrashCheck.assertEachOnce(job.topic(), TICKS);
        }
        return !seen.isEmpty();
    }

    /** While the disk is still full, what was told of is there to be read, once the store is open again. */
    private void assertWhole(ProofJob job, AtomicLongArray acknowledged) {
        long[] promised = new long[ProofJob.PARTITIONS];
        for (int lane = 0; lane < promised.length; lane++) {
            promised[lane] = acknowledged.get(lane);
        }
        List<JobStatus.Lane> lanes = new ArrayList<>();
        List<Object> rows = new ArrayList<>();
        List<Throwable> unreadable = new ArrayList<>();
        JobStatus.read(job.store(), ProofJob.NAME, job.topic())
                .subscribe(status -> lanes.addAll(status.lanes()), unreadable::add);
        job.changes().changes().subscribe(rows::add, unreadable::add);
        job.table().rows().subscribe(rows::add, unreadable::add);
        if (!unreadable.isEmpty()) {
            // A lane may have met the failure before the store is open again, and readers then do so too.
            assertThat(unreadable).allSatisfy(failure -> assertThat(failure).isInstanceOf(DiskFullException.class));
            return;
        }
        readWhileFull++;
        assertThat(lanes).hasSize(ProofJob.PARTITIONS).allSatisfy(lane -> assertThat(lane.nextOffset())
                .isGreaterThanOrEqualTo(promised[lane.lane()]));
    }

    private static ProofJob open(Path place, Machine machine, StoreDurability durability) {
        return ProofJob.of(
                EventLog.open(place.resolve("log"), LogSpec.defaults().storage(machine))
                        .block(ProofJob.PATIENCE),
                StateStore.open(
                                place,
                                MachineFilePath.mount(StoreSpec.defaults().durability(durability), place, machine))
                        .block(ProofJob.PATIENCE));
    }
}
