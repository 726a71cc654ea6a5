package io.fluxmark.log;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** How a log is kept. Immutable: each method returns a changed copy. */
public final class LogSpec {

    private static final int MAX_RECORD_LIMIT = 16 << 20;
    private static final Duration MIN_PERIOD = Duration.ofMillis(1);

    private final Durability durability;
    private final long segmentBytes;
    private final Duration segmentAge;
    private final Duration retentionInterval;
    private final int maxRecordBytes;
    private final long queueBytes;
    private final int queueRecords;
    private final Duration appendWait;
    private final Duration linger;
    private final int batchBytes;
    private final int readBufferBytes;
    private final int producersPerPartition;
    private final long compactionBytes;
    private final Compression compression;
    private final Map<String, Compression> compressionByTopic;
    private final Scheduler clock;
    private final Scheduler readScheduler;
    private final LogStorage storage;
    private final @Nullable Executor writerExecutor;

    private LogSpec(Builder from) {
        durability = from.durability;
        segmentBytes = from.segmentBytes;
        segmentAge = from.segmentAge;
        retentionInterval = from.retentionInterval;
        maxRecordBytes = from.maxRecordBytes;
        queueBytes = from.queueBytes;
        queueRecords = from.queueRecords;
        appendWait = from.appendWait;
        linger = from.linger;
        batchBytes = from.batchBytes;
        readBufferBytes = from.readBufferBytes;
        producersPerPartition = from.producersPerPartition;
        compactionBytes = from.compactionBytes;
        compression = from.compression;
        compressionByTopic = Map.copyOf(from.compressionByTopic);
        clock = from.clock;
        readScheduler = from.readScheduler;
        storage = from.storage;
        writerExecutor = from.writerExecutor;
    }

    /**
     * SYNC; segments of 64 MiB and 7 days; retention applied every 5 minutes; records up to 1 MiB; a queue of 32 MiB and 100,000
     * records, in which an append does not linger; batches and a read buffer of 64 KiB; 1,000 producers per partition; 32 MiB for compaction; no compression; real time, real files, an own writer thread,
     * reads on {@link Schedulers#boundedElastic()}.
     */
    public static LogSpec defaults() {
        return new LogSpec(new Builder());
    }

    /** When appends complete. */
    public LogSpec durability(Durability value) {
        Builder copy = new Builder(this);
        copy.durability = Objects.requireNonNull(value, "durability");
        return new LogSpec(copy);
    }

    /**
     * The size at which a segment file is sealed and the next one begun. A batch larger than that gets a segment of its own.
     *
     * @param value 1 KiB to 1 GiB
     */
    public LogSpec segmentBytes(long value) {
        Builder copy = new Builder(this);
        copy.segmentBytes = Limits.within("segmentBytes", value, 1 << 10, 1 << 30);
        return new LogSpec(copy);
    }

    /**
     * The age at which a segment file is sealed by the next append to it: the time since its first batch was appended.
     *
     * @param value 1 millisecond to 36,500 days
     */
    public LogSpec segmentAge(Duration value) {
        Builder copy = new Builder(this);
        copy.segmentAge = Limits.within("segmentAge", value, MIN_PERIOD, Limits.LONGEST);
        return new LogSpec(copy);
    }

    /**
     * How often the retention of topics is applied, and the topics are compacted that need it.
     *
     * @param value 1 millisecond to 36,500 days
     */
    public LogSpec retentionInterval(Duration value) {
        Builder copy = new Builder(this);
        copy.retentionInterval = Limits.within("retentionInterval", value, MIN_PERIOD, Limits.LONGEST);
        return new LogSpec(copy);
    }

    /**
     * The largest record accepted: key, value, headers and a few bytes of framing.
     *
     * @param value 64 bytes to 16 MiB
     */
    public LogSpec maxRecordBytes(int value) {
        Builder copy = new Builder(this);
        copy.maxRecordBytes = (int) Limits.within("maxRecordBytes", value, 64, MAX_RECORD_LIMIT);
        return new LogSpec(copy);
    }

    /**
     * The bytes that may wait for the writer thread, over all topics.
     *
     * @param value at least 1 KiB
     */
    public LogSpec queueBytes(long value) {
        Builder copy = new Builder(this);
        copy.queueBytes = Limits.within("queueBytes", value, 1 << 10, Long.MAX_VALUE);
        return new LogSpec(copy);
    }

