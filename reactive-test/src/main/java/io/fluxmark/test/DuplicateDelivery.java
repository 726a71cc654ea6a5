package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.AppendResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Has a producer send every record several times while the job runs, and kills the process that has log and job now and
 * then: each record has to stand in the log once, in order, and the job has to end as one that got each record once.
 *
 * <p>The producer numbers its records ({@link AppendRecord#withSequence}); repetitions come at once or much later, alone or
 * together with records that are new. Immutable. Runs on the caller's thread and those of the job.
 */
public final class DuplicateDelivery {

    private final JobCase job;
    private final int most;
    private final int restarts;
    private final long seed;

    private DuplicateDelivery(JobCase job, int most, int restarts, long seed) {
        this.job = job;
        this.most = most;
        this.restarts = restarts;
        this.seed = seed;
    }

    /** Each record up to 3 times, with 3 restarts and seed 0. */
    public static DuplicateDelivery of(JobCase job) {
        return new DuplicateDelivery(Objects.requireNonNull(job, "job"), 3, 3, 0);
    }

    /** Each record 1 to {@code times} times, at least 1. */
    public DuplicateDelivery upTo(int times) {
        if (times < 1) {
            throw new IllegalArgumentException("a record is sent at least once but was told " + times);
        }
        return new DuplicateDelivery(job, times, restarts, seed);
    }

    /** How often the process is killed, and the seed of everything. */
    public DuplicateDelivery restarts(int count, long newSeed) {
        if (count < 0) {
            throw new IllegalArgumentException("a process is killed at least 0 times but was told " + count);
        }
        return new DuplicateDelivery(job, most, count, newSeed);
    }

    /**
     * What was sent.
     *
     * @param records how many records there were
     * @param deliveries how often one was sent
     * @param recognised how many of these the log had already
     * @param times how many records were sent once, twice, and so on
     * @param restarts how often the process was killed
     * @param seed of everything
     */
    public record Report(int records, int deliveries, int recognised, List<Integer> times, int restarts, long seed) {

        /** Copies {@code times}. */
        public Report {
            times = List.copyOf(times);
        }

        @Override
        public String toString() {
            return records + " records sent " + deliveries + " times ("
                    + IntStream.range(0, times.size())
                            .mapToObj(i -> times.get(i) + " of them " + (i + 1) + "x")
                            .collect(Collectors.joining(", "))
                    + "), " + recognised + " recognised, " + restarts + " restarts: 0 duplicates, 0 gaps, seed " + seed;
        }
    }

    /**
     * Runs and checks.
     *
     * @param directory empty; the store's lock goes there
     * @throws AssertionError names the record, or what differs in the output, and the seed
     */
    public Report verify(Path directory) {
        Path place = directory.resolve("run");
        JobReference reference = JobReference.of(job, place);
        try {
            return run(place, reference);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "Not the same when records are sent up to " + most + " times, " + restarts + " restarts, seed "
                            + seed + ".\n" + e.getMessage() + "\n  job " + job,
                    e);
        }
    }

    private Report run(Path place, JobReference reference) {
        Random random = new Random(seed);
        List<AppendRecord> numbered = job.numbered();
        Deliveries deliveries = new Deliveries(numbered, most, job.recordsPerAppend(), random);
        SimulatedDisk disk = SimulatedDisk.empty();
        int recognised = 0;
        int killed = 0;
        // Each start of the process gets its share of the requests.
        int share = Math.max(1, numbered.size() / (job.recordsPerAppend() * (restarts + 1)));
        while (true) {
            boolean last = killed == restarts;
            try (JobRig rig = JobRig.open(job, place, disk);
                    RunningJob running = rig.start()) {
                for (int i = 0; !deliveries.done() && (last || i < share); i++) {
                    recognised += send(rig, deliveries.request());
                }
                if (last) {
                    running.drain();
                    running.awaitEnd();
                    LogContent.requireEachOnce(rig, numbered);
                    reference.checkEnd(rig);
                    break;
                }
                disk = disk.afterKill();
                killed++;
            }
        }
        List<Integer> times =
                IntStream.rangeClosed(1, most).mapToObj(deliveries::sent).toList();
        int total = deliveries.total();
        if (recognised != total - numbered.size()) {
            throw new RuleViolation(
                    "the log says of each record whether it had it",
                    "sent " + total + " times, " + numbered.size() + " records, told of " + recognised
                            + " repetitions");
        }
        return new Report(numbered.size(), total, recognised, times, killed, seed);
    }

    private static int send(JobRig rig, List<AppendRecord> request) {
        int recognised = 0;
        for (AppendResult result : request.isEmpty() ? List.<AppendResult>of() : rig.appendAgain(request)) {
            recognised += result.duplicate() ? 1 : 0;
        }
        return recognised;
    }
}
