package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Partition;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The power fails while a job runs and records are appended: log and store lose what they had not forced, together. */
class PowerCutTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int TRIALS = THOROUGH ? 2_000 : 100;
    private static final int CUTS_PER_RUN = 20;
    private static final int TICKS = 600;
    private static final int EVENTS = 15;
    private static final long SEED = 1_886;

    @TempDir
    Path directory;

    private int disks;
    private int trials;
    private int behindLog;
    private int lostRecords;

    /** A moment at which the power could have failed, what had been promised by then, and what readers could see. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Cut(Machine.Image image, long[] acknowledged, long visible) {}

    @Test
    void whatSurvivesAPowerCutFitsTogetherAndTheJobEndsWithTheRightRows() throws IOException {
        List<Tick> ticks = Tick.stream(TICKS, SEED);
        Random random = new Random(SEED);
        for (int run = 0; trials < TRIALS; run++) {
            Path place = directory.resolve("run" + run);
            Files.createDirectories(place);
            for (Cut cut : run(place, ticks, run % 2 == 0 ? Durability.OS : Durability.SYNC, random)) {
                trials++;
                try {
                    verify(place, cut, ticks);
                } catch (AssertionError e) {
                    throw new AssertionError(
                            "power cut " + trials + " in run " + run + " of seed " + SEED + ": " + e.getMessage(), e);
                }
            }
            MachineFilePath.unmount(place);
        }
        System.out.printf(
                "power cuts over log and store: %d trials, %d with records not yet committed, %d with records lost, seed %d%n",
                trials, behindLog, lostRecords, SEED);
        assertThat(behindLog).isPositive();
        assertThat(lostRecords).isPositive();
    }

    /** Runs the job to its end, and takes what the disk would hold if the power failed at some of its changes. */
    private List<Cut> run(Path place, List<Tick> ticks, Durability durability, Random random) {
        Machine machine = new Machine();
        List<Cut> cuts = new ArrayList<>();
        AtomicLongArray acknowledged = new AtomicLongArray(ProofJob.PARTITIONS);
        int[] until = {random.nextInt(2 * 60)};
        try (ProofJob job = open(place, machine, durability)) {
            machine.afterChange(changed -> {
                synchronized (cuts) {
                    if (until[0]-- == 0 && cuts.size() < CUTS_PER_RUN) {
                        until[0] = random.nextInt(2 * 60);
                        // The promises first: what is promised after the cut does not count.
                        long[] promised = new long[ProofJob.PARTITIONS];
                        for (int lane = 0; lane < promised.length; lane++) {
                            promised[lane] = acknowledged.get(lane);
                        }
                        long visible = job.topic().partitions().stream()
                                .mapToLong(Partition::endOffset)
                                .sum();
                        cuts.add(new Cut(changed.cut(random), promised, visible));
                    }
                }
            });
            Sinks.Empty<Void> appended = Sinks.empty();
            Mono<Void> end = job.run(CheckpointSpec.everyEvents(EVENTS).drainWhen(appended.asMono()))
                    .doOnNext(checkpoint -> checkpoint
                            .lanes()
                            .forEach(lane -> acknowledged.set(
                                    lane.lane(), lane.positions().get(0).nextOffset())))
                    .then()
                    .cache();
            end.subscribe();
            job.append(ticks);
            appended.tryEmitEmpty();
            end.block(ProofJob.PATIENCE);
            machine.afterChange(changed -> {});
        }
        return cuts;
    }

    private void verify(Path place, Cut cut, List<Tick> ticks) throws IOException {
        try (ProofJob job = open(place, new Machine(cut.image()), Durability.SYNC)) {
            CrashCheck.Report report = check(job, place, cut.image());
            behindLog += report.records() > report.committed() ? 1 : 0;
            lostRecords += report.records() < cut.visible() ? 1 : 0;
            for (int lane = 0; lane < ProofJob.PARTITIONS; lane++) {
                assertThat(report.offsets().get(lane))
                        .as("committed offset of lane %d after the cut, against what was acknowledged", lane)
                        .isGreaterThanOrEqualTo(cut.acknowledged()[lane]);
            }
            job.append(ticks);
            CrashCheck.assertEachOnce(job.topic(), TICKS);
            job.run(CheckpointSpec.everyEvents(EVENTS).drainWhen(Mono.empty())).blockLast(ProofJob.PATIENCE);
            CrashCheck.Report end = CrashCheck.verify(job, job.store());
            assertThat(end.finished()).isTrue();
            assertThat(end.committed()).isEqualTo(TICKS);
        }
    }

    private CrashCheck.Report check(ProofJob job, Path place, Machine.Image image) throws IOException {
        // The same disk once more, since looking at open windows leaves traces.
        Path other = Files.createDirectory(directory.resolve("disk" + disks++));
        Machine machine = new Machine(image.moved(place, other));
        try (StateStore copy = StateStore.open(other, MachineFilePath.mount(StoreSpec.defaults(), other, machine))
                .block(ProofJob.PATIENCE)) {
            return CrashCheck.verify(job, copy);
        } finally {
            MachineFilePath.unmount(other);
        }
    }

    private static ProofJob open(Path place, Machine machine, Durability durability) {
        EventLog log = EventLog.open(
                        place.resolve("log"),
                        LogSpec.defaults()
                                .storage(machine)
                                .durability(durability)
                                .segmentBytes(4096))
                .block(ProofJob.PATIENCE);
        return ProofJob.of(
                log,
                StateStore.open(place, MachineFilePath.mount(StoreSpec.defaults(), place, machine))
                        .block(ProofJob.PATIENCE));
    }
}
