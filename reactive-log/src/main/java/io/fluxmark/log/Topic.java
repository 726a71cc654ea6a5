package io.fluxmark.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** A named log of partitions. Thread-safe. */
public final class Topic {

    private final TopicLog log;
    private final LogSpec spec;
    private final LogWriterThread writer;
    private final List<Partition> partitions;

    Topic(TopicLog log, LogSpec spec, LogWriterThread writer) {
        this.log = log;
        this.spec = spec;
        this.writer = writer;
        this.partitions = log.partitions().stream()
                .map(partition -> new Partition(partition, spec, writer))
                .toList();
    }

    /** The name. */
    public String name() {
        return log.name();
    }

    /** How many partitions there are, fixed at creation. */
    public int partitionCount() {
        return partitions.size();
    }

    /** What is kept of it; see {@link EventLog#changeRetention}. */
    public Retention retention() {
        return log.retention();
    }

    /**
     * A partition by its number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public Partition partition(int id) {
        checkPartition(id);
        return partitions.get(id);
    }

    /** All partitions in order. */
    public List<Partition> partitions() {
        return partitions;
    }

    /** Where a record with this key goes. */
    public int partitionFor(byte[] key) {
        return Partitioner.partitionFor(key, partitions.size());
    }

    /**
     * Appends records, each subscription anew. The request enters the bounded queue as a whole or not at all; records of one partition
     * keep their order and no other append comes between them.
     *
     * <p>Completes on {@link reactor.core.scheduler.Schedulers#parallel()} when all records are as durable as {@link LogSpec#durability}
     * says. Cancelling does not take the request back. Do not modify the arrays before it has completed.
     *
     * @param records may be of several partitions; may repeat sequences
     * @return one result for each record, in order. Errors, with nothing stored: {@link AppendQueueFullException}, {@link
     *     RecordTooLargeException}, {@link OutOfOrderSequenceException}, {@link LogClosedException}, {@link
     *     IllegalArgumentException} for a partition the topic does not have or a request larger than the queue, {@link
     *     CorruptSegmentException} for a sequence in a damaged partition. {@link PartitionFailedException}: not acknowledged, but some
     *     records may be stored
     */
    public Mono<List<AppendResult>> append(List<AppendRecord> records) {
        List<AppendRecord> copy = List.copyOf(Objects.requireNonNull(records, "records"));
        return copy.isEmpty() ? Mono.just(List.of()) : Mono.create(sink -> submit(copy, sink));
    }

    @Override
    public String toString() {
        return "Topic[" + name() + ", " + partitionCount() + " partitions]";
    }

    TopicLog log() {
        return log;
    }

    private void submit(List<AppendRecord> records, MonoSink<List<AppendResult>> sink) {
        try {
            List<PreparedRecord> prepared = new ArrayList<>(records.size());
            List<PartitionLog> targets = new ArrayList<>(records.size());
            long bytes = 0;
            for (int i = 0; i < records.size(); i++) {
                AppendRecord record = records.get(i);
                PreparedRecord next = new PreparedRecord(record);
                if (next.bytes() > spec.maxRecordBytes()) {
                    throw new RecordTooLargeException(next.bytes(), spec.maxRecordBytes(), i);
                }
                prepared.add(next);
                targets.add(log.partitions().get(placeOf(record)));
                bytes += next.bytes();
            }
            writer.submit(new AppendRequest(prepared, targets, bytes, sink));
        } catch (RuntimeException e) {
            sink.error(e);
        }
    }

    private int placeOf(AppendRecord record) {
        byte[] key = record.key();
        if (record.partition() == AppendRecord.BY_KEY && key != null) {
            return partitionFor(key);
        }
        checkPartition(record.partition());
        return record.partition();
    }

    private void checkPartition(int id) {
        if (id < 0 || id >= partitions.size()) {
            throw new IllegalArgumentException(
                    "topic '" + name() + "' has no partition " + id + "; it has 0 to " + (partitions.size() - 1));
        }
    }
}
