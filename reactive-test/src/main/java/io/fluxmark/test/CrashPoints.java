package io.fluxmark.test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Crashes a job at every boundary of its writing: between any two changes that it makes to log and store, a write, a cut,
 * a force or a rename. The job runs once while its records are appended, on a {@link SimulatedDisk} that remembers its
 * changes; then for each boundary a disk as the crash leaves it is opened anew. Before the job goes on, what is stored
 * has to be what the records before the committed offsets make of it (state, watermarks, counters and rows, byte by byte:
 * S47, S48), and nothing acknowledged may be missing. The producer then appends again what it does not know to be in the
 * log, the job runs to its end, and has to end as a job that nothing disturbs.
 *
 * <pre>{@code
 * CrashPoints.of(job).verify(directory);                             // the process is killed, at every boundary
 * CrashPoints.of(job).sample(40, seed).powerCuts().verify(directory) // the power fails, at 40 of them
 * }</pre>
 *
 * <p>What it is held against is a run of the same job, lane by lane, without any crash: {@link BatchEquivalence} is the tool
 * that holds that one against plain batch. Immutable. Runs on the caller's thread and those of the job.
 */
public final class CrashPoints {

    /** Of so many crashes, one is followed by another while the job recovers. */
    private static final int AGAIN = 4;

    private final JobCase job;
    private final int most;
    private final long seed;
    private final boolean powerCuts;
    private final Predicate<Path> lying;
    private final Consumer<SimulatedDisk> before;

    private CrashPoints(
            JobCase job,
            int most,
            long seed,
            boolean powerCuts,
            Predicate<Path> lying,
            Consumer<SimulatedDisk> before) {
        this.job = job;
        this.most = most;
        this.seed = seed;
        this.powerCuts = powerCuts;
        this.lying = lying;
        this.before = before;
    }

    /** Kills the process at every boundary, with seed 0. */
    public static CrashPoints of(JobCase job) {
        return new CrashPoints(
                Objects.requireNonNull(job, "job"), Integer.MAX_VALUE, 0, false, file -> false, disk -> {});
    }

    /** At {@code most} boundaries, or at all if there are not so many. The seed decides at which. */
    public CrashPoints sample(int most, long newSeed) {
        if (most < 1) {
            throw new IllegalArgumentException("at least 1 boundary is tried but was told " + most);
        }
        return new CrashPoints(job, most, newSeed, powerCuts, lying, before);
    }

    /** The power fails instead: of what was not forced, contents and names, any part may be there. */
    public CrashPoints powerCuts() {
        return new CrashPoints(job, most, seed, true, lying, before);
    }

    /** Forces of some files do nothing: a disk that lies, which power cuts have to find out. */
    CrashPoints lying(Predicate<Path> files) {
        return new CrashPoints(job, most, seed, powerCuts, files, before);
    }

    /** Something is done to what a crash has left before log and store are opened on it: a recovery that is broken. */
    CrashPoints recovering(Consumer<SimulatedDisk> recovery) {
        return new CrashPoints(job, most, seed, powerCuts, lying, recovery);
    }

    /**
     * What was tried.
     *
     * @param boundaries how many there were
     * @param crashes at how many of them the job was crashed
     * @param again how many of these were followed by another while the job recovered
     * @param prefixes before how many restarts what was stored was held against the fold of the committed prefix
     * @param hiding before how many restarts the store held rows written ahead of a commit that had not come; those of a commit
     *     that replaced others count until they are settled
     * @param rowsAhead how many rows the run that was crashed wrote ahead of their commit
     * @param commits from how many different offsets of lanes the job went on
     * @param rows the rows it ended with
     * @param digest of the rows, revisions and counters it ended with
     * @param seed of the choice of boundaries
     */
    public record Report(
            int boundaries,
            int crashes,
            int again,
            int prefixes,
            int hiding,
            long rowsAhead,
            int commits,
            int rows,
            String digest,
            long seed) {

        @Override
        public String toString() {
            return boundaries + " boundaries, " + crashes + " crashes and " + again + " more while recovering, "
                    + prefixes
                    + " of them held against the fold of the committed prefix, from " + commits
                    + " different positions"
                    + (rowsAhead == 0
                            ? ""
                            : ", " + hiding + " with rows ahead of a commit that had not come, of " + rowsAhead
                                    + " written ahead")
                    + "; each ended with " + rows + " rows, digest " + digest + ", seed " + seed;
        }
    }

