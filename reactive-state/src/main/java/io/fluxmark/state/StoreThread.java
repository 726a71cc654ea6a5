package io.fluxmark.state;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The only place that writes to a store. Requests wait in a bounded queue; a drain loop on a bare executor takes those
 * that are waiting together, checks all of them, drops the refused ones, and makes the rest durable in one commit.
 *
 * <p>The executor is not a Reactor scheduler, whose {@code dispose()} interrupts, and is never shut down by force: an
 * interrupt in the middle of file access would cost the store. No subscriber code runs here; results are handed to
 * schedulers.
 *
 * <p>A Throwable after the first put ends the {@link Incarnation}: whatever is waiting gets the retryable reason, and the
 * file is opened again, once per failure. If that fails too, the store stays closed with the cause.
 */
final class StoreThread {

    private final Path directory;
    private final StoreSpec spec;
    private final DirectoryLock lock;
    private final CommitTail tail;
    private final Executor executor;
    private final @Nullable ExecutorService owned;
    private final RequestQueue queue;
    private final AtomicInteger wip = new AtomicInteger();
    private final AtomicInteger pinnedViews = new AtomicInteger();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private volatile Incarnation incarnation;
    private volatile boolean closing;
    private volatile @Nullable StoreClosedException terminal;
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong aheadRows = new AtomicLong();
    private final AtomicLong aheadBytes = new AtomicLong();
    private final AtomicLong reopenings = new AtomicLong();
    // Keeps a removal that fails each time from reopening the store for ever: it waits for the next good commit.
    private boolean maintenanceAllowed = true;

    // Tells a close from within the loop, which must not wait for itself; only that thread finds its own name here.
    private volatile @Nullable Thread draining;

    /** Called where the drain loop will run; opens the file. */
    StoreThread(Path directory, StoreSpec spec, DirectoryLock lock, Executor executor, @Nullable ExecutorService owned)
            throws IOException {
        this.directory = directory;
        this.spec = spec;
        this.lock = lock;
        this.executor = executor;
        this.owned = owned;
        queue = new RequestQueue(spec.queueTransactions(), spec.queueBytes());
        incarnation = Incarnation.open(directory, spec, pinnedViews);
        tail = new CommitTail(spec.scheduler(), incarnation.commitNumber());
    }

