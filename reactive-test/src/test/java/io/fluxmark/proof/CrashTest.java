package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.state.StateStore;
import io.fluxmark.test.ChildJvm;
import io.fluxmark.test.RunningJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that appends and runs a job is killed at random instants. Before it starts again, what is stored equals what
 * follows from the records below the committed offsets; in the end, all output equals that of a run nobody disturbed.
 */
class CrashTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int KILLS = THOROUGH ? 100 : 20;
    private static final int KILLS_IN_COMMIT = 5;
    private static final int MOST_ROUNDS = 2 * KILLS;
    private static final int TICKS = 10_000;
    private static final int EVENTS = 25;
    private static final long SEED = 20_010_101;

    /** All output of a job that is through. */
    private record Output(List<?> rows, List<?> changes, List<?> late) {}

    @TempDir
    Path directory;

    private int kills;
    private int killsInCommit;

    @Test
    void aKilledJobHoldsWhatItsCommittedRecordsSayAndEndsAsIfNothingHadHappened() throws IOException {
        Path undisturbed = Files.createDirectory(directory.resolve("undisturbed"));
        long span;
        try (RunningJvm child = child(undisturbed).start()) {
            child.awaitLine(CrashChild.BEGUN::equals, ProofJob.PATIENCE);
            long began = System.nanoTime();
            child.awaitLine(CrashChild.THROUGH::equals, ProofJob.PATIENCE);
            span = System.nanoTime() - began;
        }
        Output expected = output(undisturbed);
        assertThat(expected.changes()).hasSizeGreaterThan(1_000);
        assertThat(expected.late()).hasSizeGreaterThan(20);
        Random random = new Random(SEED);
        int round = 0;
        while ((kills < KILLS || killsInCommit < KILLS_IN_COMMIT) && round < MOST_ROUNDS) {
            Path place = Files.createDirectory(directory.resolve("round" + round++));
            // Once in a round, and in every other one again while the job recovers.
            killAtRandomInstants(
                    place, random.longs(1 + round % 2 * 2, 0, span).sorted().toArray());
            assertThat(output(place)).as("output after kills in %s", place).isEqualTo(expected);
        }
        System.out.printf(
                "crashes: %d kills in %d rounds, %d of them inside a commit, %d ticks and %d ms undisturbed, seed %d%n",
                kills, round, killsInCommit, TICKS, span / 1_000_000, SEED);
        assertThat(kills).isGreaterThanOrEqualTo(KILLS);
        assertThat(killsInCommit).isGreaterThanOrEqualTo(KILLS_IN_COMMIT);
    }

    /** Kills after so many nanoseconds of the job running, over all its starts, then lets it end. */
    private void killAtRandomInstants(Path place, long[] instants) throws IOException {
        long before = 0;
        for (long instant : instants) {
            try (RunningJvm child = child(place).start()) {
                child.awaitLine(CrashChild.BEGUN::equals, ProofJob.PATIENCE);
                child.letRun(Duration.ofNanos(instant - before));
                before = instant;
                child.kill(ProofJob.PATIENCE);
                boolean through = check(place, child);
                if (through) {
                    return;
                }
            }
        }
        try (RunningJvm child = child(place).start()) {
            child.awaitLine(CrashChild.THROUGH::equals, ProofJob.PATIENCE);
        }
    }

    /** Whether the job was through before the kill, which then does not count. */
    private boolean check(Path place, RunningJvm child) throws IOException {
        Path copied = Files.createDirectories(place.resolve("copy"));
        Files.copy(
                place.resolve("state").resolve("state.mv"),
                copied.resolve("state.mv"),
                StandardCopyOption.REPLACE_EXISTING);
        try (ProofJob job = ProofJob.open(place);
                StateStore copy = StateStore.open(copied).block(ProofJob.PATIENCE)) {
            long commits = job.store().info().block(ProofJob.PATIENCE).commit();
            CrashCheck.Report report = CrashCheck.verify(job, copy);
            if (report.finished()) {
                return true;
            }
            List<String> lines = child.lines();
            boolean inCommit = lines.lastIndexOf(CrashChild.COMMIT_BEGINS) > lines.lastIndexOf(CrashChild.COMMIT_ENDS);
            kills++;
            killsInCommit += inCommit ? 1 : 0;
            System.out.printf(
                    "kill %d: %d records in the log, %d committed, %d transactions in %d store commits%s%n",
                    kills,
                    report.records(),
                    report.committed(),
                    report.transactions(),
                    commits,
                    inCommit ? ", inside a commit" : "");
            return false;
        }
    }

    private static Output output(Path place) throws IOException {
        try (ProofJob job = ProofJob.open(place)) {
            CrashCheck.assertEachOnce(job.topic(), TICKS);
            return new Output(
                    job.table().rows().collectList().block(ProofJob.PATIENCE),
                    job.changes().changes().collectList().block(ProofJob.PATIENCE),
                    job.late().events().collectList().block(ProofJob.PATIENCE));
        }
    }

    private static ChildJvm child(Path place) {
        return ChildJvm.of(CrashChild.class)
                .heap("128m")
                .option("-XX:TieredStopAtLevel=1")
                .args(place.toString(), "" + TICKS, "" + SEED, "" + EVENTS);
    }
}
