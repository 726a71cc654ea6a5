package io.fluxmark.log;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The one thread that writes a log. Whoever adds to the queue makes it run if it does not; it then takes all that waits, again and
 * again, so that appends arriving during an fsync share the next one. It is no Reactor scheduler and is never interrupted:
 * an interrupt would close the file under a write.
 *
 * <p>With a linger, appends do not make it run until a batch is full or the first of them has waited long enough; all other commands do.
 */
final class LogWriterThread {

    private static final Logger LOG = Loggers.getLogger(LogWriterThread.class);

    /** How long the writer waits before it looks for more; systems make it several times as long. */
    private static final long LOOK_NANOS = 20_000;

    private final Executor executor;
    private final @Nullable ExecutorService owned;
    private final AppendQueue queue;
    private final Scheduler clock;
    private final boolean syncs;
    private final long lingerNanos;
    private final int batchBytes;
    private final AtomicBoolean lingering = new AtomicBoolean();
    private final WriteBuffer buffer = new WriteBuffer();
    private final AtomicInteger wip = new AtomicInteger();
    /** How many commands shared the last group; used by the writer alone. */
    private int lastGroup;

    LogWriterThread(LogSpec spec) {
        Executor given = spec.writerExecutor();
        if (given == null) {
            ExecutorService thread = newThread();
            owned = thread;
            executor = thread;
        } else {
            owned = null;
            executor = given;
        }
        queue = new AppendQueue(spec.queueBytes(), spec.queueRecords());
        clock = spec.clock();
        syncs = spec.durability().syncsEveryAppend();
        lingerNanos = spec.linger().toNanos();
        batchBytes = spec.batchBytes();
    }

    /** Queues a command; throws as {@link AppendQueue#add} does. */
    void submit(LogCommand command) {
        queue.add(command);
        signal();
    }

    /** Queues an append, or has {@code whenRoom} run; answers and throws as {@link AppendQueue#offer} does. */
    @Nullable
    LogOverloadedException offer(AppendRequest append, Runnable whenRoom) {
        LogOverloadedException refusal = queue.offer(append, whenRoom);
        if (refusal != null || lingerNanos == 0 || queue.waitingBytes() >= batchBytes) {
            signal();
        } else if (lingering.compareAndSet(false, true)) {
            clock.schedule(this::endLinger, lingerNanos, TimeUnit.NANOSECONDS);
        }
        return refusal;
    }

    private void endLinger() {
        lingering.set(false);
        signal();
    }

    /** Queues the last command; answers false if there is one already. */
    boolean submitLast(LogCommand last, RuntimeException reason) {
        List<Runnable> inVain;
        synchronized (queue) {
            if (queue.isClosed()) {
                return false;
            }
            inVain = queue.close(last, reason);
        }
        inVain.forEach(Completions::run);
        signal();
        return true;
    }

    /** Ends an own thread once it has nothing left to do. */
    void shutdown() {
        if (owned != null) {
            owned.shutdown();
        }
    }

    private void signal() {
        if (wip.getAndIncrement() != 0) {
            return;
        }
        try {
            executor.execute(this::drain);
        } catch (RejectedExecutionException e) {
            wip.set(0);
            List<LogCommand> refused = queue.takeAll();
            refused.forEach(command -> command.refuse(e));
            queue.release(refused, Duration.ZERO).forEach(Completions::run);
        }
    }

    /**
     * Whoever has just been answered often comes back at once, and would find the next fsync begun for the first of them alone. So the
     * group is let grow to the size of the last one, for as long as each look finds more waiting.
     */
    private void awaitCompany() {
        int seen = -1;
        for (int now = queue.waiting(); now > seen && now < lastGroup; now = queue.waiting()) {
            seen = now;
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    private void drain() {
        // An injected executor may bring an interrupt that was meant for somebody else.
        boolean interrupted = Thread.interrupted();
        int missed = wip.get();
        do {
            if (syncs && lastGroup > 1) {
                awaitCompany();
            }
            List<LogCommand> taken = queue.takeAll();
            if (!taken.isEmpty()) {
                lastGroup = taken.size();
                process(taken);
            }
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void process(List<LogCommand> commands) {
        int done = 0;
        try {
            while (done < commands.size()) {
                long began = clock.now(TimeUnit.NANOSECONDS);
                AppendGroup group = new AppendGroup(buffer, syncs);
                int end = done;
                while (end < commands.size() && group.add(commands.get(end))) {
                    end++;
                }
                if (end == done && commands.get(done) instanceof LogCommand.Control control) {
                    control.action().run();
                    end++;
                } else {
                    group.write();
                }
                List<LogCommand> finished = commands.subList(done, end);
                done = end;
                // Before the answers: whoever gets one finds room for the next.
                makeRoom(finished, clock.now(TimeUnit.NANOSECONDS) - began);
                group.answer();
            }
        } catch (RuntimeException | Error e) {
            // Nobody may wait for ever for an answer that will not come; those answered already ignore this.
            LOG.error("the log's writer failed", e);
            RuntimeException failure = new IllegalStateException("the log's writer failed: " + e, e);
            commands.forEach(command -> command.refuse(failure));
            makeRoom(commands.subList(done, commands.size()), 0);
        }
    }

    private void makeRoom(List<LogCommand> finished, long nanos) {
        queue.release(finished, Duration.ofNanos(Math.max(0, nanos))).forEach(Completions::run);
    }

    private static ExecutorService newThread() {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "fluxmark-log");
            thread.setDaemon(true);
            return thread;
        });
    }
}
