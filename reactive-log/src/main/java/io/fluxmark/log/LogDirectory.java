package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The directory of a log: its lock and its topics. Used on the writer thread. */
final class LogDirectory implements Closeable {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,200}");

    private final Path directory;
    private final Path topics;
    private final LogSpec spec;
    private final LogStorage storage;
    private final Closeable lock;

    private LogDirectory(Path directory, LogSpec spec, Closeable lock) {
        this.directory = directory;
        this.topics = directory.resolve("topics");
        this.spec = spec;
        this.storage = spec.storage();
        this.lock = lock;
    }

    /** Creates the directory if need be and takes its lock. */
    static LogDirectory open(Path directory, LogSpec spec) throws IOException {
        Path absolute = directory.toAbsolutePath();
        createWithParents(spec.storage(), absolute);
        return new LogDirectory(absolute, spec, spec.storage().lock(absolute.resolve("LOCK")));
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
            Integer partitions =
                    NAME.matcher(name).matches() ? TopicMetadata.read(storage, topics.resolve(name)) : null;
            if (partitions != null) {
                recovered.add(recoverTopic(name, partitions));
            }
        }
        return recovered;
    }

    TopicLog createTopic(String name, int partitions) throws IOException {
        Path topic = topics.resolve(name);
        createDurably(storage, topics);
        createDurably(storage, topic);
        for (int p = 0; p < partitions; p++) {
            storage.createDirectory(topic.resolve(Integer.toString(p)));
        }
        // Forces the entries of the partition directories too, before the metadata makes them a topic.
        storage.forceDirectory(topic);
        TopicMetadata.write(storage, topic, partitions);
        return recoverTopic(name, partitions);
    }

    private TopicLog recoverTopic(String name, int partitions) throws IOException {
        List<PartitionLog> logs = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            Path partition = topics.resolve(name).resolve(Integer.toString(p));
            logs.add(new PartitionRecovery(directory.toString(), partition, spec, name, p).recover());
        }
        return new TopicLog(name, logs);
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
