package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The deletion of a topic. Renaming its metadata file decides it; then its partitions are deleted, then the log forgets their bounds,
 * and only then goes the renamed file: whatever interrupts it, the next opening goes on. Confined to the writer thread.
 */
final class TopicDeletion {

    private final LogStorage storage;
    private final Path log;

    TopicDeletion(LogStorage storage, Path log) {
        this.storage = storage;
        this.log = log;
    }

    /** Durably: it is no topic any more. */
    void begin(String topic) throws IOException {
        storage.rename(LogLayout.metadataFile(log, topic), LogLayout.deletedFile(log, topic));
        storage.forceDirectory(log);
    }

    /** The topics whose deletion was begun and not finished, by the names in the log's directory. */
    List<String> unfinished(List<String> names) {
        return names.stream()
                .flatMap(LogLayout::deletedTopicsOf)
                .filter(topic -> !names.contains(LogLayout.metadataName(topic)))
                .toList();
    }

    void deletePartitions(String topic) throws IOException {
        for (String name : storage.list(log)) {
            if (LogLayout.isPartitionOf(topic, name)) {
                Path partition = log.resolve(name);
                for (String file : storage.list(partition)) {
                    storage.delete(partition.resolve(file));
                }
                storage.delete(partition);
            }
        }
        storage.forceDirectory(log);
    }

    /** Forgets that it was begun: nothing speaks of the topic any more. */
    void finish(String topic) throws IOException {
        storage.delete(LogLayout.deletedFile(log, topic));
        storage.forceDirectory(log);
    }
}
