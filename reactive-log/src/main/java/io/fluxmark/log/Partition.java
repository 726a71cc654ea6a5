package io.fluxmark.log;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * An ordered list of records with consecutive offsets. Thread-safe.
 *
 * <p>Reading is cold: every subscriber has its own cursor, file and worker, and affects no other. Nothing is read that was not
 * requested, beyond one {@linkplain LogSpec#readBufferBytes declared buffer}. At the tail a reader waits without polling.
 */
public final class Partition {

    private final PartitionLog log;
    private final PartitionView view;
    private final PartitionReads reads;
    private final LogWriterThread writer;

    Partition(PartitionLog log, LogSpec spec, LogWriterThread writer) {
        this.log = log;
        this.view = log.view();
        this.reads = new PartitionReads(view, spec.storage(), spec);
        this.writer = writer;
    }

    /** The name of the topic. */
    public String topic() {
        return view.topic();
    }

    /** The number within the topic, from 0. */
    public int id() {
        return view.id();
    }

    /** The first offset there is. */
    public long beginOffset() {
        return view.segments().beginOffset();
    }

    /** The offset after the last record readers may see. */
    public long endOffset() {
        return view.tail().offset();
    }

    /** The offset after the last record that an fsync has covered; with {@link Durability#SYNC} the same as the end. */
    public long durableEndOffset() {
        return view.durableEnd();
    }

    /**
     * Reads from an offset on and then follows the tail for ever.
     *
     * @param from from begin to end offset inclusive
     * @return records in order, emitted on {@link LogSpec#readScheduler}. Never completes. Errors: {@link OffsetOutOfRangeException}
     *     (on subscription, requested or not, and when retention deletes what is to be read next), {@link CorruptSegmentException} when it meets damage, {@link
     *     LogClosedException} when the log is closed, {@link java.io.UncheckedIOException}
     */
    public Flux<LogRecord> read(long from) {
        return read(ReadOptions.from(from));
    }

    /**
     * Reads a range and completes. If the range reaches beyond the end, it waits for what is missing.
     *
     * @param from from begin to end offset inclusive
     * @param endExclusive at least {@code from}
     * @return as {@link #read} does, but completes with the last record of the range, an empty range at once
     */
    public Flux<LogRecord> readTo(long from, long endExclusive) {
        return reads.readTo(from, endExclusive);
    }

    /**
     * Reads as the options say, the same as {@link #read(long)} and {@link #readTo} otherwise.
     *
     * @return no {@link OffsetOutOfRangeException} unless the options say that it fails
     */
    public Flux<LogRecord> read(ReadOptions options) {
        return reads.read(options);
    }

    /**
     * Reads from the first record appended at or after a moment on and then follows the tail for ever. If there is none yet, the first
     * record emitted is the first one appended at or after it.
     *
     * <p>Append times rise unless the clock was set back: then records that follow the first one may be older again.
     *
     * @return as {@link #read}
     */
    public Flux<LogRecord> readFrom(Instant moment) {
        return reads.readFrom(moment);
    }

    /**
     * The offset of the first record appended at or after a moment, the end offset if there is none. Looked up at each
     * subscription, on {@link LogSpec#readScheduler}, in the time indexes.
     *
     * @return errors with {@link CorruptSegmentException} if that record may have been lost, {@link java.io.UncheckedIOException}
     */
    public Mono<Long> offsetAt(Instant moment) {
        return reads.offsetAt(moment);
    }

    /** Runs from an offset on, without an end; for the rest as {@link #readRuns(ReadOptions, int, Scheduler)}. */
    public Flux<RecordRun> readRuns(long from, int maxRun, Scheduler scheduler) {
        return readRuns(ReadOptions.from(from), maxRun, scheduler);
    }

    /**
     * Like {@link #read(ReadOptions)}, but emits runs: as many records as there are at the moment, at least one, at most {@code maxRun}, and no more behind
     * a megabyte. One unit of demand is one run.
     *
     * @param maxRun at least 1
     * @param scheduler one of its workers reads and emits; it must be allowed to block on files. Dispose of it after its readers have
     *     ended: one whose queued work it drops is told nothing
     */
    public Flux<RecordRun> readRuns(ReadOptions options, int maxRun, Scheduler scheduler) {
        return reads.readRuns(options, maxRun, scheduler);
    }

    /**
     * Checks every batch there is at subscription, on {@link LogSpec#readScheduler}.
     *
     * @return each damage in order, completes at the end. Errors with {@link java.io.UncheckedIOException}
     */
    public Flux<CorruptSegmentException> verify() {
        return reads.verify(offset -> {});
    }

    /**
     * Completes when records below an offset survive a power cut, with an fsync if the durability level would not do it.
     *
     * @param endOffset at most the end offset of records appended before
     * @return errors with {@link OffsetOutOfRangeException} if the offset is ahead of the log, {@link PartitionFailedException} if
     *     the fsync fails, {@link LogClosedException}, {@link LogOverloadedException} if too many wait
     */
    public Mono<Void> force(long endOffset) {
        return Mono.create(sink -> submitForce(endOffset, sink));
    }

    /** The highest sequence stored for a producer; empty if it has none, or is forgotten. */
    public OptionalLong highestSequence(String producer) {
        return log.producers().published(Objects.requireNonNull(producer, "producer"));
    }

    /** How many bytes of a torn tail were cut off on opening: appends that had never been acknowledged as durable. */
    public long tornBytes() {
        return log.tornBytes();
    }

    /** How many producers were forgotten since opening because more than {@link LogSpec#producersPerPartition} are in use. */
    public long forgottenProducers() {
        return log.producers().forgotten();
    }

    /** How many subscribers are reading now, waiting at the tail or not. */
    public int readers() {
        return view.listeners();
    }

    /**
     * How many bytes readers of this partition hold in buffers now: of each at most {@link LogSpec#readBufferBytes} or its largest
     * batch, and of a compressed batch the uncompressed form as well. What has been emitted does not count. Cheap.
     */
    public long bufferedBytes() {
        return view.buffered().sum();
    }

    /**
     * The first damage found on opening, which reads only what it has to; {@link #verify()} reads all. Reading up to it, and from
     * {@link CorruptSegmentException#lostUntil()} on, works; appends without a sequence work; appends with one are refused if what is
     * lost may hold it, until the log has been {@linkplain EventLog#repair repaired}.
     */
    public Optional<CorruptSegmentException> damage() {
        return Optional.ofNullable(log.damage());
    }

    @Override
    public String toString() {
        return "Partition[" + topic() + "/" + id() + ", offsets [" + beginOffset() + ", " + endOffset() + ")]";
    }

    private void submitForce(long endOffset, MonoSink<Void> sink) {
        if (endOffset <= view.durableEnd()) {
            sink.success();
            return;
        }
        try {
            writer.submit(new ForceRequest(log, endOffset, sink));
        } catch (LogClosedException | LogOverloadedException e) {
            sink.error(e);
        }
    }
}
