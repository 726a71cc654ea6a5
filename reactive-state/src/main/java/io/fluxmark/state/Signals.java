package io.fluxmark.state;

import java.util.concurrent.RejectedExecutionException;
import reactor.core.scheduler.Scheduler;

/** Takes one receiver's results off the store thread, in order. */
final class Signals {

    private final Scheduler scheduler;
    private final Scheduler.Worker worker;

    Signals(Scheduler scheduler) {
        this.scheduler = scheduler;
        worker = scheduler.createWorker();
    }

    void send(Runnable signal) {
        try {
            worker.schedule(signal);
        } catch (RejectedExecutionException retired) {
            sendElsewhere(signal);
        }
    }

    /** Gives the worker back once everything sent before has been delivered. */
    void retire() {
        try {
            worker.schedule(worker::dispose);
        } catch (RejectedExecutionException e) {
            worker.dispose();
        }
    }

    private void sendElsewhere(Runnable signal) {
        try {
            scheduler.schedule(signal);
        } catch (RejectedExecutionException e) {
            // The scheduler has been disposed of: a late signal on this thread is better than none at all.
            signal.run();
        }
    }
}
