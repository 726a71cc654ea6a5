package io.fluxmark.state;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How a store is opened. Immutable: each method returns a changed copy.
 */
public final class StoreSpec {

    /** Before the defaults, which are made of it. */
    private static final long EIGHTH_OF_HEAP =
            Math.min(Math.max(Runtime.getRuntime().maxMemory() / 8, 4L << 20), 512L << 20);

    private static final long LEAST_QUEUE = 256L << 20;
    private static final long QUEUE_PER_STATE = 4;

    private static final StoreSpec DEFAULTS = new StoreSpec(new Values());

    private static final long MIN_STATE_BYTES = 1L << 20;

    private final Values values;

    private StoreSpec(Values values) {
        this.values = values;
    }

    /** The defaults given at each setting. */
    public static StoreSpec defaults() {
        return DEFAULTS;
    }

    /** Size of the store's page cache in MiB, at least 1; default 64, about a quarter of a 256 MiB heap. */
    public StoreSpec cacheMegabytes(int megabytes) {
        Values copy = copy();
        copy.cacheMegabytes = (int) positive("cacheMegabytes", megabytes);
        return new StoreSpec(copy);
    }

    /**
     * How long replaced file blocks are kept before their space is reused, 0 to 5 s; default 0. Longer costs file size
     * only: five versions are always kept, and readers hold the versions they use.
     */
    public StoreSpec retention(Duration retention) {
        long millis = Objects.requireNonNull(retention, "retention").toMillis();
        if (millis < 0 || millis > 5000) {
            throw new IllegalArgumentException("retention must be between 0 and 5 s but was " + retention);
        }
        Values copy = copy();
        copy.retentionMillis = (int) millis;
        return new StoreSpec(copy);
    }

    /**
     * Bounds of the queue in front of the store thread; what does not fit is refused with
     * {@link StoreQueueFullException}.
     *
     * @param transactions most transactions and fences waiting at once, default 1024
     * @param bytes most bytes of waiting transactions; also the most one transaction may have. By default 256 MiB, and four times
     *     {@link #stateBytes} where that is more: what a lane may change between two barriers always fits
     */
    public StoreSpec queue(int transactions, long bytes) {
        Values copy = copy();
        copy.queueTransactions = (int) positive("queue transactions", transactions);
        copy.queueBytes = positive("queue bytes", bytes);
        return new StoreSpec(copy);
    }

    /**
     * Most bytes of changes that share one commit; default an eighth of the largest heap, from 4 to 512 MiB. A larger
     * transaction is committed alone. Waiting changes above this make {@link StateStore#pressured()} true.
     */
    public StoreSpec commitBytes(long bytes) {
        Values copy = copy();
        copy.commitBytes = positive("commitBytes", bytes);
        return new StoreSpec(copy);
    }

    /** When a commit is acknowledged; default {@link StoreDurability#SYNC}: when it is forced to disk. */
    public StoreSpec durability(StoreDurability durability) {
        Values copy = copy();
        copy.durability = Objects.requireNonNull(durability, "durability");
        return new StoreSpec(copy);
    }

    /**
     * About how much heap each job on the store may take for its state and its uncommitted rows, all its lanes together;
     * at least 1 MiB; default an eighth of the largest heap, from 4 to 512 MiB. What is more lies in the file: entries that have not changed since the last commit
     * are read again when they are needed, rows beyond a quarter are written ahead of their commit.
     */
    public StoreSpec stateBytes(long bytes) {
        if (bytes < MIN_STATE_BYTES) {
            throw new IllegalArgumentException("stateBytes must be at least " + MIN_STATE_BYTES + " but was " + bytes);
        }
        Values copy = copy();
        copy.stateBytes = bytes;
        return new StoreSpec(copy);
    }

    /**
     * Most entries of dropped ranges that are removed in one commit, and most rows written ahead that are settled, at least
     * 1; default 10 000.
     */
    public StoreSpec dropSlice(int entries) {
        Values copy = copy();
        copy.dropSlice = (int) positive("dropSlice", entries);
        return new StoreSpec(copy);
    }