    /** The run that is crashed, as its disk has it, and how many rows it has written ahead of their commit. */
    private record Recording(SimulatedDisk disk, long rowsAhead) {}

    /** What was acknowledged when the disk had so many changes. */
    private record Moment(long changes, Promise promise) {}

    /**
     * Runs and checks.
     *
     * @param directory empty; the store's lock goes there, and after a failure the files as the crash left them
     * @throws AssertionError names the boundary and the seed, what differs, and where the files are
     */
    public Report verify(Path directory) {
        Path place = directory.resolve("run");
        JobReference reference = JobReference.of(job, place);
        List<Moment> promises = Collections.synchronizedList(new ArrayList<>());
        Recording recording = record(place, reference, promises);
        DiskReplay replay = recording.disk().replay();
        CrashTrial trial = new CrashTrial(job, reference, place, before);
        Random random = new Random(seed);
        int again = 0;
        int crashes = 0;
        for (int boundary : boundaries(replay.size(), random)) {
            replay.advanceTo(boundary);
            SimulatedDisk left = powerCuts ? replay.afterPowerCut(random.nextLong()) : replay.afterKill();
            try {
                boolean twice = crashes++ % AGAIN == AGAIN - 1;
                again += twice ? 1 : 0;
                trial.run(left, promised(promises, boundary), twice ? random : null, powerCuts);
            } catch (AssertionError | RuntimeException e) {
                throw failure(directory, trial, place, boundary, replay, e);
            }
        }
        return new Report(
                replay.size(),
                crashes,
                again,
                trial.prefixes(),
                trial.hiding(),
                recording.rowsAhead(),
                trial.positions(),
                reference.rows(),
                reference.digest(),
                seed);
    }

    private Recording record(Path place, JobReference reference, List<Moment> promises) {
        SimulatedDisk disk = SimulatedDisk.empty().recording();
        disk.inject(DiskFault.FORCE_LIES, 0, Long.MAX_VALUE, lying);
        try (JobRig rig = JobRig.open(job, place, disk)) {
            try (RunningJob running =
                    rig.start(offsets -> promises.add(new Moment(disk.changes(), Promise.of(offsets))))) {
                rig.append(
                        job.numbered(),
                        count -> promises.add(new Moment(disk.changes(), Promise.of(job.partitions(), count))));
                running.drain();
                running.awaitEnd();
            }
            reference.checkEnd(rig);
            return new Recording(disk, JobRig.done(rig.store().info()).aheadRows());
        } catch (AssertionError | RuntimeException e) {
            throw JobReference.notRepeatable(job, e);
        }
    }

    private SortedSet<Integer> boundaries(int size, Random random) {
        SortedSet<Integer> chosen = new TreeSet<>();
        if (most >= size) {
            for (int boundary = 0; boundary <= size; boundary++) {
                chosen.add(boundary);
            }
        }
        while (chosen.size() < Math.min(most, size)) {
            chosen.add(random.nextInt(size + 1));
        }
        return chosen;
    }

    /** All that was acknowledged before the boundary. */
    private Promise promised(List<Moment> promises, int boundary) {
        Promise sum = Promise.of(job.partitions(), 0);
        for (Moment moment : promises) {
            if (moment.changes() <= boundary) {
                sum = sum.plus(moment.promise());
            }
        }
        return sum;
    }

    private AssertionError failure(
            Path directory, CrashTrial trial, Path place, int boundary, DiskReplay replay, Throwable cause) {
        Path files = directory.resolve("crash-" + boundary);
        trial.left().writeTo(place, files);
        return new AssertionError(
                "Not the same after a " + (powerCuts ? "power cut" : "kill") + " at boundary " + boundary + " of "
                        + replay.size() + ", behind " + replay.last() + trial.stage() + ", seed " + seed + ".\n"
                        + cause.getMessage()
                        + "\n  job " + job
                        + "\n  what the crash left is in " + files + ": open " + files.resolve("log") + " and "
                        + files.resolve("state") + " to run the job from there",
                cause);
    }
}
