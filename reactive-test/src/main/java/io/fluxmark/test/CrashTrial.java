package io.fluxmark.test;

import io.fluxmark.log.Durability;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts a job on what a crash has left, looks at it, and lets it run to its end. Not thread-safe. */
final class CrashTrial {

    private final JobCase job;
    private final JobReference reference;
    private final Path place;
    private final Set<List<Long>> positions = new HashSet<>();
    private final Consumer<SimulatedDisk> before;
    private int prefixes;
    private int hiding;
    private String stage = "";
    private SimulatedDisk left = SimulatedDisk.empty();

    CrashTrial(JobCase job, JobReference reference, Path place) {
        this(job, reference, place, disk -> {});
    }

    /** @param before is done to what a crash has left, before log and store are opened on it */
    CrashTrial(JobCase job, JobReference reference, Path place, Consumer<SimulatedDisk> before) {
        this.job = job;
        this.reference = reference;
        this.place = place;
        this.before = before;
    }

    /** How often what was stored was held against the fold of the committed prefix before the job went on. */
    int prefixes() {
        return prefixes;
    }

    /** How often there were rows ahead of a commit that had not come, or rows of one that replaced others and were not settled. */
    int hiding() {
        return hiding;
    }

    /** From how many different combinations of offsets the job went on. */
    int positions() {
        return positions.size();
    }

    /** What was looked at last, in words. */
    String stage() {
        return stage;
    }

    /** The disk that it was looked at on, as the crash left it. */
    SimulatedDisk left() {
        return left;
    }

    /**
     * One crash, or two.
     *
     * @param promised what had been acknowledged before it
     * @param again where the second one is chosen from, or null for none
     */
    void run(SimulatedDisk found, Promise promised, @Nullable Random again, boolean powerCut) {
        long[] committed;
        SimulatedDisk disk = found.recording();
        left = found;
        stage = "";
        committed = goOn(disk, promised, powerCut);
        if (again != null) {
            DiskReplay replay = disk.replay();
            replay.advanceTo(again.nextInt(replay.size() + 1));
            left = powerCut ? replay.afterPowerCut(again.nextLong()) : replay.afterKill();
            stage = ", and after another one while it recovered, behind " + replay.last();
            goOn(left.recording(), Promise.of(committed), powerCut);
        }
    }

    private long[] goOn(SimulatedDisk disk, Promise promised, boolean powerCut) {
        String crash = stage;
        stage = crash + ", when log and store are opened again";
        before.accept(disk);
        try (JobRig rig = JobRig.open(job, place, disk)) {
            stage = crash + ", before the job goes on";
            long[] committed = check(rig, promised, powerCut);
            stage = crash + ", while the job goes on";
            rig.finish();
            stage = crash + ", when the job is through";
            reference.checkEnd(rig);
            return committed;
        }
    }

    /** Holds what is stored against the reference and against what was promised; returns the committed offsets. */
    long[] check(JobRig rig, Promise promised, boolean powerCut) {
        // Nothing is settled before the first commit of this run.
        hiding += JobRig.done(rig.store().info()).aheadTransactions() > 0 ? 1 : 0;
        StoredJob stored = StoredJob.read(rig);
        long[] committed =
                stored.lanes().stream().mapToLong(StoredJob.Lane::offset).toArray();
        if (!powerCut || job.durability() == Durability.SYNC) {
            LogContent.requireAcknowledged(rig, job.numbered(), promised.appended());
        }
        for (int lane = 0; lane < committed.length; lane++) {
            if (committed[lane] < promised.offsets()[lane]) {
                throw new RuleViolation(
                        "what a checkpoint has told is durable",
                        "lane " + lane + ": told offset " + promised.offsets()[lane] + ", found " + committed[lane]);
            }
            long end = rig.topic().partition(lane).endOffset();
            if (committed[lane] > end) {
                throw new RuleViolation(
                        "the log first: no commit names an offset that the log does not have",
                        "lane " + lane + ": committed offset " + committed[lane] + ", the log ends at " + end);
            }
        }
        positions.add(Arrays.stream(committed).boxed().toList());
        reference.checkPrefix(stored);
        prefixes++;
        reference.checkOutputs(rig);
        return committed;
    }
}
