package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** A topic as {@link LogReader} found it in its files. Thread-safe. */
public final class TopicReader {

    private static final int ATTEMPTS = 10;

    private final String name;
    private final TopicMetadata metadata;
    private final List<PartitionReader> partitions;

    private TopicReader(String name, TopicMetadata metadata, List<PartitionReader> partitions) {
        this.name = name;
        this.metadata = metadata;
        this.partitions = List.copyOf(partitions);
    }

    static TopicReader open(
            Path log, String name, TopicMetadata metadata, LogStorage storage, LogSpec spec, Duration pollInterval)
            throws IOException {
        List<PartitionId> ids = IntStream.range(0, metadata.partitions())
                .mapToObj(p -> new PartitionId(name, p))
                .toList();
        for (int attempt = 1; ; attempt++) {
            List<PartitionReader> partitions = new ArrayList<>();
            try {
                // Retention writes down first what it deletes then: what was listed between two equal answers fits
                // them.
                LogCheckpoints before = LogCheckpoints.read(storage, log);
                List<StoredPartitionView> views = new ArrayList<>();
                List<List<Segment>> segments = new ArrayList<>();
                for (PartitionId id : ids) {
                    StoredPartitionView view = new StoredPartitionView(log, id, storage, spec, pollInterval);
                    views.add(view);
                    segments.add(view.list());
                }
                LogCheckpoints after = LogCheckpoints.read(storage, log);
                if (ids.stream().allMatch(id -> Objects.equals(before.bounds(id), after.bounds(id)))) {
                    for (int p = 0; p < views.size(); p++) {
                        partitions.add(PartitionReader.open(views.get(p), segments.get(p), after, storage, spec));
                    }
                    return new TopicReader(name, metadata, partitions);
                }
            } catch (NoSuchFileException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
            if (attempt == ATTEMPTS) {
                throw new IOException("topic '" + name + "' of " + log + " keeps changing; try again");
            }
        }
    }

    /** The name. */
    public String name() {
        return name;
    }

    /** How many partitions there are. */
    public int partitionCount() {
        return partitions.size();
    }

    /** What is kept of it by age and size. */
    public Retention retention() {
        return metadata.retention();
    }

    /** What is kept of it by key. */
    public Compaction compaction() {
        return metadata.compaction();
    }

    /**
     * A partition by its number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public PartitionReader partition(int id) {
        if (id < 0 || id >= partitions.size()) {
            throw new IllegalArgumentException(
                    "topic '" + name + "' has no partition " + id + "; it has 0 to " + (partitions.size() - 1));
        }
        return partitions.get(id);
    }

    /** All partitions in order. */
    public List<PartitionReader> partitions() {
        return partitions;
    }

    @Override
    public String toString() {
        return "TopicReader[" + name + ", " + partitions.size() + " partitions]";
    }
}
