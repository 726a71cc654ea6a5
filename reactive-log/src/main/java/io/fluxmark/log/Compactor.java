package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Runs the compactions of a log, one after the other. Reading and writing of segments happens on {@link LogSpec#readScheduler}, so
 * that appends go on; what is to be compacted is decided, and files are exchanged, on the writer thread between two groups of
 * appends, which takes a few file operations. Thread-safe.
 */
final class Compactor {

    private static final Logger LOG = Loggers.getLogger(Compactor.class);

    private final LogSpec spec;
    private final LogWriterThread writer;
    private final RetentionFloors floors;
    /** Ends with the compaction asked for last. */
    private final AtomicReference<Mono<Void>> last = new AtomicReference<>(Mono.empty());

    private final AtomicInteger unfinished = new AtomicInteger();
    /** Held while files are read and written: the log is not closed under it. */
    private final Object working = new Object();
    /** Of which it is not certain what is on the disk. Confined to the writer thread. */
    private final Set<PartitionLog> uncertain = new HashSet<>();

    private volatile boolean closed;

    Compactor(LogSpec spec, LogWriterThread writer, RetentionFloors floors) {
        this.spec = spec;
        this.writer = writer;
        this.floors = floors;
    }

    /** Compacts a topic, due or not. Begins at subscription and goes on when cancelled. */
    Mono<CompactionResult> compact(TopicLog topic) {
        return Mono.create(sink -> enqueue(run(topic, false), sink));
    }

    /** Has the topics compacted that need it, unless the last time still goes on. */
    void compactDue(List<TopicLog> topics) {
        if (unfinished.get() > 0) {
            return;
        }
        for (TopicLog topic : topics) {
            if (topic.compaction().isByKey()) {
                Mono.<CompactionResult>create(sink -> enqueue(run(topic, true), sink))
                        .subscribe(
                                done -> LOG.debug("compacted {}: {}", topic.name(), done),
                                failure -> logFailure(topic, failure));
            }
        }
    }

    /** Has what goes on end soon, without effect, and waits until no file is touched any more. On the writer thread. */
    void close() {
        closed = true;
        synchronized (working) {
            LOG.debug("no compaction is running");
        }
    }

    private void enqueue(Mono<CompactionResult> compaction, MonoSink<CompactionResult> sink) {
        unfinished.incrementAndGet();
        Sinks.Empty<Void> ended = Sinks.empty();
        last.getAndSet(ended.asMono())
                .then(compaction)
                .doFinally(signal -> {
                    unfinished.decrementAndGet();
                    ended.tryEmitEmpty();
                })
                .subscribe(sink::success, sink::error);
    }

    private Mono<CompactionResult> run(TopicLog topic, boolean onlyIfDue) {
        // Damage in one partition does not keep the others from being compacted.
        return Flux.fromIterable(topic.partitions())
                .concatMapDelayError(partition -> run(partition, topic.compaction(), onlyIfDue))
                .reduce(CompactionResult.NOTHING, CompactionResult::plus);
    }

    private Mono<CompactionResult> run(PartitionLog partition, Compaction settings, boolean onlyIfDue) {
        return Mono.defer(() -> {
            PartitionCompaction compaction = new PartitionCompaction(partition, settings, spec, () -> closed);
            Mono<Boolean> step =
                    onWorker(compaction).flatMap(cleaned -> onWriter(() -> install(compaction, partition, cleaned)));
            return onWriter(() -> plan(compaction, partition, onlyIfDue))
                    .flatMap(due -> due
                            ? step.repeat(() -> !compaction.isDone()).then(Mono.fromSupplier(compaction::result))
                            : Mono.just(CompactionResult.NOTHING))
                    .onErrorMap(
                            SegmentCleaner.StoppedException.class,
                            e -> partition.view().closedException());
        });
    }

    private boolean plan(PartitionCompaction compaction, PartitionLog partition, boolean onlyIfDue) throws IOException {
        requireOpen(partition);
        if (uncertain.contains(partition)) {
            throw new IOException("an earlier compaction of " + partition.view().name()
                    + " could not be finished; fix the disk and open the log again");
        }
        return compaction.plan(floors.lowestNeeded(partition.id()), onlyIfDue);
    }

    private boolean install(PartitionCompaction compaction, PartitionLog partition, Optional<CleanedSegments> cleaned)
            throws IOException {
        requireOpen(partition);
        boolean installed = false;
        try {
            compaction.install(cleaned.orElse(null), floors.lowestNeeded(partition.id()));
            installed = true;
            return compaction.isDone();
        } finally {
            if (!installed) {
                uncertain.add(partition);
            }
        }
    }

    /** Of a topic that is deleted nothing is touched: what lies there now may be of another one of that name. */
    private static void requireOpen(PartitionLog partition) {
        if (partition.view().isClosed()) {
            throw partition.view().closedException();
        }
    }

    private Mono<Optional<CleanedSegments>> onWorker(PartitionCompaction compaction) {
        return Mono.fromCallable(() -> {
                    synchronized (working) {
                        if (closed) {
                            throw new SegmentCleaner.StoppedException();
                        }
                        return Optional.ofNullable(compaction.work());
                    }
                })
                .onErrorMap(IOException.class, UncheckedIOException::new)
                .subscribeOn(spec.readScheduler());
    }

    private <T> Mono<T> onWriter(Callable<T> action) {
        return Mono.create(sink -> {
            try {
                writer.submit(new LogCommand.Control(
                        () -> call(action, sink), why -> Completions.run(() -> sink.error(why))));
            } catch (LogClosedException | LogOverloadedException e) {
                sink.error(e);
            }
        });
    }

    private static <T> void call(Callable<T> action, MonoSink<T> sink) {
        try {
            T value = action.call();
            Completions.run(() -> sink.success(value));
        } catch (IOException e) {
            Completions.run(() -> sink.error(new UncheckedIOException(e)));
        } catch (Exception e) {
            Completions.run(() -> sink.error(e));
        }
    }

    private static void logFailure(TopicLog topic, Throwable failure) {
        if (failure instanceof LogClosedException || failure instanceof TopicDeletedException) {
            LOG.debug("{} is not compacted: {}", topic.name(), failure.getMessage());
        } else {
            LOG.warn(topic.name() + " could not be compacted; it is tried again", failure);
        }
    }
}
