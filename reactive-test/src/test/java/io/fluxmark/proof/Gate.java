package io.fluxmark.proof;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

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

    /** Holds whoever comes from now on; only the first call counts. */
    synchronized void hold() {
        if (!everHeld) {
            held = true;
            everHeld = true;
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
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
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
            pass();
            task.run();
        });
    }

    @Override
    public void close() {
        release();
        thread.shutdown();
    }
}
