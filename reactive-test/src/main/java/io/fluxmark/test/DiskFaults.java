package io.fluxmark.test;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/**
 * Lets the disk under a job's log and store fail while it runs: a full disk, a write that fails or stops half way, a force
 * that fails, and power that fails with a force still under way. Whoever is told of the fault has to end with an error that
 * names it as its cause; what was committed has to be there afterwards as a whole (S48); and when the disk is well again,
 * the job has to end as one that nothing disturbs. After a full disk the same opened log and store may go on, where they
 * say so; otherwise both are opened again.
 *
 * <p>Power cuts at every boundary are {@link CrashPoints#powerCuts}. Immutable. Runs on the caller's thread and those of
 * the job.
 */
public final class DiskFaults {

    /** What goes wrong in a trial. */
    enum Trouble {
        FULL,
        WRITE_FAILS,
        SHORT_WRITE,
        FORCE_FAILS,
        FORCE_FAILS_THEN_POWER_CUT
    }

    private final JobCase job;
    private final int trials;
    private final long seed;

    private DiskFaults(JobCase job, int trials, long seed) {
        this.job = job;
        this.trials = trials;
        this.seed = seed;
    }

    /** 50 trials with seed 0. */
    public static DiskFaults of(JobCase job) {
        return new DiskFaults(Objects.requireNonNull(job, "job"), 50, 0);
    }

    /** How many trials, at least 1, by turns of each kind, and the seed of where each fault strikes. */
    public DiskFaults trials(int count, long newSeed) {
        if (count < 1) {
            throw new IllegalArgumentException("at least 1 trial is made but was told " + count);
        }
        return new DiskFaults(job, count, newSeed);
    }

    /**
     * What was tried.
     *
     * @param trials by kind
     * @param struck in how many of them the fault came before the job was through
     * @param failed in how many of them the job, or the producer, ended with an error
     * @param wentOn in how many of these the same log and store went on when there was room again
     * @param seed of where the faults struck
     */
    public record Report(Map<String, Integer> trials, int struck, int failed, int wentOn, long seed) {

        /** Copies {@code trials}. */
        public Report {
            trials = Map.copyOf(trials);
        }

        @Override
        public String toString() {
            return trials + ", " + struck + " struck, " + failed + " ended with an error, " + wentOn
                    + " went on without being opened again; each then ended as undisturbed, seed " + seed;
        }
    }

    /**
     * Runs and checks.
     *
     * @param directory empty; the store's lock goes there
     * @throws AssertionError names the fault, where it struck, the seed, and what differs
     */
    public Report verify(Path directory) {
        Path place = directory.resolve("run");
        JobReference reference = JobReference.of(job, place);
        FaultTrial trial = new FaultTrial(job, reference, place);
        Random random = new Random(seed);
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < trials; i++) {
            Trouble trouble = Trouble.values()[i % Trouble.values().length];
            counts.merge(trouble.name(), 1, Integer::sum);
            long where = random.nextLong(Long.MAX_VALUE);
            try {
                trial.run(trouble, where);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "Not the same after trouble with the disk: " + trial.what() + ", trial " + i + ", seed " + seed
                                + ".\n" + e.getMessage() + "\n  job " + job,
                        e);
            }
        }
        return new Report(counts, trial.struck(), trial.failed(), trial.wentOn(), seed);
    }
}
