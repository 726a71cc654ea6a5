package io.fluxmark.log;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A partition of which the files are read only, beside whoever writes it. Thread-safe.
 *
 * <p>It shows everything up to the last valid batch, and so also what has been written but not yet acknowledged: a power cut, or a
 * write that fails, may take that away again. Its begin and end are those of when it was opened, and move on while it has subscribers:
 * then the files are looked at once in each {@linkplain LogReader#pollInterval interval}.
 *
 * <p>Reading is cold: every subscriber has its own cursor, file and worker, and affects no other. Nothing is read that was not
 * requested, beyond one {@linkplain LogSpec#readBufferBytes declared buffer}.
 */
public final class PartitionReader {

    private final StoredPartitionView view;
    private final PartitionReads reads;
    private final @Nullable CorruptSegmentException lostStart;

    private PartitionReader(
            StoredPartitionView view, PartitionReads reads, @Nullable CorruptSegmentException lostStart) {
        this.view = view;
        this.reads = reads;
        this.lostStart = lostStart;
    }

    static PartitionReader open(
            StoredPartitionView view,
            List<Segment> segments,
            LogCheckpoints checkpoints,
            LogStorage storage,
            LogSpec spec)
            throws IOException {
        PartitionId id = new PartitionId(view.topic(), view.id());
        PartitionBounds bounds = checkpoints.bounds(id);
        long start = bounds == null ? 0 : bounds.startOffset();
        view.show(segments, start, LogCheckpoints.durableEnd(bounds, checkpoints.cleanEnd(id)));
        long begin = view.segments().beginOffset();
        CorruptSegmentException lostStart = begin > start
                ? new CorruptSegmentException(view.name(), RecordLayout.segmentName(start), 0, start, begin)
                : null;
        return new PartitionReader(view, new PartitionReads(view, storage, spec), lostStart);
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

    /** The offset after the last record of the last valid batch. */
    public long endOffset() {
        return view.tail().offset();
    }

    /** The files there are, in order. */
    public List<SegmentInfo> segments() {
        Tail tail = view.tail();
        return view.segments().all().stream()
                .map(segment -> segment.baseOffset() == tail.segmentBase()
                        ? new SegmentInfo(segment.file(), segment.baseOffset(), tail.offset(), tail.position())
                        : new SegmentInfo(
                                segment.file(), segment.baseOffset(), segment.endOffset(), segment.sealedBytes()))
                .toList();
    }

    /**
     * Reads from an offset on and then follows the files for ever.
     *
     * @param from from begin to end offset inclusive
     * @return records in order, emitted on {@link LogSpec#readScheduler}. Never completes. Errors: {@link OffsetOutOfRangeException}
     *     with the count (on subscription, requested or not, and when what is to be read next has been deleted; a file that is
     *     open already is read to its end first), {@link CorruptSegmentException} when it meets damage, {@link
     *     TopicDeletedException}, {@link java.io.UncheckedIOException}
     */
    public Flux<LogRecord> read(long from) {
        return readTo(from, Long.MAX_VALUE);
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
     * Reads from the first record appended at or after a moment on; for the rest as {@link Partition#readFrom}.
     *
     * @return as {@link #read}
     */
    public Flux<LogRecord> readFrom(Instant moment) {
        return reads.readFrom(moment);
    }

    /**
     * The offset of the first record appended at or after a moment, the end offset if there is none. Looked up at each
     * subscription, on {@link LogSpec#readScheduler}; a segment without usable time index is read instead, and none is made.
     *
     * @return errors with {@link CorruptSegmentException} if that record may have been lost, {@link java.io.UncheckedIOException}
     */
    public Mono<Long> offsetAt(Instant moment) {
        return reads.offsetAt(moment);
    }

    /**
     * Checks every batch there was on opening, and that none is missing, on {@link LogSpec#readScheduler}.
     *
     * @return each damage in order, completes at the end. Errors with {@link java.io.UncheckedIOException}
     */
    public Flux<CorruptSegmentException> verify() {
        return verify(offset -> {});
    }

    /**
     * The same for somebody who wants to see how far it is.
     *
     * @param progress is told, after each batch and on {@link LogSpec#readScheduler}, up to which offset all has been read; must not
     *     block
     */
    public Flux<CorruptSegmentException> verify(LongConsumer progress) {
        Flux<CorruptSegmentException> found = reads.verify(Objects.requireNonNull(progress, "progress"));
        return lostStart == null ? found : Flux.concat(Mono.just(lostStart), found);
    }

    /**
     * The headers of the stored batches, from the one that holds an offset on to the end at subscription, on {@link
     * LogSpec#readScheduler}.
     *
     * @param from from begin to end offset inclusive
     * @return completes at the end. Errors with {@link OffsetOutOfRangeException}, {@link CorruptSegmentException}, {@link
     *     java.io.UncheckedIOException}
     */
    public Flux<BatchInfo> batches(long from) {
        return reads.batches(from);
    }

    @Override
    public String toString() {
        return "PartitionReader[" + topic() + "/" + id() + ", offsets [" + beginOffset() + ", " + endOffset() + ")]";
    }
}
