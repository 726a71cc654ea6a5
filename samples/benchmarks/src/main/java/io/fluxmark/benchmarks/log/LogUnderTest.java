package io.fluxmark.benchmarks.log;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Schedulers;

/** Our log, opened anew for each figure. */
public final class LogUnderTest implements AutoCloseable {

    private static final String TOPIC = "bench";
    private static final int RUN = 256;

    private final EventLog log;
    private final Topic topic;

    private LogUnderTest(EventLog log, Topic topic) {
        this.log = log;
        this.topic = topic;
    }

    /** Opens a log in a directory, creating it if need be. */
    public static LogUnderTest open(Path directory, int partitions, LogSpec spec) {
        EventLog log = done(EventLog.open(directory, spec));
        return new LogUnderTest(log, done(log.createTopic(TOPIC, partitions)));
    }

    /** Appends a stream of values, to one partition after the other, and answers how many were acknowledged. */
    public long appendStream(long records) {
        int partitions = topic.partitionCount();
        Flux<AppendRecord> values = Flux.generate(() -> 0L, (number, sink) -> next(number, records, partitions, sink));
        return done(topic.append(values).count());
    }

    private static Long next(Long number, long records, int partitions, SynchronousSink<AppendRecord> sink) {
        if (number == records) {
            sink.complete();
        } else {
            sink.next(AppendRecord.to((int) (number % partitions), Payload.of(number)));
        }
        return number + 1;
    }

    /** Appends values from a number on, to the same partition, and answers how many. */
    Mono<Integer> append(long first, int count) {
        int partition = (int) (first % topic.partitionCount());
        if (count == 1) {
            return topic.append(AppendRecord.to(partition, Payload.of(first))).thenReturn(1);
        }
        List<AppendRecord> run = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            run.add(AppendRecord.to(partition, Payload.of(first + i)));
        }
        return topic.append(run).map(List::size);
    }

    /** Reads all partitions at a time, record by record. */
    Contents readRecords() {
        return readAll(partition ->
                partition.readTo(partition.beginOffset(), partition.endOffset()).reduce(Contents.NONE, Contents::and));
    }

    /** Reads all partitions at a time, in runs of 256 records. */
    Contents readRuns() {
        return readAll(partition -> {
            long end = partition.endOffset();
            return partition
                    .readRuns(partition.beginOffset(), RUN, Schedulers.boundedElastic())
                    .takeUntil(run -> run.get(run.size() - 1).offset() + 1 >= end)
                    .reduce(Contents.NONE, Contents::and);
        });
    }

    /** So many readers that read everything and then wait for more. */
    Disposable followers(int count) {
        Disposable.Composite all = Disposables.composite();
        for (int i = 0; i < count; i++) {
            all.add(topic.partition(0).read(0).subscribe());
        }
        return all;
    }

    private Contents readAll(Function<Partition, Mono<Contents>> reader) {
        return done(Flux.fromIterable(topic.partitions()).flatMap(reader).reduce(Contents::and));
    }

    private static <T> T done(Mono<T> mono) {
        T value = mono.block();
        if (value == null) {
            throw new IllegalStateException("nothing came");
        }
        return value;
    }

    /** Closes the log. */
    @Override
    public void close() {
        log.close();
    }
}
