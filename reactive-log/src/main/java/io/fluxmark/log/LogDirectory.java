package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import reactor.util.Logger;
import reactor.util.Loggers;

/** The directory of a log: its lock and its topics. Used on the writer thread. */
final class LogDirectory implements Closeable {

    private static final Logger LOG = Loggers.getLogger(LogDirectory.class);

    private final Path directory;
    private final LogSpec spec;
    private final LogStorage storage;
    private final Closeable lock;
    private final LogCheckpoints checkpoints;

    private LogDirectory(Path directory, LogSpec spec, Closeable lock, LogCheckpoints checkpoints) {
        this.directory = directory;
        this.spec = spec;
        this.storage = spec.storage();
        this.lock = lock;
        this.checkpoints = checkpoints;
    }

    /** Creates the directory if need be and takes its lock. */
    static LogDirectory open(Path directory, LogSpec spec) throws IOException {
        Path absolute = directory.toAbsolutePath();
        createWithParents(spec.storage(), absolute);
        Closeable lock = spec.storage().lock(absolute.resolve("LOCK"));
        boolean opened = false;
        try {
            refuseOlderLayout(spec.storage(), absolute);
            LogDirectory log = new LogDirectory(absolute, spec, lock, LogCheckpoints.take(spec.storage(), absolute));
            opened = true;
            return log;
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    Path path() {
        return directory;
    }

    /** Recovers every topic. Partitions without metadata are the remainder of a creation that did not finish. */
    List<TopicLog> recoverTopics() throws IOException {
        List<TopicLog> recovered = new ArrayList<>();
        List<String> names = storage.list(directory).stream().sorted().toList();
        TopicDeletion deletion = new TopicDeletion(storage, directory);
        List<String> deleted = deletion.unfinished(names);
        for (String topic : deleted) {
            deletion.deletePartitions(topic);
        }
        for (String name : names) {
            String topic = LogLayout.topicOf(name);
            if (topic != null) {
                recovered.add(recoverTopic(topic, TopicMetadata.read(storage, directory.resolve(name)), true));
            }
        }
        // All of it is durable now; if this cannot be written, what was known before is still true.
        if (writeBoundsIfPossible(recovered)) {
            for (String topic : deleted) {
                deletion.finish(topic);
            }
        }
        return recovered;
    }

    /**
     * @param others the topics there are
     */
    TopicLog createTopic(String name, TopicMetadata metadata, List<TopicLog> others) throws IOException {
        TopicDeletion deletion = new TopicDeletion(storage, directory);
        if (!deletion.unfinished(storage.list(directory)).contains(name)) {
            return create(name, metadata);
        }
        // What is left of an earlier topic of that name must not become part of this one.
        deletion.deletePartitions(name);
        writeBounds(others);
        deletion.finish(name);
        return create(name, metadata);
    }

    private TopicLog create(String name, TopicMetadata metadata) throws IOException {
        for (int p = 0; p < metadata.partitions(); p++) {
            storage.createDirectory(LogLayout.partitionDirectory(directory, new PartitionId(name, p)));
        }
        // They must be durable before the metadata makes them a topic.
        storage.forceDirectory(directory);
        metadata.write(storage, LogLayout.metadataFile(directory, name));
        return recoverTopic(name, metadata, false);
    }

    /**
     * Deletes a topic: when this returns it is one no more, whatever happens. Files that cannot be deleted now are when the log is
     * opened again, or a topic of that name created.
     *
     * @param others the topics that stay
     * @throws IOException if the topic is still there
     */
    void deleteTopic(TopicLog topic, List<TopicLog> others) throws IOException {
        TopicDeletion deletion = new TopicDeletion(storage, directory);
        deletion.begin(topic.name());
        topic.partitions().forEach(PartitionLog::endDeleted);
        try {
            deletion.deletePartitions(topic.name());
            writeBounds(others);
            deletion.finish(topic.name());
        } catch (IOException e) {
            LOG.warn(
                    "cannot delete all files of topic '" + topic.name() + "' yet; it is done when the log is opened",
                    e);
        }
    }

    /** Closes every partition and leaves a marker, if all is written, that lets the log be opened again without reading it. */
    void closeTopics(List<TopicLog> all) {
        Map<PartitionId, CleanEnd> ends = new HashMap<>();
        for (TopicLog topic : all) {
            for (PartitionLog partition : topic.partitions()) {
                CleanEnd end = partition.close();
                if (end != null) {
                    ends.put(partition.id(), end);
                }
            }
        }
        if (writeBoundsIfPossible(all)) {
            try {
                checkpoints.writeCleanEnds(ends);
            } catch (IOException e) {
                LOG.warn("cannot mark " + directory + " as closed; it is recovered when it is opened again", e);
            }
        }
    }

    /** Makes durable what is known of all partitions. */
    void writeBounds(List<TopicLog> all) throws IOException {
        writeBounds(all, Map.of());
    }

    /** The same, where some partitions are about to begin later. */
    void writeBounds(List<TopicLog> all, Map<PartitionLog, Long> starts) throws IOException {
        Map<PartitionId, PartitionBounds> bounds = new HashMap<>();
        for (TopicLog topic : all) {
            for (PartitionLog partition : topic.partitions()) {
                PartitionBounds now = partition.bounds();
                long start = starts.getOrDefault(partition, now.startOffset());
                bounds.put(partition.id(), new PartitionBounds(start, now.recoveryPoint()));
            }
        }
        checkpoints.writeBounds(bounds);
    }

    private boolean writeBoundsIfPossible(List<TopicLog> all) {
        try {
            writeBounds(all);
            return true;
        } catch (IOException e) {
            LOG.warn("cannot write the recovery points of " + directory + "; the older ones are used", e);
            return false;
        }
    }

    private TopicLog recoverTopic(String name, TopicMetadata metadata, boolean known) throws IOException {
        List<PartitionLog> logs = new ArrayList<>();
        for (int p = 0; p < metadata.partitions(); p++) {
            PartitionId id = new PartitionId(name, p);
            logs.add(new PartitionRecovery(
                            directory.toString(),
                            LogLayout.partitionDirectory(directory, id),
                            spec,
                            id,
                            known ? checkpoints.bounds(id) : null,
                            known ? checkpoints.cleanEnd(id) : null)
                    .recover());
        }
        return new TopicLog(
                name, LogLayout.metadataFile(directory, name), logs, metadata.retention(), metadata.compaction());
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    static void refuseOlderLayout(LogStorage storage, Path directory) throws IOException {
        if (storage.list(directory).contains("topics")) {
            throw new IOException(directory + " has an older layout, topics/T/P; move topics/T/topic.properties to T"
                    + LogLayout.METADATA_SUFFIX + " and each topics/T/P to T-P, then delete topics");
        }
    }

    private static void createWithParents(LogStorage storage, Path path) throws IOException {
        try {
            createDurably(storage, path);
        } catch (NoSuchFileException e) {
            Path parent = path.getParent();
            if (parent == null) {
                throw e;
            }
            createWithParents(storage, parent);
            createDurably(storage, path);
        }
    }

    private static void createDurably(LogStorage storage, Path path) throws IOException {
        Path parent = path.getParent();
        if (storage.createDirectory(path) && parent != null) {
            storage.forceDirectory(parent);
        }
    }
}
