package io.fluxmark.test;

import io.fluxmark.test.DiskFaults.Trouble;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/** Runs a job over a disk that gets into trouble, then over what is left of it. Not thread-safe. */
final class FaultTrial {

    private final JobCase job;
    private final JobReference reference;
    private final Path place;
    private final CrashTrial afterwards;
    private final long writes;
    private final long bytes;
    private String what = "nothing";
    private int struck;
    private int failed;
    private int wentOn;

    FaultTrial(JobCase job, JobReference reference, Path place) {
        this.job = job;
        this.reference = reference;
        this.place = place;
        this.afterwards = new CrashTrial(job, reference, place);
        SimulatedDisk disk = SimulatedDisk.empty();
        try (JobRig rig = JobRig.open(job, place, disk)) {
            long before = disk.changes();
            long full = disk.bytes();
            rig.finish();
            writes = disk.changes() - before;
            bytes = disk.bytes() - full;
        }
    }

    /** What was tried last. */
    String what() {
        return what;
    }

    int struck() {
        return struck;
    }

    int failed() {
        return failed;
    }

    int wentOn() {
        return wentOn;
    }

    void run(Trouble trouble, long where) {
        SimulatedDisk disk = SimulatedDisk.empty();
        long[] promised = new long[job.partitions()];
        SimulatedDisk left = null;
        try (JobRig rig = JobRig.open(job, place, disk)) {
            arm(disk, trouble, where);
            Throwable failure = attempt(rig, promised);
            boolean hit = disk.injected() > 0;
            struck += hit ? 1 : 0;
            check(failure, hit, rig);
            failed += failure == null ? 0 : 1;
            if (trouble == Trouble.FORCE_FAILS_THEN_POWER_CUT) {
                left = disk.afterPowerCut(where);
            }
            disk.heal();
            if (trouble == Trouble.FULL && failure != null) {
                goOn(rig);
            }
        } finally {
            disk.heal();
        }
        afterwards.run(left == null ? disk.afterKill() : left, Promise.of(promised), null, left != null);
    }

    private void arm(SimulatedDisk disk, Trouble trouble, long where) {
        // About half of the changes are writes, and a third are forces.
        long write = where % Math.max(1, writes / 2);
        long force = where % Math.max(1, writes / 3);
        switch (trouble) {
            case FULL -> {
                long room = where % Math.max(1, bytes);
                what = "full after " + room + " more bytes";
                disk.roomFor(room);
            }
            case WRITE_FAILS -> {
                what = "write " + write + " fails";
                disk.inject(DiskFault.WRITE_FAILS, write, 1);
            }
            case SHORT_WRITE -> {
                what = "write " + write + " stops half way";
                disk.inject(DiskFault.SHORT_WRITE, write, 1);
            }
            case FORCE_FAILS, FORCE_FAILS_THEN_POWER_CUT -> {
                what = "force " + force + " fails" + (trouble == Trouble.FORCE_FAILS ? "" : ", then the power");
                disk.inject(DiskFault.FORCE_FAILS, force, 1);
            }
        }
    }

    /** Runs the job and the producer; returns what either of them ended with. */
    private @Nullable Throwable attempt(JobRig rig, long[] promised) {
        try (RunningJob running = rig.start(offsets -> System.arraycopy(offsets, 0, promised, 0, offsets.length))) {
            rig.append(job.numbered());
            running.drain();
            running.awaitEnd();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private void check(@Nullable Throwable failure, boolean hit, JobRig rig) {
        if (failure == null) {
            // Either nothing happened yet, or whoever met it could do without what failed.
            reference.checkEnd(rig);
        } else if (!hit) {
            throw new RuleViolation("a job over a sound disk does not fail", "it failed with " + failure);
        } else {
            requireDiskAsCause(failure);
        }
    }

    private static void requireDiskAsCause(Throwable failure) {
        if (!isCausedByDisk(failure)) {
            throw new RuleViolation(
                    "an error names its cause", "no trouble with the disk among the causes of " + failure);
        }
    }

    private static boolean isCausedByDisk(Throwable failure) {
        for (Throwable each = Exceptions.unwrap(failure); each != null; each = each.getCause()) {
            if (each instanceof IOException) {
                return true;
            }
            for (Throwable suppressed : each.getSuppressed()) {
                if (isCausedByDisk(suppressed)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** There is room again: where the log takes appends, job and store have to go on too. */
    private void goOn(JobRig rig) {
        try {
            rig.append(job.numbered());
        } catch (RuntimeException e) {
            // A partition that can't know what it has written says so and waits to be opened again.
            return;
        }
        try {
            rig.finish();
        } catch (RuntimeException e) {
            requireDiskAsCause(e);
            // The commit that the first run had under way has failed only now, and the store was opened again.
            rig.finish();
        }
        reference.checkEnd(rig);
        wentOn++;
    }
}
