package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.sinks.StoreDigest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * What a job has to have stored at each offset that it commits, and in the end: recorded from runs that nothing disturbs and
 * that have room for all of their state and rows, one for each lane alone, stopped for a look behind every commit. For an
 * offset of a commit that came early, for want of memory, the lane is run once more, up to there.
 */
final class JobReference {

    private static final int DIGEST_DIGITS = 16;

    /** A lane and its rows behind one commit. */
    private record Stand(StoredJob.Lane lane, TreeMap<String, String> rows) {}

    private final JobCase job;
    private final Path aside;
    private final List<Map<Long, Stand>> stands = new ArrayList<>();
    private final List<Stand> ends = new ArrayList<>();
    private final Map<String, List<String>> shown = new LinkedHashMap<>();
    private List<String> outputs = List.of();
    private String digest = "";

    private JobReference(JobCase job, Path directory) {
        this.job = job;
        this.aside = directory.resolveSibling(directory.getFileName() + "-prefix");
    }

    /** @param directory empty */
    static JobReference of(JobCase job, Path directory) {
        try {
            return recorded(job.withRoom(), directory);
        } catch (AssertionError | RuntimeException e) {
            throw notRepeatable(job, e);
        }
    }

    /** Nothing was done to the job yet. */
    static AssertionError notRepeatable(JobCase job, Throwable cause) {
        return new AssertionError(
                "The job can't be held against itself: two runs that nothing disturbs do not end well, or not alike."
                        + " Its results have to depend on nothing but the records of each"
                        + " partition.\n" + cause.getMessage()
                        + "\n  job " + job,
                cause);
    }

    private static JobReference recorded(JobCase job, Path directory) {
        JobReference reference = new JobReference(job, directory);
        for (int lane = 0; lane < job.partitions(); lane++) {
            try (JobRig rig = JobRig.open(job, directory, SimulatedDisk.empty())) {
                reference.record(rig, lane);
            }
        }
        try (JobRig rig = JobRig.open(job, directory, SimulatedDisk.empty())) {
            rig.finish();
            reference.outputs = StoredJob.outputs(rig, job);
            reference.shown.putAll(reference.show(rig));
            reference.digest = digest(rig);
            reference.checkEnd(rig);
        }
        return reference;
    }

    private List<AppendRecord> recordsOf(JobRig rig, int lane) {
        return job.numbered().stream()
                .filter(each -> rig.partitionOf(each) == lane)
                .toList();
    }

    /** What is expected of a lane that has committed an offset. */
    private Stand stand(int lane, long offset) {
        return stands.get(lane).computeIfAbsent(offset, missing -> recordUpTo(lane, missing));
    }

    private Stand recordUpTo(int lane, long offset) {
        JobCase once = job.pace(offset, job.recordsPerAppend());
        try (JobRig rig = JobRig.open(once, aside, SimulatedDisk.empty());
                RunningJob running = rig.start()) {
            rig.appendAgain(recordsOf(rig, lane).subList(0, Math.toIntExact(offset)));
            running.awaitOffset(lane, offset);
            return stand(rig, lane);
        }
    }

    private void record(JobRig rig, int lane) {
        Map<Long, Stand> byOffset = new HashMap<>();
        stands.add(byOffset);
        List<AppendRecord> records = recordsOf(rig, lane);
        int chunk = Math.toIntExact(Math.min(records.size() + 1L, job.eventsPerCommit()));
        try (RunningJob running = rig.start()) {
            byOffset.put(0L, stand(rig, lane));
            int appended = 0;
            while (records.size() - appended >= chunk) {
                rig.appendAgain(records.subList(appended, appended + chunk));
                appended += chunk;
                running.awaitOffset(lane, appended);
                byOffset.put((long) appended, stand(rig, lane));
            }
            if (appended < records.size()) {
                rig.appendAgain(records.subList(appended, records.size()));
            }
            running.drain();
            running.awaitEnd();
        }
        ends.add(stand(rig, lane));
    }

    private static Stand stand(JobRig rig, int lane) {
        StoredJob stored = StoredJob.read(rig);
        return new Stand(stored.lanes().get(lane), stored.rows());
    }

