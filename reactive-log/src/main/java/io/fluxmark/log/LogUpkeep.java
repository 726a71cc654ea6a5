package io.fluxmark.log;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * What a log does by itself on the clock: forcing what is written, where durability says so, retention, and compaction. On the
 * writer thread, but for the work of compactions.
 */
final class LogUpkeep {

    private static final Logger LOG = Loggers.getLogger(LogUpkeep.class);

    private final LogDirectory directory;
    private final LogSpec spec;
    private final LogWriterThread writer;
    private final Supplier<List<TopicLog>> topics;
    private final RetentionFloors floors = new RetentionFloors();
    private final Compactor compactor;
    private final Disposable.Composite ticks = Disposables.composite();

    /**
     * @param topics the topics there are at the moment
     */
    LogUpkeep(LogDirectory directory, LogSpec spec, LogWriterThread writer, Supplier<List<TopicLog>> topics) {
        this.directory = directory;
        this.spec = spec;
        this.writer = writer;
        this.topics = topics;
        this.compactor = new Compactor(spec, writer, floors);
    }

    /** Who needs what. */
    RetentionFloors floors() {
        return floors;
    }

    Compactor compactor() {
        return compactor;
    }

    void start() {
        Duration period = spec.durability().period();
        if (period != null) {
            every(period, this::forceAll);
        }
        every(spec.retentionInterval(), this::retainAndCompact);
    }

    /**
     * Deletes what topics need not keep.
     *
     * @param notPast what is kept all the same
     * @return how many offsets are gone
     */
    long retain(List<TopicLog> of, RetentionFloors notPast) throws IOException {
        return new RetentionPass(directory, topics.get(), spec).run(of, notPast);
    }

    /** Nothing is done by itself any more, and no compaction touches a file. */
    void close() {
        ticks.dispose();
        compactor.close();
    }

    /** Does something on the writer thread every so often. */
    private void every(Duration period, Runnable action) {
        long nanos = period.toNanos();
        ticks.add(spec.clock().schedulePeriodically(() -> tick(action), nanos, nanos, TimeUnit.NANOSECONDS));
    }

    private void tick(Runnable action) {
        try {
            writer.submit(new LogCommand.Control(action, why -> {}));
        } catch (LogClosedException | LogOverloadedException e) {
            LOG.debug("not this time: {}", e.getMessage());
        }
    }

    private void retainAndCompact() {
        try {
            retain(topics.get(), floors);
        } catch (IOException e) {
            LOG.warn("nothing of " + directory.path() + " is deleted this time", e);
        }
        compactor.compactDue(topics.get());
    }

    private void forceAll() {
        for (TopicLog topic : topics.get()) {
            for (PartitionLog partition : topic.partitions()) {
                if (!partition.isForced() && partition.failure() == null) {
                    partition.force();
                    partition.publish();
                }
            }
        }
    }
}
