package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that append and run a job are killed with SIGKILL at random moments, again while they recover, and looked at
 * before each start (S47, S48; C58, C61).
 */
class PipelineKillTest {

    private static final int KILLS = Tier.cases(1, 50);
    private static final int RECORDS = Tier.cases(800, 3_000);
    private static final long SEED = 5_900;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Not so many nanoseconds after the child has begun, but when it holds its store with rows ahead of their commit. */
    private static final long HELD = -1;

    @TempDir
    Path directory;

    private int kills;
    private int inCommit;
    private int rounds;
    private int prefixes;
    private int positions;
    private int hiding;
    private int records;

    @Test
    void killedPipelinesHoldWhatIsCommittedAndEndAsIfNothingHadHappened() {
        for (String pipeline : CrashPipelines.all(1, SEED).keySet()) {
            kills = 0;
            inCommit = 0;
            rounds = 0;
            verify(pipeline);
            System.out.printf(
                    "SIGKILL, %s: %d kills in %d rounds, %d of them inside a commit, %d held against the fold of the"
                            + " committed prefix, from %d different positions, %d with rows ahead of a commit that had"
                            + " not come, %d records, seed %d%n",
                    pipeline, kills, rounds, inCommit, prefixes, positions, hiding, records, SEED);
            assertThat(kills).as(pipeline).isGreaterThanOrEqualTo(KILLS);
            assertThat(hiding > 0).as(pipeline).isEqualTo(pipeline.equals(CrashPipelines.SPILLS));
        }
    }

    private void verify(String pipeline) {
        JobCase job = KillChild.job(pipeline, RECORDS, SEED);
        Path place = directory.resolve(pipeline.replace(' ', '-'));
        JobReference reference = JobReference.of(job, place.resolve("reference"));
        CrashTrial trial = new CrashTrial(job, reference, place);
        Random random = new Random(SEED);
        long span = undisturbed(pipeline, place.resolve("undisturbed"));
        // Whether the store can be held between rows ahead and their commit is up to its threads: if not, the next
        // round.
        boolean spills = pipeline.equals(CrashPipelines.SPILLS);
        while ((kills < KILLS || (spills && trial.hiding() == 0)) && rounds < 4 * KILLS + 40) {
            Path round = place.resolve("round" + rounds++);
            boolean through = false;
            // Once, or once more while it recovers.
            for (int kill = rounds % 2; kill < 2 && !through; kill++) {
                boolean held = spills && rounds % 2 == 1;
                through = kill(pipeline, round, held ? HELD : random.nextLong(span), job, trial);
            }
            try (RunningJvm child = child(pipeline, round, KillChild.RUN).start()) {
                child.awaitLine(KillChild.THROUGH::equals, PATIENCE);
                child.awaitExit(PATIENCE);
            }
            try (JobRig rig = JobRig.open(job, round, null)) {
                reference.checkEnd(rig);
            } catch (AssertionError e) {
                throw new AssertionError(pipeline + ", round " + rounds + ", seed " + SEED + ": " + e.getMessage(), e);
            }
        }
        prefixes = trial.prefixes();
        positions = trial.positions();
        hiding = trial.hiding();
        records = job.records().size();
    }

    /** Whether the child was through before it could be killed. */
    private boolean kill(String pipeline, Path round, long nanos, JobCase job, CrashTrial trial) {
        List<String> lines;
        boolean held = nanos == HELD;
        try (RunningJvm child =
                child(pipeline, round, held ? KillChild.HOLD : KillChild.RUN).start()) {
            child.awaitLine(KillChild.BEGUN::equals, PATIENCE);
            if (held) {
                child.awaitLine(line -> line.equals(KillChild.HELD) || line.equals(KillChild.THROUGH), PATIENCE);
            } else {
                child.letRun(Duration.ofNanos(nanos));
            }
            child.kill(PATIENCE);
            lines = child.lines();
        }
        if (lines.contains(KillChild.THROUGH)) {
            return true;
        }
        kills++;
        Promise promised = Promise.of(job.partitions(), 0);
        int open = 0;
        for (String line : lines) {
            promised = KillChild.promised(promised, line);
            open += line.equals(KillChild.COMMIT_BEGINS) ? 1 : line.equals(KillChild.COMMIT_ENDS) ? -1 : 0;
        }
        inCommit += open;
        try (JobRig rig = JobRig.open(job, round, null)) {
            trial.check(rig, promised, false);
        } catch (AssertionError e) {
            throw new AssertionError(
                    pipeline + ", kill " + kills + (held ? " with rows ahead" : " after " + nanos + " ns")
                            + ", files in " + round + ", seed " + SEED + ": " + e.getMessage(),
                    e);
        }
        return false;
    }

    private long undisturbed(String pipeline, Path place) {
        try (RunningJvm child = child(pipeline, place, KillChild.RUN).start()) {
            child.awaitLine(KillChild.BEGUN::equals, PATIENCE);
            long began = System.nanoTime();
            child.awaitLine(KillChild.THROUGH::equals, PATIENCE);
            return System.nanoTime() - began;
        }
    }

    private static ChildJvm child(String pipeline, Path place, String mode) {
        return ChildJvm.of(KillChild.class).args(place.toString(), pipeline, "" + RECORDS, "" + SEED, mode);
    }
}
