package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Partition;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/** Whether the input of a case stands in its log as its producer was told. */
final class LogContent {

    private LogContent() {}

    /** Every record stands in the log once, in the order of its partition, and nothing else does. */
    static void requireEachOnce(JobRig rig, List<AppendRecord> numbered) {
        long found = 0;
        for (Partition partition : rig.topic().partitions()) {
            long last = -1;
            for (LogRecord record : StoredJob.collect(partition.readTo(0, partition.endOffset()))) {
                long sequence = record.sequence()
                        .map(each -> each.sequence())
                        .orElseThrow(
                                () -> new RuleViolation("every record of the input has a sequence", "got " + record));
                if (sequence <= last) {
                    throw new RuleViolation(
                            "each record stands in the log once, in order",
                            partition + ", offset " + record.offset() + ": record " + sequence + " behind record "
                                    + last);
                }
                last = sequence;
                found++;
            }
        }
        if (found != numbered.size()) {
            throw new RuleViolation(
                    "each record stands in the log", found + " of " + numbered.size() + " records are in the log");
        }
    }

    /** The first {@code count} records, whose append was acknowledged, are in the log. */
    static void requireAcknowledged(JobRig rig, List<AppendRecord> numbered, int count) {
        TreeMap<Integer, Long> highest = new TreeMap<>();
        for (AppendRecord each : numbered.subList(0, count)) {
            highest.put(
                    rig.partitionOf(each),
                    Objects.requireNonNull(each.sequence()).sequence());
        }
        highest.forEach((id, sequence) -> {
            long there =
                    rig.topic().partition(id).highestSequence(JobRig.PRODUCER).orElse(-1);
            if (there < sequence) {
                throw new RuleViolation(
                        "what an append has acknowledged is in the log",
                        "partition " + id + ": acknowledged up to record " + sequence + ", the log has records up to "
                                + there);
            }
        });
    }
}
