package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Partition;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreDurability;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
    private static final int CUTS_PER_RUN = THOROUGH ? 20 : 15;
    private static final int TICKS = 600;

    /** Appended only after the cut. */
    private static final int NEW_TICKS = 60;

    private static final int EVENTS = 15;
    private static final long SEED = 1_886;

    @TempDir
    Path directory;

    /** How far log and store go before they answer. */
    private record Levels(Durability log, StoreDurability store) {

        static List<Levels> all() {
            List<Levels> all = new ArrayList<>();
            for (Durability log : List.of(Durability.OS, Durability.interval(Duration.ofMillis(20)), Durability.SYNC)) {
                for (StoreDurability store : StoreDurability.values()) {
                    all.add(new Levels(log, store));
                }
            }
            return all;
        }

        @Override
        public String toString() {
            return "log " + log + " and store " + store;
        }
    }

    private final Map<String, Integer> byLevels = new TreeMap<>();
    private int disks;
    private int trials;
    private int behindLog;
    private int lostRecords;
    private int lostCommits;
    private int newRecords;

    /** A moment at which the power could have failed, what was promised and what was told of by then, and what readers could see. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Cut(Machine.Image image, long[] promised, long[] told, long visible) {}

    @Test
    void whatSurvivesAPowerCutFitsTogetherAndTheJobEndsWithTheRightRows() throws IOException {
        List<Tick> ticks = Tick.stream(TICKS + NEW_TICKS, SEED);
        List<Levels> levels = Levels.all();
        Random random = new Random(SEED);
        for (int run = 0; trials < TRIALS; run++) {
            Path place = directory.resolve("run" + run);
            Files.createDirectories(place);
            Levels of = levels.get(run % levels.size());
            for (Cut cut : run(place, ticks.subList(0, TICKS), of, random)) {
                trials++;
                byLevels.merge(of.toString(), 1, Integer::sum);
                try {
                    verify(place, cut, ticks, of);
                } catch (AssertionError e) {
                    throw new AssertionError(
                            "power cut " + trials + " in run " + run + " of seed " + SEED + ", " + of + ": "
                                    + e.getMessage(),
                            e);
                }
            }
            MachineFilePath.unmount(place);
        }
        System.out.printf(
                "power cuts over log and store: %d trials, %d with records not yet committed, %d with records lost, %d"
                        + " with a commit lost that was left to the system, %d then with new records, seed %d; %s%n",
                trials, behindLog, lostRecords, lostCommits, newRecords, SEED, byLevels);
        assertThat(behindLog).isPositive();
        assertThat(lostRecords).isPositive();
        assertThat(lostCommits).isPositive();
        assertThat(byLevels).hasSameSizeAs(levels);
    }

    /** Runs the job to its end, and takes what the disk would hold if the power failed at some of its changes. */
    private List<Cut> run(Path place, List<Tick> ticks, Levels levels, Random random) {
        Machine machine = new Machine();
        List<Cut> cuts = new ArrayList<>();
        AtomicLongArray acknowledged = new AtomicLongArray(ProofJob.PARTITIONS);
        AtomicLongArray before = new AtomicLongArray(ProofJob.PARTITIONS);
        int[] until = {random.nextInt(2 * 60)};
        try (ProofJob job = open(place, machine, levels)) {
            machine.afterChange(changed -> {
                synchronized (cuts) {
                    if (until[0]-- == 0 && cuts.size() < CUTS_PER_RUN) {
                        until[0] = random.nextInt(2 * 60);
                        // The promises first: what is promised after the cut does not count.
                        long[] promised = new long[ProofJob.PARTITIONS];
                        long[] newest = new long[ProofJob.PARTITIONS];
                        for (int lane = 0; lane < promised.length; lane++) {
                            // Of the older one first: both may be moving on.
                            promised[lane] =
                                    levels.store() == StoreDurability.OS ? before.get(lane) : acknowledged.get(lane);
                            newest[lane] = acknowledged.get(lane);
                        }
                        long visible = job.topic().partitions().stream()
                                .mapToLong(Partition::endOffset)
                                .sum();
                        cuts.add(new Cut(changed.cut(random), promised, newest, visible));
                    }
                }
            });
            Sinks.Empty<Void> appended = Sinks.empty();
            Mono<Void> end = job.run(CheckpointSpec.everyEvents(EVENTS).drainWhen(appended.asMono()))
                    .doOnNext(checkpoint -> checkpoint
                            .lanes()
                            .forEach(lane -> before.set(
                                    lane.lane(),
                                    acknowledged.getAndSet(
                                            lane.lane(), lane.positions().get(0).nextOffset()))))
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

    private void verify(Path place, Cut cut, List<Tick> ticks, Levels levels) throws IOException {
        try (ProofJob job = open(place, new Machine(cut.image()), levels)) {
            CrashCheck.Report report = check(job, place, cut.image());
            behindLog += report.records() > report.committed() ? 1 : 0;
            lostRecords += report.records() < cut.visible() ? 1 : 0;
            boolean lost = false;
            for (int lane = 0; lane < ProofJob.PARTITIONS; lane++) {
                assertThat(report.offsets().get(lane))
                        .as("committed offset of lane %d after the cut, against what was promised", lane)
                        .isGreaterThanOrEqualTo(cut.promised()[lane]);
                lost |= report.offsets().get(lane) < cut.told()[lane];
            }
            lostCommits += lost ? 1 : 0;
            // A lane that was through before the cut takes no new records, and whether it was is part of what survives.
            boolean through =
                    JobStatus.read(job.store(), ProofJob.NAME, job.topic()).block(ProofJob.PATIENCE).lanes().stream()
                            .anyMatch(JobStatus.Lane::finished);
            List<Tick> all = through ? ticks.subList(0, TICKS) : ticks;
            newRecords += through ? 0 : 1;
            job.append(all);
            CrashCheck.assertEachOnce(job.topic(), all.size());
            job.run(CheckpointSpec.everyEvents(EVENTS).drainWhen(Mono.empty())).blockLast(ProofJob.PATIENCE);
            CrashCheck.Report end = CrashCheck.verify(job, job.store());
            assertThat(end.finished()).isTrue();
            assertThat(end.committed()).isEqualTo(all.size());
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

    private static ProofJob open(Path place, Machine machine, Levels levels) {
        EventLog log = EventLog.open(
                        place.resolve("log"),
                        LogSpec.defaults()
                                .storage(machine)
                                .durability(levels.log())
                                .segmentBytes(4096))
                .block(ProofJob.PATIENCE);
        return ProofJob.of(
                log,
                StateStore.open(
                                place,
                                MachineFilePath.mount(StoreSpec.defaults().durability(levels.store()), place, machine))
                        .block(ProofJob.PATIENCE));
    }
}
