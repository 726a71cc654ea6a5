package io.fluxmark.log;

import java.nio.file.Path;
import java.util.List;

/** A topic's partitions and configuration as the writer knows them. Changed by the writer thread, read by any. */
final class TopicLog {

    private final String name;
    private final Path metadataFile;
    private final List<PartitionLog> partitions;
    private final Compaction compaction;
    private volatile Retention retention;

    TopicLog(
            String name, Path metadataFile, List<PartitionLog> partitions, Retention retention, Compaction compaction) {
        this.name = name;
        this.metadataFile = metadataFile;
        this.partitions = List.copyOf(partitions);
        this.retention = retention;
        this.compaction = compaction;
    }

    String name() {
        return name;
    }

    Path metadataFile() {
        return metadataFile;
    }

    List<PartitionLog> partitions() {
        return partitions;
    }

    Compaction compaction() {
        return compaction;
    }

    Retention retention() {
        return retention;
    }

    void retention(Retention changed) {
        retention = changed;
    }
}
