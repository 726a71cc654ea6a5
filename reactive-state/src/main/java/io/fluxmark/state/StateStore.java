package io.fluxmark.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * Keyed state, input positions and results of a service in one file. Lanes hand in transactions; those waiting together
 * share one commit; a transaction is acknowledged only when it is forced to disk, unless {@link StoreSpec#durability} says
 * otherwise. What is acknowledged survives a killed process and a power cut; what is not is there as a whole or not at all.
 *
 * <p>All methods may be called from any thread. Writing happens on one thread of the store's own; results are signalled
 * on {@link StoreSpec#scheduler}.
 *
 * <p>If writing fails, the store drops what is not durable and opens its file again by itself. Sessions and reads of that
 * time end with the retryable {@link StoreReopenedException}.
 */
public final class StateStore implements AutoCloseable {

    /** How many commits before its newest one a store keeps whole: where it may come back if the newest are torn. */
    public static final int COMMITS_KEPT = 5;

    private final StoreThread thread;

    private StateStore(StoreThread thread) {
        this.thread = thread;
    }

    /**
     * Opens the store of a directory with default settings.
     *
     * @see #open(Path, StoreSpec)
     */
    public static Mono<StateStore> open(Path directory) {
        return open(directory, StoreSpec.defaults());
    }

    /**
     * Opens the store of a directory when subscribed, creating both if missing.
     *
     * <p>Errors with {@link StoreLockedException} if another store holds the directory, {@link StoreFormatException} if
     * the file is not ours to read, {@link StateStoreException} if it cannot be read.
     *
     * @param directory holds the store file and its LOCK; nothing else may open or copy these while the store is open
     */
    public static Mono<StateStore> open(Path directory, StoreSpec spec) {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(spec, "spec");
        return Mono.create(sink -> {
            ExecutorService owned = spec.executor() == null ? StoreThread.newExecutor(directory) : null;
            Executor executor = owned != null ? owned : Objects.requireNonNull(spec.executor());
            Signals signals = new Signals(spec.scheduler());
            AtomicBoolean cancelled = new AtomicBoolean();
            sink.onCancel(() -> cancelled.set(true));
            executor.execute(() -> {
                try {
                    StoreThread thread = start(directory, spec, executor, owned);
                    if (cancelled.get()) {
                        // Nobody is left who could close it.
                        thread.closeLater();
                    } else {
                        signals.send(() -> sink.success(new StateStore(thread)));
                    }
                } catch (Throwable e) {
                    if (owned != null) {
                        owned.shutdown();
                    }
                    signals.send(() -> sink.error(openFailure(directory, e)));
                } finally {
                    signals.retire();
                }
            });
        });
    }

    /**
     * Gives the file of a store that is not open another name in its directory, durably, so that the next opening begins with an
     * empty store. Nothing is deleted. Blocks on a thread that may.
     *
     * <p>Errors with {@link StoreLockedException} if the store is open, {@link StateStoreException} if there is no file or it
     * cannot be renamed.
     *
     * @param spec as it would be opened
     * @return the file under its new name
     */
    public static Mono<Path> setAside(Path directory, StoreSpec spec) {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(spec, "spec");
        return Mono.fromCallable(() -> {
                    DirectoryLock lock = DirectoryLock.acquire(directory);
                    try {
                        return StoreFile.setAside(directory, spec);
                    } catch (IOException | RuntimeException e) {
                        throw new StateStoreException(
                                "The store file in " + directory + " could not be renamed; rename it by hand", e);
                    } finally {
                        lock.close();
                    }
                })
                .subscribeOn(Schedulers.boundedElastic());
    }

    /**
     * Starts a new generation of a lane. Its fence goes through the store's queue like a transaction; when the session
     * arrives, it is durable, and every transaction of earlier sessions is either in {@link LaneSession#restored()} or
     * refused for ever.
     *
     * @param job name of the job, 1 to 200 characters
     * @param lane number of the lane within the job, not negative
     */
    public Mono<LaneSession> openLane(String job, int lane) {
        LaneId id = new LaneId(Objects.requireNonNull(job, "job"), lane);
        return Mono.create(sink -> request(sink, id));
    }

    /**
     * The entries of {@code [from, to)} in key order, all as of the newest commit at subscription. Cold; reads on the
     * requesting thread in pages, only what is requested. Holding the subscription keeps file space from being reused,
     * so a reader that may pause for long should read in several ranges.
     *
     * <p>Keys of {@link StoreTable#STATE} have an internal lane prefix and cannot be read across lanes; use
     * {@link LaneSession#scan}.
     *
     * @param to the end, or null for none
     */
    public Flux<StoreEntry> read(StoreTable table, byte[] from, byte @Nullable [] to) {
        ViewScan.Range range = ViewScan.Range.of(table, from, to);
        return ViewScan.of(this::newest, snapshot -> range);
    }

    /**
     * The state entries of one lane, as {@link #read} reads the other tables. Empty if the store has never had the lane.
     *
     * @param to the end, or null for none
     */
    public Flux<StoreEntry> readState(String job, int lane, byte[] from, byte @Nullable [] to) {
        LaneId id = new LaneId(Objects.requireNonNull(job, "job"), lane);
        return ViewScan.of(this::newest, snapshot -> snapshot.stateRange(id, from, to));
    }

    /**
     * Reads several things as of one commit: the newest at subscription. The snapshot, and with it file space, is held until
     * what the function returns has ended or is cancelled; then the snapshot can't be read any more.
     *
     * @param reading reads the snapshot; called once for each subscription, on the subscribing thread
     */
    public <T> Flux<T> snapshot(Function<? super StoreSnapshot, ? extends Publisher<? extends T>> reading) {
        Objects.requireNonNull(reading, "reading");
        return Flux.using(this::newest, reading, StoreSnapshot::release);
    }

    private StoreSnapshot newest() {
        return StoreSnapshot.newest(thread.incarnation());
    }

    /**
     * All that the operators of one lane have recorded as longs, as of one commit: the newest at subscription. Takes no
     * generation, so a running job is not disturbed. Cold; empty if the store has never had the lane.
     *
     * @return by operator and name
     */
    public Flux<OperatorLongs> longs(String job, int lane) {
        byte[] prefix = PaneKeys.allLongs();
        return readState(job, lane, prefix, KeyBytes.endOfPrefix(prefix)).map(OperatorLongs::of);
    }

    /**
     * What one operator of one lane has recorded as longs under a name, as of the newest commit at subscription. Takes no
     * generation, so a running job is not disturbed. Values that have to fit together are read with
     * {@link #longs(String, int)}.
     *
     * @return the values; empty if no durable transaction has recorded any
     */
    public Mono<long[]> longs(String job, int lane, String operator, String name) {
        byte[] key = PaneKeys.longs(Objects.requireNonNull(operator, "operator"), Objects.requireNonNull(name, "name"));
        return readState(job, lane, key, KeyBytes.successor(key))
                .next()
                .map(entry -> OperatorLongs.decode(entry.value()));
    }

    /**
     * The numbers of durable commits: on demand the newest one that the subscriber has not had, beginning with the one
     * before subscription if there is one. Numbers in between are skipped. Ends only with an error: the reason why the
     * store failed or was closed.
     */
    public Flux<Long> commits() {
        return thread.tail().flux();
    }

    /** The store's figures now. */
    public Mono<StoreInfo> info() {
        return Mono.fromSupplier(thread::info);
    }

    /** When commits are acknowledged, as it was opened. */
    public StoreDurability durability() {
        return thread.spec().durability();
    }

    /**
     * Whether so much waits to be committed that lanes had better set their barriers early. Grows with queued
     * transactions and with the store's unsaved pages, against {@link StoreSpec#commitBytes}.
     */
    public boolean pressured() {
        return thread.pressured();
    }

    /** The setting {@link StoreSpec#stateBytes}, for who runs jobs on the store. */
    public long stateBytes() {
        return thread.spec().stateBytes();
    }

    /**
     * Makes durable what has been submitted, closes the file and releases the directory. Blocks until that is done;
     * idempotent. What comes later fails with {@link StoreClosedException}.
     */
    @Override
    public void close() {
        thread.close();
    }

    private void request(MonoSink<LaneSession> sink, LaneId id) {
        FenceRequest fence = new FenceRequest(thread, id, sink);
        try {
            thread.submit(fence);
        } catch (StateStoreException e) {
            fence.failed(e);
        }
    }

    private static StoreThread start(Path directory, StoreSpec spec, Executor executor, @Nullable ExecutorService owned)
            throws IOException {
        Files.createDirectories(directory);
        DirectoryLock lock = DirectoryLock.acquire(directory);
        StorageFileSystem.mount(directory, spec.storage());
        try {
            return new StoreThread(directory, spec, lock, executor, owned);
        } catch (Throwable e) {
            StorageFileSystem.unmount(directory);
            lock.close();
            throw e;
        }
    }

    private static Throwable openFailure(Path directory, Throwable cause) {
        // A damaged file shows itself in many ways, even as an OutOfMemoryError from a senseless length.
        return cause instanceof StateStoreException
                ? cause
                : new StateStoreException(
                        "The store in " + directory + " cannot be opened; set the file aside and restore a savepoint,"
                                + " or replay the log into an empty directory",
                        cause);
    }
}