    static ExecutorService newExecutor(Path directory) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "fluxmark-store-" + directory.getFileName());
            thread.setDaemon(true);
            return thread;
        });
    }

    StoreSpec spec() {
        return spec;
    }

    Incarnation incarnation() {
        return incarnation;
    }

    CommitTail tail() {
        return tail;
    }

    /** Queues the request, or throws what stands against it. */
    void submit(StoreRequest request) {
        if (closing) {
            throw closedReason();
        }
        if (!queue.offer(request)) {
            throw new StoreQueueFullException("The queue of the store " + directory + " holds " + queue.size()
                    + " requests with " + queue.bytes() + " bytes and has no room for " + request.bytes()
                    + " more; submit again when one of them is done, or raise StoreSpec.queue");
        }
        signal();
    }

    boolean pressured() {
        return queue.bytes() + incarnation.file().unsavedBytes() >= spec.commitBytes();
    }

    StoreInfo info() {
        Incarnation current = incarnation;
        return new StoreInfo(
                current.commitNumber(),
                current.file().fileBytes(),
                queue.size(),
                queue.bytes(),
                current.file().unsavedBytes(),
                pinnedViews.get(),
                current.drops().index().size(),
                aheadRows.get(),
                aheadBytes.get(),
                current.ahead().size(),
                refused.get(),
                reopenings.get());
    }

    /** Counts what has been written ahead, durably. */
    void writtenAhead(long rows, long bytes) {
        aheadRows.addAndGet(rows);
        aheadBytes.addAndGet(bytes);
    }

    /** Closes as {@link #close} does, without waiting for it. */
    void closeLater() {
        closing = true;
        signal();
    }

    /** Commits what is queued, closes the file and waits for that, unless called from within the drain loop. */
    void close() {
        closeLater();
        if (draining != Thread.currentThread()) {
            closed.join();
        }
    }

    private void signal() {
        if (wip.getAndIncrement() == 0) {
            try {
                executor.execute(this::drain);
            } catch (RejectedExecutionException e) {
                // The executor is gone, so nothing can run beside this.
                terminal = terminal == null ? closedReason() : terminal;
                drain();
            }
        }
    }

    private void drain() {
        int missed = wip.get();
        do {
            draining = Thread.currentThread();
            work();
            draining = null;
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
    }

    private void work() {
        while (true) {
            List<StoreRequest> group = queue.take(spec.commitBytes());
            StoreClosedException over = terminal;
            if (over != null) {
                if (group.isEmpty()) {
                    if (closing && !closed.isDone()) {
                        giveBack(over);
                    }
                    return;
                }
                group.forEach(request -> request.failed(over));
            } else if (!group.isEmpty()) {
                commit(group);
            } else if (closing) {
                shut();
            } else if (maintenanceAllowed && incarnation.maintenancePending()) {
                commit(List.of());
            } else {
                return;
            }
        }
    }

    private void commit(List<StoreRequest> group) {
        Incarnation current = incarnation;
        List<StoreRequest> accepted = new ArrayList<>();
        for (StoreRequest request : group) {
            try {
                request.check(current);
                accepted.add(request);
            } catch (StateStoreException e) {
                refused.incrementAndGet();
                request.failed(e);
            }
        }
        if (accepted.isEmpty() && !group.isEmpty()) {
            return;
        }
        StoreCommit commit;
        try {
            commit = current.commit(accepted);
        } catch (Throwable e) {
            reopen(current, accepted, e);
            return;
        }
        maintenanceAllowed = true;
        for (StoreRequest request : accepted) {
            request.done(current, commit);
        }
        tail.publish(commit.number());
    }

    private void reopen(Incarnation failed, List<StoreRequest> accepted, Throwable cause) {
        maintenanceAllowed = false;
        StoreReopenedException reason = reopened(failed.commitNumber(), cause);
        failed.close(reason);
        List<StoreRequest> lost = new ArrayList<>(accepted);
        lost.addAll(queue.takeAll());
        try {
            incarnation = Incarnation.open(directory, spec, pinnedViews);
            reopenings.incrementAndGet();
        } catch (Throwable e) {
            e.addSuppressed(cause);
            terminal = new StoreClosedException(
                    "The store " + directory + " failed and could not be opened again; close it, repair the cause"
                            + " and open a new one",
                    e);
        }
        // Told only now, so that whoever retries at once meets the new incarnation.
        for (StoreRequest request : lost) {
            request.failed(reason);
        }
        failed.lanes().retireSessions();
        tail.fail(reason);
    }

    private StoreReopenedException reopened(long commit, Throwable cause) {
        if (DiskFullException.isCauseOf(cause)) {
            return new DiskFullException(
                    "The disk of the store " + directory + " is full: commit " + (commit + 1)
                            + " was not written, and the store was opened again as of commit " + commit
                            + "; make room, then open the lane again and continue from what it restores",
                    cause);
        }
        return new StoreReopenedException(
                "The store " + directory + " failed in commit " + (commit + 1)
                        + " and was opened again as of its last complete commit; open the lane again and continue from"
                        + " what it restores",
                cause);
    }

    private void shut() {
        StoreClosedException reason = closedReason();
        terminal = reason;
        try {
            incarnation.file().force();
        } catch (RuntimeException e) {
            closed.completeExceptionally(new StateStoreException(
                    "The newest commit of " + directory + " could not be forced to disk at close; repair the disk, and"
                            + " expect that a power cut takes that commit back",
                    e));
        }
        incarnation.close(reason);
        incarnation.lanes().retireSessions();
        tail.fail(reason);
        release();
    }

    /** Closes a store whose end has come already, by a failure or with its executor. */
    private void giveBack(StoreClosedException reason) {
        if (incarnation.end() == null) {
            incarnation.close(reason);
        }
        release();
    }

    private void release() {
        StorageFileSystem.unmount(directory);
        try {
            lock.close();
        } catch (IOException e) {
            closed.completeExceptionally(
                    new StateStoreException("Releasing the lock of " + directory + " failed; restart the process", e));
        } finally {
            if (owned != null) {
                owned.shutdown();
            }
            closed.complete(null);
        }
    }

    private StoreClosedException closedReason() {
        StoreClosedException reason = terminal;
        return reason != null
                ? reason
                : new StoreClosedException("The store " + directory + " is closed; open a new one", null);
    }
}
