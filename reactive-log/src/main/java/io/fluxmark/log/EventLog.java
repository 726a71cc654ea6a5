package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * A directory of topics, open in one process at a time. Thread-safe.
 *
 * <p>Opening recovers every partition: it reads the whole log once, cuts torn tails and rebuilds the indexes.
 */
public final class EventLog implements AutoCloseable {

    private static final Logger LOG = Loggers.getLogger(EventLog.class);

    private final LogDirectory directory;
    private final LogSpec spec;
    private final LogWriterThread writer;
    private final Map<String, Topic> topics = new ConcurrentSkipListMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Disposable.Swap ticks = Disposables.swap();

    private EventLog(LogDirectory directory, LogSpec spec, LogWriterThread writer) {
        this.directory = directory;
        this.spec = spec;
        this.writer = writer;
    }

    /** Opens with {@link LogSpec#defaults()}. */
    public static Mono<EventLog> open(Path directory) {
        return open(directory, LogSpec.defaults());
    }

    /**
     * Opens a log, creating the directory if it is missing. Nothing happens before subscription; each subscription opens anew.
     *
     * @return the log; errors with {@link LogLockedException} if it is open already, {@link UncheckedIOException} if files
     *     cannot be read or written. If it is cancelled before the log is there, the log is closed again
     */
    public static Mono<EventLog> open(Path directory, LogSpec spec) {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(spec, "spec");
        return Mono.create(sink -> {
            LogWriterThread writer = new LogWriterThread(spec);
            AtomicInteger claimed = new AtomicInteger();
            sink.onCancel(() -> claimed.compareAndSet(0, 1));
            submit(writer, sink, () -> {
                EventLog log = openNow(directory, spec, writer);
                if (claimed.compareAndSet(0, 2)) {
                    Completions.run(() -> sink.success(log));
                } else {
                    log.closeNow();
                }
            });
        });
    }

    /**
     * Creates a topic, or answers the one there is if it has as many partitions.
     *
     * @param name 1 to 200 of {@code A-Z a-z 0-9 . _ -}
     * @param partitions 1 to 10,000, fixed for ever
     * @return the topic, durably created; errors with {@link IllegalArgumentException} if it has another number of partitions
     */
    public Mono<Topic> createTopic(String name, int partitions) {
        LogDirectory.checkName(Objects.requireNonNull(name, "name"));
        if (partitions < 1 || partitions > TopicMetadata.MAX_PARTITIONS) {
            throw new IllegalArgumentException("partitions of topic '" + name + "' must be between 1 and "
                    + TopicMetadata.MAX_PARTITIONS + " but was " + partitions);
        }
        return Mono.create(sink -> submit(writer, sink, () -> {
            Topic topic = topics.get(name);
            if (topic == null) {
                topic = add(directory.createTopic(name, partitions));
            } else if (topic.partitionCount() != partitions) {
                throw new IllegalArgumentException("topic '" + name + "' has " + topic.partitionCount()
                        + " partitions, not " + partitions + ", and cannot be changed; use another name");
            }
            Topic created = topic;
            Completions.run(() -> sink.success(created));
        }));
    }

    /**
     * The topic of that name.
     *
     * @throws UnknownTopicException if there is none
     */
    public Topic topic(String name) {
        Topic topic = topics.get(Objects.requireNonNull(name, "name"));
        if (topic == null) {
            throw new UnknownTopicException(name, List.copyOf(topics.keySet()));
        }
        return topic;
    }

    /**
     * The topic of that name with the codec of its events.
     *
     * @throws UnknownTopicException if there is none
     */
    public <T> TypedTopic<T> topic(String name, EventCodec<T> codec) {
        return new TypedTopic<>(topic(name), codec);
    }

    /** All topics, by name. */
    public List<Topic> topics() {
        return List.copyOf(topics.values());
    }

    /** The directory, absolute. */
    public Path directory() {
        return directory.path();
    }

    /**
     * Closes in order: appends already queued are written, forced and answered, readers end with {@link LogClosedException}, then the
     * lock is released. Blocks until that is done; closing again waits for it too.
     */
    @Override
    public void close() {
        writer.submitLast(
                new LogCommand.Control(this::closeNow, why -> closeNow()),
                new LogClosedException(directory.path().toString()));
        boolean interrupted = false;
        for (; ; ) {
            try {
                closed.await();
                break;
            } catch (InterruptedException e) {
                // Half a close would leave the lock held: the interrupt is handed on afterwards.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static EventLog openNow(Path path, LogSpec spec, LogWriterThread writer) throws IOException {
        LogDirectory directory = null;
        boolean opened = false;
        try {
            directory = LogDirectory.open(path, spec);
            EventLog log = new EventLog(directory, spec, writer);
            directory.recoverTopics().forEach(log::add);
            log.startTicks();
            opened = true;
            return log;
        } finally {
            if (!opened) {
                writer.shutdown();
                if (directory != null) {
                    directory.close();
                }
            }
        }
    }

    private Topic add(TopicLog topicLog) {
        Topic topic = new Topic(topicLog, spec, writer);
        topics.put(topicLog.name(), topic);
        return topic;
    }

    private void startTicks() {
        Duration period = spec.durability().period();
        if (period != null) {
            long nanos = period.toNanos();
            ticks.update(spec.clock().schedulePeriodically(this::tick, nanos, nanos, TimeUnit.NANOSECONDS));
        }
    }

    private void tick() {
        try {
            writer.submit(new LogCommand.Control(this::forceAll, why -> {}));
        } catch (LogClosedException | AppendQueueFullException e) {
            LOG.debug("no fsync this time: {}", e.getMessage());
        }
    }

    private void forceAll() {
        for (Topic topic : topics.values()) {
            for (PartitionLog partition : topic.log().partitions()) {
                if (!partition.isForced() && partition.failure() == null) {
                    partition.force();
                    partition.publish();
                }
            }
        }
    }

    private void closeNow() {
        ticks.dispose();
        try {
            for (Topic topic : topics.values()) {
                topic.log().partitions().forEach(PartitionLog::close);
            }
            List<Topic> all = topics();
            Completions.run(() -> all.forEach(topic -> topic.log()
                    .partitions()
                    .forEach(partition -> partition.view().wakeListeners())));
            directory.close();
        } catch (IOException e) {
            LOG.warn("cannot release the lock of " + directory.path(), e);
        } finally {
            writer.shutdown();
            closed.countDown();
        }
    }

    private static void submit(LogWriterThread writer, MonoSink<?> sink, IoAction action) {
        try {
            writer.submit(new LogCommand.Control(
                    () -> {
                        try {
                            action.run();
                        } catch (IOException e) {
                            Completions.run(() -> sink.error(new UncheckedIOException(e)));
                        } catch (RuntimeException e) {
                            Completions.run(() -> sink.error(e));
                        }
                    },
                    why -> Completions.run(() -> sink.error(why))));
        } catch (LogClosedException | AppendQueueFullException e) {
            sink.error(e);
        }
    }

    private interface IoAction {
        void run() throws IOException;
    }
}
