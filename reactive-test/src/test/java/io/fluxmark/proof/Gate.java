package io.fluxmark.proof;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lets threads pass, or holds them. Thread-safe. */
final class Gate implements AutoCloseable {

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "gated");
        made.setDaemon(true);
        return made;
    });
    private final CountDownLatch somebodyWaits = new CountDownLatch(1);
    private boolean held;
    private boolean everHeld;
    private @Nullable Thread running;

    /**
     * Holds whoever comes from now on; only the first call counts. Returns when the gate's thread has ended what it was at:
     * it might go on with what comes meanwhile.
     */
    synchronized void hold() {
        if (!everHeld) {
            held = true;
            everHeld = true;
        }
        boolean interrupted = false;
        while (held && running != null && running != Thread.currentThread()) {
            interrupted |= waitInterrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void release() {
        held = false;
        notifyAll();
    }

    synchronized void pass() {
        boolean interrupted = false;
        while (held) {
            somebodyWaits.countDown();
            interrupted |= waitInterrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // its callers loop
    private synchronized boolean waitInterrupted() {
        try {
            wait();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private synchronized void enter() {
        pass();
        running = Thread.currentThread();
    }

    private synchronized void leave() {
        running = null;
        notifyAll();
    }

    void awaitSomebody() {
        try {
            if (!somebodyWaits.await(ProofJob.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("nobody has come to the gate");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted at the gate", e);
        }
    }

    /** One thread whose tasks pass the gate. */
    Executor executor() {
        return task -> thread.execute(() -> {
            enter();
            try {
                task.run();
            } finally {
                leave();
            }
        });
    }

    @Override
    public void close() {
        release();
        thread.shutdown();
    }
}
