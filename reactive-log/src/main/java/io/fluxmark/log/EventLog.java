package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * A directory of topics, open in one process at a time. Thread-safe.
 *
 * <p>After an orderly {@link #close()} opening reads none of the records. After a crash it reads the last segment of each
 * partition, and cuts torn tails.
 */
public final class EventLog implements AutoCloseable {

    private static final Logger LOG = Loggers.getLogger(EventLog.class);

    private final LogDirectory directory;
    private final LogSpec spec;
    private final LogWriterThread writer;
    private final Map<String, Topic> topics = new ConcurrentSkipListMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final LogUpkeep upkeep;
    private final ConsumerGroups groups;

    private EventLog(LogDirectory directory, LogSpec spec, LogWriterThread writer) {
        this.directory = directory;
        this.spec = spec;
        this.writer = writer;
        this.upkeep = new LogUpkeep(directory, spec, writer, this::logs);
        this.groups = new ConsumerGroups(spec, directory.path(), this::topic);
        upkeep.floors().add(groups);
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
     * Gives up, for good, the records of a log that are damaged: opens it as {@link #open} does, replaces each damaged segment by one
     * without them, keeps the damaged file beside it with the suffix {@code .corrupt}, and closes it again. Readers then pass over
     * the offsets that are lost without an error, and sequences are taken as if those records had never been. What was not lost
     * keeps its offsets. Nothing happens before subscription.
     *
     * @return what was given up, in order of topics, partitions and offsets, empty if nothing is damaged. Errors with {@link
     *     LogLockedException} if the log is open, {@link UncheckedIOException}; a segment is then replaced or as it was
     */
    public static Mono<List<LostRange>> repair(Path directory, LogSpec spec) {
        return repair(directory, spec, topic -> true);
    }

    /** The same of one topic only; the others are opened and closed again. */
    public static Mono<List<LostRange>> repair(Path directory, String topic, LogSpec spec) {
        return repair(directory, spec, Objects.requireNonNull(topic, "topic")::equals);
    }

    private static Mono<List<LostRange>> repair(Path directory, LogSpec spec, Predicate<String> repairs) {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(spec, "spec");
        return Mono.create(sink -> {
            LogWriterThread writer = new LogWriterThread(spec);
            submit(writer, sink, () -> {
                try {
                    List<LostRange> lost = LogRepair.run(directory, spec, repairs);
                    Completions.run(() -> sink.success(lost));
                } finally {
                    writer.shutdown();
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
        return createTopic(name, TopicSpec.partitions(partitions));
    }

    /**
     * The same with what the topic keeps. A topic that is there already keeps what it kept: see {@link #changeRetention}.
     *
     * @param created stored with the topic
     */
    public Mono<Topic> createTopic(String name, TopicSpec created) {
        LogLayout.checkTopic(Objects.requireNonNull(name, "name"));
        TopicMetadata metadata = created.toMetadata(name);
        int partitions = metadata.partitions();
        return Mono.create(sink -> submit(writer, sink, () -> {
            Topic topic = topics.get(name);
            if (topic == null) {
                topic = add(directory.createTopic(name, metadata, logs()));
            } else if (topic.partitionCount() != partitions) {
                throw new IllegalArgumentException("topic '" + name + "' has " + topic.partitionCount()
                        + " partitions, not " + partitions + ", and cannot be changed; use another name");
            }
            Topic answer = topic;
            Completions.run(() -> sink.success(answer));
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

    /**
     * Changes what a topic keeps, durably, from the next pass of retention on.
     *
     * @return completes when it is stored; errors with {@link UncheckedIOException}
     * @throws UnknownTopicException if there is no such topic
     */
    public Mono<Void> changeRetention(String topic, Retention retention) {
        Objects.requireNonNull(retention, "retention");
        TopicLog changed = topic(topic).log();
        return Mono.create(sink -> submit(writer, sink, () -> {
            new TopicMetadata(changed.partitions().size(), retention, changed.compaction())
                    .write(spec.storage(), changed.metadataFile());
            changed.retention(retention);
            Completions.run(sink::success);
        }));
    }

    /**
     * Deletes a topic with all its records, whoever may still need them: floors are ignored. Its readers end with {@link
     * TopicDeletedException}, appends to it are refused with it.
     *
     * @return completes when the topic is durably gone; errors with {@link UncheckedIOException}, and it is still there, or {@link
     *     TopicDeletedException} if somebody else has deleted it
     * @throws UnknownTopicException if there is no such topic
     */
    public Mono<Void> deleteTopic(String name) {
        Topic deleted = topic(name);
        return Mono.create(sink -> submit(writer, sink, () -> {
            if (topics.get(name) != deleted) {
                throw new TopicDeletedException(name);
            }
            List<TopicLog> others =
                    logs().stream().filter(log -> log != deleted.log()).toList();
            directory.deleteTopic(deleted.log(), others);
            topics.remove(name);
            Completions.run(() -> {
                wakeListeners(deleted);
                sink.success();
            });
        }));
    }

    /**
     * Keeps what somebody still needs, of all topics, from now on.
     *
     * @return ends it
     */
    public Disposable register(RetentionFloor floor) {
        Objects.requireNonNull(floor, "floor");
        return upkeep.floors().add(floor);
    }

    /**
     * Deletes now what topics need not keep and nobody needs, as happens every {@link LogSpec#retentionInterval} anyway. Readers of what
     * is deleted get {@link OffsetOutOfRangeException} with the count, unless they have the file open: they read it to its end first.
     *
     * @return how many offsets are gone; errors with {@link UncheckedIOException}, with nothing deleted
     */
    public Mono<Long> enforceRetention() {
        return Mono.create(sink -> submit(writer, sink, () -> {
            long deleted = upkeep.retain(logs(), upkeep.floors());
            Completions.run(() -> sink.success(deleted));
        }));
    }

    /**
     * The same for one topic, and whoever may still need it: floors are ignored.
     *
     * @throws UnknownTopicException if there is no such topic
     */
    public Mono<Long> forceRetention(String topic) {
        TopicLog only = topic(topic).log();
        return Mono.create(sink -> submit(writer, sink, () -> {
            long deleted = upkeep.retain(List.of(only), new RetentionFloors());
            Completions.run(() -> sink.success(deleted));
        }));
    }

    /**
     * Compacts a topic now, as happens every {@link LogSpec#retentionInterval} where enough is new: of each key the last record
     * stays, and its tombstone until its time is over; see {@link Compaction}. The segment being written is sealed first and
     * compacted too. Nothing at or above a {@link RetentionFloor} is removed, nor what is younger than {@link Compaction#minLag}.
     *
     * <p>Segments are read and written on {@link LogSpec#readScheduler} while appends and readers go on: a reader sees what is left
     * once each, in order. Compactions of a log run one after the other. One that has begun goes on when it is cancelled, and is
     * left undone when the log is closed: each segment is then replaced or as it was.
     *
     * @return what was done, over all partitions. Errors, with what was done before staying done: {@link CorruptSegmentException} if a
     *     segment is damaged, {@link UncheckedIOException}, {@link LogClosedException}, {@link TopicDeletedException}; of several partitions each is tried. {@link
     *     IllegalArgumentException} if the topic is not {@linkplain Compaction#byKey compacted by key}
     * @throws UnknownTopicException if there is no such topic
     */
    public Mono<CompactionResult> compact(String topic) {
        TopicLog compacted = topic(topic).log();
        return compacted.compaction().isByKey()
                ? upkeep.compactor().compact(compacted)
                : Mono.error(
                        new IllegalArgumentException("topic '" + topic + "' keeps every record: it is not compacted;"
                                + " copy it to a topic created with Compaction.byKey()"));
    }

    /** All topics, by name. */
    public List<Topic> topics() {
        return List.copyOf(topics.values());
    }

    /**
     * A group of consumers, with {@link GroupSpec#defaults()} unless it is in use with another spec.
     *
     * @param name 1 to 200 of {@code A-Z a-z 0-9 . _ -}
     */
    public ConsumerGroup group(String name) {
        return groups.group(name, null);
    }

    /**
     * A group of consumers. The spec it is asked for with first holds while the log is open.
     *
     * @throws IllegalStateException if it is in use with another spec
     */
    public ConsumerGroup group(String name, GroupSpec with) {
        return groups.group(name, Objects.requireNonNull(with, "spec"));
    }

    /** All groups that have members or offsets, by name. */
    public Flux<GroupDescription> groups() {
        return groups.describe();
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
            log.groups.open();
            log.upkeep.start();
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
        Topic topic = new Topic(topicLog, spec, writer, upkeep.floors());
        topics.put(topicLog.name(), topic);
        return topic;
    }

    private List<TopicLog> logs() {
        return topics().stream().map(Topic::log).toList();
    }

    private void closeNow() {
        groups.close();
        upkeep.close();
        try {
            List<Topic> all = topics();
            directory.closeTopics(logs());
            Completions.run(() -> all.forEach(EventLog::wakeListeners));
            directory.close();
        } catch (IOException e) {
            LOG.warn("cannot release the lock of " + directory.path(), e);
        } finally {
            writer.shutdown();
            closed.countDown();
        }
    }

    private static void wakeListeners(Topic topic) {
        topic.log().partitions().forEach(partition -> partition.view().wakeListeners());
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
        } catch (LogClosedException | LogOverloadedException e) {
            sink.error(e);
        }
    }

    private interface IoAction {
        void run() throws IOException;
    }
}
