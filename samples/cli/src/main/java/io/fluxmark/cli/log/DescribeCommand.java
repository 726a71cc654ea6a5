package io.fluxmark.cli.log;

import io.fluxmark.log.BatchInfo;
import io.fluxmark.log.CorruptSegmentException;
import io.fluxmark.log.PartitionReader;
import io.fluxmark.log.SegmentInfo;
import io.fluxmark.log.TopicReader;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;

/** What a topic is and holds. */
@Command(
        name = "describe",
        description = "Say what a topic is and what its partitions hold. Works beside a process that has the log open.")
final class DescribeCommand extends TopicCommand {

    private static final String ROW = "%-9s  %12s  %12s  %8s  %14s  %-24s  %s";

    @Override
    int run() throws IOException {
        TopicReader topic = openReader();
        console().print("topic       " + topic.name());
        console().print("partitions  " + topic.partitionCount());
        console().print("retention   " + RetentionText.of(topic.retention()));
        console().print("compaction  " + (topic.compaction().isByKey() ? "by key" : "none"));
        console().print("");
        console().print(String.format(ROW, "partition", "begin", "end", "segments", "bytes", "oldest", "newest"));
        for (PartitionReader partition : topic.partitions()) {
            console().print(row(partition));
        }
        return 0;
    }

    private static String row(PartitionReader partition) {
        List<SegmentInfo> segments = partition.segments();
        return String.format(
                Locale.ROOT,
                ROW,
                partition.id(),
                partition.beginOffset(),
                partition.endOffset(),
                segments.size(),
                String.format(
                        Locale.ROOT,
                        "%,d",
                        segments.stream().mapToLong(SegmentInfo::bytes).sum()),
                time(partition, partition.beginOffset()),
                time(partition, partition.endOffset() - 1));
    }

    /** The append time of the batch that holds an offset. */
    private static String time(PartitionReader partition, long offset) {
        if (offset < partition.beginOffset() || offset >= partition.endOffset()) {
            return "-";
        }
        try {
            BatchInfo batch = partition.batches(offset).blockFirst();
            return batch == null
                    ? "-"
                    : Instant.ofEpochMilli(batch.maxTimestamp()).toString();
        } catch (CorruptSegmentException e) {
            return "damaged";
        }
    }
}
