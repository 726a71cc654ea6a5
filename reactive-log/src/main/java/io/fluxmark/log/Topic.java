package io.fluxmark.log;

import java.util.List;
import java.util.Objects;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** A named log of partitions. Thread-safe. */
public final class Topic {

    private final TopicLog log;
    private final LogSpec spec;
    private final LogWriterThread writer;
    private final RetentionFloors floors;
    private final List<Partition> partitions;

    Topic(TopicLog log, LogSpec spec, LogWriterThread writer, RetentionFloors floors) {
        this.floors = floors;
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

    /** What is kept of it by key. */
    public Compaction compaction() {
        return log.compaction();
    }

    /**
     * Keeps what somebody still needs of this topic, from now on. The floor is not asked about others.
     *
     * @return ends it
     */
    public Disposable register(RetentionFloor floor) {
        Objects.requireNonNull(floor, "floor");
        return floors.add((topic, partition) ->
                topic.equals(name()) ? floor.lowestNeeded(topic, partition) : RetentionFloor.NOTHING);
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

    /** Appends one record; for the rest as {@link #append(List)}. */
    public Mono<AppendResult> append(AppendRecord record) {
        return append(List.of(record)).map(results -> results.get(0));
    }

    /**
     * Appends records, each subscription anew. The request enters the bounded queue as a whole or not at all; records of one partition
     * keep their order and no other append comes between them.
     *
     * <p>Completes on {@link reactor.core.scheduler.Schedulers#parallel()} when all records are as durable as {@link LogSpec#durability}
     * says. Cancelling does not take the request back. Do not modify the arrays before it has completed.
     *
     * @param records may be of several partitions; may repeat sequences
     * @return one result for each record, in order. Errors, with nothing stored: {@link LogOverloadedException}, once it has
     *     waited for room for {@link LogSpec#appendWait}, {@link
     *     RecordTooLargeException}, {@link OutOfOrderSequenceException}, {@link LogClosedException}, {@link
     *     IllegalArgumentException} for a partition the topic does not have, a record without key for a topic that is compacted, or a
     *     request larger than the queue, {@link
     *     CorruptSegmentException} for a sequence in a damaged partition. {@link PartitionFailedException}: not acknowledged, but some
     *     records may be stored
     */
    public Mono<List<AppendResult>> append(List<AppendRecord> records) {
        List<AppendRecord> copy = List.copyOf(Objects.requireNonNull(records, "records"));
        return copy.isEmpty() ? Mono.just(List.of()) : Mono.create(sink -> submit(copy, sink));
    }

    /**
     * Appends what {@code records} brings, in order, as fast as the log takes it; each subscription anew. Records that come while
     * others are being written go into one request together, and where the append queue is full they wait: a slow log slows
     * the publisher, and so does a subscriber that does not ask for results. About half of {@link LogSpec#queueBytes} waits
     * at most, and 4,096 records whose results have not been asked for.
     *
     * <p>Results come one for each record, in order, on {@link reactor.core.scheduler.Schedulers#parallel()} or on the thread
     * that asks, when the record is as durable as {@link LogSpec#durability} says. Cancelling does not take back what was
     * handed to the log. Do not modify a record's arrays before its result has come.
     *
     * @return errors as {@link #append(List)} does, but for a full queue, behind the results of the records before; records behind
     *     the one that failed are then not asked for, and of those that had come already some may be stored. An error of
     *     {@code records} comes behind the results of all records before it
     */
    public Flux<AppendResult> append(Publisher<AppendRecord> records) {
        return FluxAppend.create(Objects.requireNonNull(records, "records"), this, spec, writer);
    }

    /**
     * Checks what does not depend on the moment: throws what {@link #append(AppendRecord)} would always fail with, which is
     * {@link RecordTooLargeException} or {@link IllegalArgumentException}.
     */
    public void check(AppendRecord record) {
        new AppendDraft(this, spec.maxRecordBytes(), 1, Long.MAX_VALUE).add(record, 0);
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
            AppendDraft draft = new AppendDraft(this, spec.maxRecordBytes(), Integer.MAX_VALUE, Long.MAX_VALUE);
            for (int i = 0; i < records.size(); i++) {
                draft.add(records.get(i), i);
            }
            PatientAppend.start(writer, draft, spec.appendWait(), spec.clock(), sink);
        } catch (RuntimeException e) {
            sink.error(e);
        }
    }

    /** Where a record goes. */
    PartitionLog target(AppendRecord record) {
        return log.partitions().get(placeOf(record));
    }

    private int placeOf(AppendRecord record) {
        byte[] key = record.key();
        if (key == null && log.compaction().isByKey()) {
            throw new IllegalArgumentException(
                    "a record without key cannot be appended to topic '" + name()
                            + "', of which the last record of each key is kept; give it a key or use a topic without compaction");
        }
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
