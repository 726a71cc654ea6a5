package io.fluxmark.sinks;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** One thread whose tasks wait while it is held. */
final class HeldThread implements Executor, AutoCloseable {

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "held");
        made.setDaemon(true);
        return made;
    });
    private final Semaphore open = new Semaphore(1);

    @Override
    public void execute(Runnable task) {
        thread.execute(() -> {
            open.acquireUninterruptibly();
            open.release();
            task.run();
        });
    }

    /** No task begins from here on; call once, then {@link #release}. */
    void hold() {
        open.acquireUninterruptibly();
    }

    void release() {
        open.release();
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
