package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import reactor.util.Logger;
import reactor.util.Loggers;

/** The directory of a log: its lock and its topics. Used on the writer thread. */
final class LogDirectory implements Closeable {

    private static final Logger LOG = Loggers.getLogger(LogDirectory.class);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,200}");

    private final Path directory;
    private final Path topics;
    private final LogSpec spec;
    private final LogStorage storage;
    private final Closeable lock;
    private final LogCheckpoints checkpoints;

    private LogDirectory(Path directory, LogSpec spec, Closeable lock, LogCheckpoints checkpoints) {
        this.directory = directory;
        this.topics = directory.resolve("topics");
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
            LogDirectory log = new LogDirectory(absolute, spec, lock, LogCheckpoints.take(spec.storage(), absolute));
            opened = true;
            return log;
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    static void checkName(String topic) {
        if (!NAME.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
            throw new IllegalArgumentException("topic name '" + topic
                    + "' must be 1 to 200 of A-Z, a-z, 0-9, '.', '_', '-', and neither '.' nor '..'");
        }
    }

    Path path() {
        return directory;
    }

    /** Recovers every topic. A directory without metadata is the remainder of a creation that did not finish. */
    List<TopicLog> recoverTopics() throws IOException {
        List<TopicLog> recovered = new ArrayList<>();
        for (String name : storage.list(topics).stream().sorted().toList()) {
            TopicMetadata metadata =
                    NAME.matcher(name).matches() ? TopicMetadata.read(storage, topics.resolve(name)) : null;
            if (metadata != null) {
                recovered.add(recoverTopic(name, metadata, true));
            }
        }
        // All of it is durable now; if this cannot be written, what was known before is still true.
        writeBoundsIfPossible(recovered);
        return recovered;
    }

    TopicLog createTopic(String name, TopicMetadata metadata) throws IOException {
        Path topic = topics.resolve(name);
        createDurably(storage, topics);
        createDurably(storage, topic);
        for (int p = 0; p < metadata.partitions(); p++) {
            storage.createDirectory(topic.resolve(Integer.toString(p)));
        }
        // Forces the entries of the partition directories too, before the metadata makes them a topic.
        storage.forceDirectory(topic);
        metadata.write(storage, topic);
        // A deleted topic of that name may have left its bounds: they are not the new one's.
        return recoverTopic(name, metadata, false);
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
                            topics.resolve(name).resolve(Integer.toString(p)),
                            spec,
                            id,
                            known ? checkpoints.bounds(id) : null,
                            known ? checkpoints.cleanEnd(id) : null)
                    .recover());
        }
        return new TopicLog(name, topics.resolve(name), logs, metadata.retention());
    }

    @Override
    public void close() throws IOException {
        lock.close();
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