    /** Where results are signalled, never on the store's own thread; default {@link Schedulers#parallel()}. */
    public StoreSpec scheduler(Scheduler scheduler) {
        Values copy = copy();
        copy.scheduler = Objects.requireNonNull(scheduler, "scheduler");
        return new StoreSpec(copy);
    }

    /**
     * Runs all writes and commits, one task at a time; it must not interrupt its threads. By default each store has a
     * thread of its own, ended by {@link StateStore#close()}; an executor given here is left running.
     */
    public StoreSpec executor(Executor executor) {
        Values copy = copy();
        copy.executor = Objects.requireNonNull(executor, "executor");
        return new StoreSpec(copy);
    }

    /**
     * Keeps the store's file on another storage than the file system: for tests, to inject faults. Real files by default,
     * accessed so that an interrupt can't close them.
     */
    public StoreSpec storage(StoreStorage storage) {
        Values copy = copy();
        copy.storage = Objects.requireNonNull(storage, "storage");
        copy.filePrefix = StorageFileSystem.PREFIX;
        return new StoreSpec(copy);
    }

    /** Replaces the file scheme, for simulated disks. */
    StoreSpec filePrefix(String prefix) {
        Values copy = copy();
        copy.filePrefix = prefix;
        return new StoreSpec(copy);
    }

    /** Is told of each stage of each commit, on the store thread, and may hold or fail it there; for simulated crashes. */
    StoreSpec onStage(Consumer<CommitStage> listener) {
        Values copy = copy();
        copy.onStage = listener;
        return new StoreSpec(copy);
    }

    void reached(CommitStage stage) {
        values.onStage.accept(stage);
    }

    int cacheMegabytes() {
        return values.cacheMegabytes;
    }

    int retentionMillis() {
        return values.retentionMillis;
    }

    int queueTransactions() {
        return values.queueTransactions;
    }

    long queueBytes() {
        return values.queueBytes == 0 ? Math.max(LEAST_QUEUE, QUEUE_PER_STATE * values.stateBytes) : values.queueBytes;
    }

    long commitBytes() {
        return values.commitBytes;
    }

    long stateBytes() {
        return values.stateBytes;
    }

    int dropSlice() {
        return values.dropSlice;
    }

    StoreDurability durability() {
        return values.durability;
    }

    Scheduler scheduler() {
        return values.scheduler == null ? Schedulers.parallel() : values.scheduler;
    }

    @Nullable
    Executor executor() {
        return values.executor;
    }

    @Nullable
    StoreStorage storage() {
        return values.storage;
    }

    String filePrefix() {
        return values.filePrefix;
    }

    private Values copy() {
        return new Values(values);
    }

    private static long positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be greater than 0 but was " + value);
        }
        return value;
    }

    private static final class Values {
        int cacheMegabytes = 64;
        int retentionMillis;
        int queueTransactions = 1024;

        /** 0 for what follows from {@link #stateBytes}. */
        long queueBytes;

        long commitBytes = EIGHTH_OF_HEAP;
        long stateBytes = EIGHTH_OF_HEAP;
        int dropSlice = 10_000;
        StoreDurability durability = StoreDurability.SYNC;

        @Nullable
        Scheduler scheduler;

        @Nullable
        Executor executor;

        @Nullable
        StoreStorage storage;

        String filePrefix = StoreFileSystem.PREFIX;
        Consumer<CommitStage> onStage = stage -> {};

        Values() {}

        Values(Values other) {
            cacheMegabytes = other.cacheMegabytes;
            retentionMillis = other.retentionMillis;
            queueTransactions = other.queueTransactions;
            queueBytes = other.queueBytes;
            commitBytes = other.commitBytes;
            stateBytes = other.stateBytes;
            dropSlice = other.dropSlice;
            durability = other.durability;
            scheduler = other.scheduler;
            executor = other.executor;
            storage = other.storage;
            filePrefix = other.filePrefix;
            onStage = other.onStage;
        }
    }
}
