package io.fluxmark.sinks;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.AppendResult;
import io.fluxmark.log.LogOverloadedException;
import io.fluxmark.log.OutOfOrderSequenceException;
import io.fluxmark.log.Partition;
import io.fluxmark.log.ProducerSequence;
import io.fluxmark.log.Topic;
import io.fluxmark.state.LaneTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Appends the rows of one lane to a topic, one request after the other: so what the topic has of a producer's sequences in a
 * partition has no gap, and the highest one stands for all below.
 */
final class TopicSender implements RowSender {

    private final Topic target;
    private final String producer;
    private final DeliverySpec spec;
    private final Scheduler clock;
    private final TopicProgress progress;
    private final long restored;

    TopicSender(Topic target, String sink, JobLane lane, OutboxQueue queue, DeliverySpec spec) {
        this.target = target;
        // Checks the length of the name, before anything is written.
        this.producer = new ProducerSequence(lane.job().name() + "/" + sink + "/" + lane.number(), 0).producer();
        this.spec = spec;
        this.clock = lane.clock();
        this.restored = queue.restored();
        this.progress = new TopicProgress(target, producer, sink, lane, restored);
    }

    /** A record as a row; refuses what the topic would never take, before it is committed. On the lane. */
    byte[] row(AppendRecord record) {
        if (record.sequence() != null) {
            throw new IllegalArgumentException("the record has the sequence " + record.sequence()
                    + ", but sequences are the sink's to give: leave it out in the encoder");
        }
        target.check(record.withSequence(producer, Long.MAX_VALUE));
        byte[] key = record.key();
        int partition = record.partition() == AppendRecord.BY_KEY
                ? target.partitionFor(Objects.requireNonNull(key, "key"))
                : record.partition();
        return TopicRow.encode(record, partition);
    }

    @Override
    public Mono<List<byte[]>> send(List<OutboxRow> rows) {
        List<AppendRecord> records = new ArrayList<>();
        for (OutboxRow row : rows) {
            records.add(TopicRow.decode(row.bytes()).withSequence(producer, row.number()));
        }
        return progress.unstored(records)
                .flatMap(this::append)
                .retryWhen(spec.retry(clock).filter(LogOverloadedException.class::isInstance))
                .thenReturn(List.of());
    }

    private Mono<Void> append(List<AppendRecord> records) {
        return target.append(records)
                .flatMap(results -> compare(records, results).then(arrived(results)))
                .onErrorResume(OutOfOrderSequenceException.class, e -> appendAbove(records, e));
    }

    /**
     * The log knows a higher sequence, but not whether it has these. Of rows that were final before this run it has all up
     * to the highest, because they were sent in order: it has deleted them, or forgotten the producer for a while.
     */
    private Mono<Void> appendAbove(List<AppendRecord> records, OutOfOrderSequenceException refusal) {
        List<AppendRecord> rest = new ArrayList<>();
        Map<Integer, Long> ends = new HashMap<>();
        for (AppendRecord record : records) {
            Partition partition = target.partition(record.partition());
            boolean below = TopicProgress.sequence(record)
                    <= partition.highestSequence(producer).orElse(-1);
            if (below && (TopicProgress.sequence(record) < restored || refusal.isDeleted())) {
                ends.put(partition.id(), partition.endOffset());
            } else {
                rest.add(record);
            }
        }
        return ends.isEmpty()
                ? Mono.error(new IllegalStateException(TopicProgress.madeAgain(producer, target), refusal))
                : force(ends).then(append(rest));
    }

    /** What had been appended before has to be what would be appended now. */
    private Mono<Void> compare(List<AppendRecord> records, List<AppendResult> results) {
        return Flux.range(0, results.size())
                .filter(i -> results.get(i).duplicate())
                .concatMap(i -> progress.compare(records.get(i), results.get(i)))
                .then();
    }

    private Mono<Void> arrived(List<AppendResult> results) {
        Map<Integer, Long> ends = new HashMap<>();
        results.forEach(result -> ends.merge(result.partition(), result.offset() + 1, Math::max));
        return force(ends).then(Mono.fromRunnable(() -> ends.forEach(progress::arrived)));
    }

    /** A row leaves the store only when the log can't lose it any more. */
    private Mono<Void> force(Map<Integer, Long> ends) {
        return Flux.fromIterable(ends.entrySet())
                .concatMap(end -> target.partition(end.getKey()).force(end.getValue()))
                .then();
    }

    @Override
    public void flush(LaneTransaction transaction) {
        progress.flush(transaction);
    }
}