    /**
     * The records that may wait for the writer thread, over all topics.
     *
     * @param value at least 1
     */
    public LogSpec queueRecords(int value) {
        Builder copy = new Builder(this);
        copy.queueRecords = (int) Limits.within("queueRecords", value, 1, Integer.MAX_VALUE);
        return new LogSpec(copy);
    }

    /**
     * How long an append waits for room in the queue before it is refused; a stream of records waits for as long as it takes.
     *
     * @param value 0, the default, to one hour
     */
    public LogSpec appendWait(Duration value) {
        Builder copy = new Builder(this);
        copy.appendWait = Duration.ofMillis(Limits.within(
                "appendWait, ms,", value.toMillis(), 0, Duration.ofHours(1).toMillis()));
        return new LogSpec(copy);
    }

    /**
     * How long an append may be held back for others to share its batch and its fsync. It goes sooner once {@link #batchBytes} wait.
     * Larger batches compress better and cost readers less; under {@link Durability#SYNC} appends that arrive during an fsync share
     * the next one anyway.
     *
     * @param value 0, the default, to one minute, in whole milliseconds
     */
    public LogSpec linger(Duration value) {
        Builder copy = new Builder(this);
        copy.linger = Duration.ofMillis(Limits.within(
                "linger, ms,", value.toMillis(), 0, Duration.ofMinutes(1).toMillis()));
        return new LogSpec(copy);
    }

    /**
     * The size at which a batch is closed, before compression; a larger record has a batch of its own. Never more than {@link
     * #readBufferBytes}.
     *
     * @param value 512 bytes to 1 MiB
     */
    public LogSpec batchBytes(int value) {
        Builder copy = new Builder(this);
        copy.batchBytes = (int) Limits.within("batchBytes", value, 512, RecordLayout.BATCH_BYTES_LIMIT);
        return new LogSpec(copy);
    }

    /**
     * What a reader may read beyond what was requested. Batches are written no larger than this, before compression, unless a
     * single record is, and a reader's buffer grows to one batch at most; of a compressed batch it holds both forms.
     *
     * @param value 512 bytes to 16 MiB
     */
    public LogSpec readBufferBytes(int value) {
        Builder copy = new Builder(this);
        copy.readBufferBytes = (int) Limits.within("readBufferBytes", value, 512, 16 << 20);
        return new LogSpec(copy);
    }

    /**
     * The producers whose sequences a partition remembers. Beyond it the one used longest ago is forgotten, its repeats are
     * no longer recognised, and {@link Partition#forgottenProducers()} counts it.
     *
     * @param value at least 1
     */
    public LogSpec producersPerPartition(int value) {
        Builder copy = new Builder(this);
        copy.producersPerPartition = (int) Limits.within("producersPerPartition", value, 1, Integer.MAX_VALUE);
        return new LogSpec(copy);
    }

    /**
     * The memory for the keys that a compaction removes the hidden records of at a time: each takes its length and 24 bytes. More
     * keys are done in several goes, each of which writes the partition again. Arrays grow by doubling, so that up to
     * twice as much may be held, and for a moment three times.
     *
     * @param value 1 KiB to 1 GiB; 32 MiB unless said otherwise. One batch is taken in any case
     */
    public LogSpec compactionBytes(long value) {
        Builder copy = new Builder(this);
        copy.compactionBytes = Limits.within("compactionBytes", value, 1 << 10, 1 << 30);
        return new LogSpec(copy);
    }

    /**
     * How the batches of topics are compressed that have no compression of their own. The writer thread does it; what is
     * stored already stays as it is and is read as before.
     *
     * @throws UnsupportedFormatException if the library it needs is missing
     */
    public LogSpec compression(Compression value) {
        Builder copy = new Builder(this);
        copy.compression = Objects.requireNonNull(value, "compression").requireUsable();
        return new LogSpec(copy);
    }

    /**
     * The same of one topic, which need not exist yet.
     *
     * @throws UnsupportedFormatException if the library it needs is missing
     */
    public LogSpec compression(String topic, Compression value) {
        LogLayout.checkTopic(Objects.requireNonNull(topic, "topic"));
        Builder copy = new Builder(this);
        copy.compressionByTopic.put(
                topic, Objects.requireNonNull(value, "compression").requireUsable());
        return new LogSpec(copy);
    }