    private Map<String, List<String>> show(JobRig rig) {
        Map<String, List<String>> texts = new LinkedHashMap<>();
        job.shown().forEach((name, results) -> {
            Publisher<?> publisher = results.apply(rig.store());
            texts.put(name, StoredJob.collect(Flux.from(publisher).map(String::valueOf)));
        });
        return texts;
    }

    /**
     * Holds what is stored against the records below the committed offsets: state, watermarks, counters and rows.
     * Rows that are written ahead of their commit are not seen, so there are none too many here either.
     *
     * @throws RuleViolation says what differs
     */
    void checkPrefix(StoredJob got) {
        TreeMap<String, String> rows = new TreeMap<>();
        StringBuilder offsets = new StringBuilder();
        for (int lane = 0; lane < stands.size(); lane++) {
            StoredJob.Lane stored = got.lanes().get(lane);
            offsets.append(' ').append(stored.offset()).append(stored.finished() ? " (finished)" : "");
            requireWithinInput(lane, stored.offset());
            Stand expected = stored.finished() ? ends.get(lane) : stand(lane, stored.offset());
            String difference = expected.lane().difference(stored);
            if (difference != null) {
                throw new RuleViolation(
                        "S47, S48: what is stored of a lane is the fold of the records before its committed offset",
                        "lane " + lane + ", committed offset " + stored.offset() + ", " + difference);
            }
            rows.putAll(expected.rows());
        }
        String difference = StoredJob.difference("rows", rows, got.rows());
        if (difference != null) {
            throw new RuleViolation(
                    "S48: rows, state and offsets are of one commit",
                    "committed offsets" + offsets + ", " + difference);
        }
    }

    private void requireWithinInput(int lane, long offset) {
        long end = ends.get(lane).lane().offset();
        if (offset > end) {
            throw new RuleViolation(
                    "C85: a lane commits no offset that its partition does not have",
                    "lane " + lane + ", committed offset " + offset + ", the partition has " + end + " records");
        }
    }

    /** Holds a job that is through against the undisturbed one. */
    void checkEnd(JobRig rig) {
        Map<String, List<String>> shownNow = show(rig);
        shown.forEach((name, expected) -> {
            List<String> got = shownNow.getOrDefault(name, List.of());
            if (!expected.equals(got)) {
                throw Emissions.differAt(
                        "the output equals that of a run that nothing disturbs",
                        expected,
                        got,
                        name + ", " + expected.size() + " expected, " + got.size() + " there: ");
            }
        });
        StoredJob stored = StoredJob.read(rig);
        for (int lane = 0; lane < stands.size(); lane++) {
            if (!stored.lanes().get(lane).finished()) {
                throw new RuleViolation(
                        "a drained job has read everything",
                        "got " + stored.lanes().get(lane));
            }
        }
        checkPrefix(stored);
        String digestNow = digest(rig);
        if (!digest.equals(digestNow)) {
            throw new RuleViolation(
                    "the digest of rows, revisions and counters equals that of a run that nothing disturbs",
                    "expected " + digest + ", got " + digestNow);
        }
        List<String> written = StoredJob.outputs(rig, job);
        if (!outputs.equals(written)) {
            throw Emissions.differAt(
                    "each row is in the output topics once",
                    outputs,
                    written,
                    outputs.size() + " expected, " + written.size() + " there: ");
        }
    }

    /** Holds the output topics of a job that is not through yet against all that they will hold. */
    void checkOutputs(JobRig rig) {
        List<String> rest = new ArrayList<>(outputs);
        Set<String> known = new HashSet<>(outputs);
        for (String written : StoredJob.outputs(rig, job)) {
            if (!rest.remove(written)) {
                throw new RuleViolation(
                        known.contains(written)
                                ? "each row is in the output topics once"
                                : "an output topic holds only what an undisturbed run writes",
                        "got " + written);
            }
        }
    }

    /** How many rows the job ends with. */
    int rows() {
        return ends.stream().mapToInt(end -> end.rows().size()).sum();
    }

    /** The digest of the rows, revisions and counters that the job ends with. */
    String digest() {
        return digest.substring(0, DIGEST_DIGITS);
    }

    private static String digest(JobRig rig) {
        return JobRig.done(StoreDigest.of(rig.store())).hash();
    }
}
