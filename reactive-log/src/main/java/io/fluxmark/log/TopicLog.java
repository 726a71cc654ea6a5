package io.fluxmark.log;

import java.util.List;

/** A topic's partitions as the writer knows them. Immutable. */
record TopicLog(String name, List<PartitionLog> partitions) {

    TopicLog {
        partitions = List.copyOf(partitions);
    }
}
