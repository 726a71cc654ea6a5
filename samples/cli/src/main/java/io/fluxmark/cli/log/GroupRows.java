package io.fluxmark.cli.log;

import io.fluxmark.log.GroupOffsets;
import io.fluxmark.log.PartitionReader;
import io.fluxmark.log.TopicReader;
import java.util.List;
import java.util.Locale;

/** How far a group has come, a row for each partition. Stateless. */
final class GroupRows {

    private static final String ROW = "%-20s  %9s  %12s  %12s  %12s  %12s";

    static final String HEADING = String.format(ROW, "group", "partition", "committed", "begin", "end", "lag");

    private GroupRows() {}

    /** Of the partitions of a topic that the group has an offset of. */
    static List<String> of(GroupOffsets group, TopicReader topic) {
        return group.offsets().entrySet().stream()
                .filter(each -> each.getKey().topic().equals(topic.name())
                        && each.getKey().partition() < topic.partitionCount())
                .map(each -> row(group.group(), topic.partition(each.getKey().partition()), each.getValue()))
                .toList();
    }

    private static String row(String group, PartitionReader partition, long committed) {
        long begin = partition.beginOffset();
        long end = partition.endOffset();
        long lag = Math.max(0, end - Math.max(begin, committed));
        return String.format(Locale.ROOT, ROW, group, partition.id(), committed, begin, end, lag);
    }
}
