package io.fluxmark.log;

import java.util.concurrent.RejectedExecutionException;
import reactor.core.scheduler.Schedulers;

/** Takes results off the writer thread, which runs no subscriber's code. */
final class Completions {

    private Completions() {}

    static void run(Runnable signal) {
        try {
            Schedulers.parallel().schedule(signal);
        } catch (RejectedExecutionException e) {
            // The schedulers are shut down: better here than never.
            signal.run();
        }
    }
}
