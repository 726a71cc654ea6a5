package io.fluxmark.cli.log;

import io.fluxmark.log.PartitionReader;
import io.fluxmark.log.TopicReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which partitions a command is about. Stateless. */
final class Selection {

    private Selection() {}

    /** The one that was named, or all. */
    static List<PartitionReader> partitions(TopicCommand command, TopicReader topic, @Nullable Integer named) {
        if (named == null) {
            return topic.partitions();
        }
        check(command, topic, named);
        return List.of(topic.partition(named));
    }

    /** Refuses a partition that the topic does not have. */
    static void check(TopicCommand command, TopicReader topic, int named) {
        if (named < 0 || named >= topic.partitionCount()) {
            throw command.usage("--partition is " + named + ": topic '" + topic.name() + "' has 0 to "
                    + (topic.partitionCount() - 1));
        }
    }
}
