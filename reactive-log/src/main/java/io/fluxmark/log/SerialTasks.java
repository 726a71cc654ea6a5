package io.fluxmark.log;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.util.Logger;
import reactor.util.Loggers;

/** Runs short tasks one after the other, on the thread of whoever brings one while none runs. There is no lock to wait for. */
final class SerialTasks {

    private static final Logger LOG = Loggers.getLogger(SerialTasks.class);

    /** Bounded by who brings tasks: each member, write and timer has a few at most. */
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    private final AtomicInteger wip = new AtomicInteger();

    void run(Runnable task) {
        tasks.add(task);
        if (wip.getAndIncrement() != 0) {
            return;
        }
        int missed = 1;
        do {
            for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
                try {
                    next.run();
                } catch (RuntimeException e) {
                    LOG.error("a task of a consumer group failed", e);
                }
            }
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
    }
}