    /** The source of append times, and what the fsync interval and retention go by. */
    public LogSpec clock(Scheduler value) {
        Builder copy = new Builder(this);
        copy.clock = Objects.requireNonNull(value, "clock");
        return new LogSpec(copy);
    }

    /** Where {@link Partition#read} and {@link Partition#readTo} read and emit, and where compaction reads and writes. */
    public LogSpec readScheduler(Scheduler value) {
        Builder copy = new Builder(this);
        copy.readScheduler = Objects.requireNonNull(value, "readScheduler");
        return new LogSpec(copy);
    }

    /** The file operations. */
    public LogSpec storage(LogStorage value) {
        Builder copy = new Builder(this);
        copy.storage = Objects.requireNonNull(value, "storage");
        return new LogSpec(copy);
    }

    /**
     * Runs the writer instead of an own thread. It must not interrupt what it runs; the log never shuts it down. A direct
     * executor makes appends happen on the caller's thread.
     */
    public LogSpec writerExecutor(Executor value) {
        Builder copy = new Builder(this);
        copy.writerExecutor = Objects.requireNonNull(value, "writerExecutor");
        return new LogSpec(copy);
    }

    Durability durability() {
        return durability;
    }

    long segmentBytes() {
        return segmentBytes;
    }

    Duration segmentAge() {
        return segmentAge;
    }

    Duration retentionInterval() {
        return retentionInterval;
    }

    int maxRecordBytes() {
        return maxRecordBytes;
    }

    long queueBytes() {
        return queueBytes;
    }

    int queueRecords() {
        return queueRecords;
    }

    Duration appendWait() {
        return appendWait;
    }

    Duration linger() {
        return linger;
    }

    /** The size at which a batch is closed, so that a reader's buffer holds it. */
    int batchBytes() {
        return Math.min(batchBytes, readBufferBytes);
    }

    int readBufferBytes() {
        return readBufferBytes;
    }

    int producersPerPartition() {
        return producersPerPartition;
    }

    long compactionBytes() {
        return compactionBytes;
    }

    Compression compressionOf(String topic) {
        return compressionByTopic.getOrDefault(topic, compression);
    }

    Scheduler clock() {
        return clock;
    }

    Scheduler readScheduler() {
        return readScheduler;
    }

    LogStorage storage() {
        return storage;
    }

    @Nullable
    Executor writerExecutor() {
        return writerExecutor;
    }

    /** The mutable twin that keeps copying in one place. */
    private static final class Builder {
        private Durability durability = Durability.SYNC;
        private long segmentBytes = 64 << 20;
        private Duration segmentAge = Duration.ofDays(7);
        private Duration retentionInterval = Duration.ofMinutes(5);
        private int maxRecordBytes = 1 << 20;
        private long queueBytes = 32 << 20;
        private int queueRecords = 100_000;
        private Duration appendWait = Duration.ZERO;
        private Duration linger = Duration.ZERO;
        private int batchBytes = 64 << 10;
        private int readBufferBytes = 64 << 10;
        private int producersPerPartition = 1_000;
        private long compactionBytes = 32 << 20;
        private Compression compression = Compression.NONE;
        private final Map<String, Compression> compressionByTopic = new HashMap<>();
        private Scheduler clock = Schedulers.parallel();
        private Scheduler readScheduler = Schedulers.boundedElastic();
        private LogStorage storage = LogStorage.files();
        private @Nullable Executor writerExecutor;

        private Builder() {}

        private Builder(LogSpec from) {
            durability = from.durability;
            segmentBytes = from.segmentBytes;
            segmentAge = from.segmentAge;
            retentionInterval = from.retentionInterval;
            maxRecordBytes = from.maxRecordBytes;
            queueBytes = from.queueBytes;
            queueRecords = from.queueRecords;
            appendWait = from.appendWait;
            linger = from.linger;
            batchBytes = from.batchBytes;
            readBufferBytes = from.readBufferBytes;
            producersPerPartition = from.producersPerPartition;
            compactionBytes = from.compactionBytes;
            compression = from.compression;
            compressionByTopic.putAll(from.compressionByTopic);
            clock = from.clock;
            readScheduler = from.readScheduler;
            storage = from.storage;
            writerExecutor = from.writerExecutor;
        }
    }
}
