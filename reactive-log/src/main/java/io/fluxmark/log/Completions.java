package io.fluxmark.log;

import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** Takes results off the writer thread, which runs no subscriber's code. */
final class Completions {

    /** So many short signals are run one after the other: one thread hop for each would cost more than they do. */
    private static final int TOGETHER = 32;

    private Completions() {}

    /** Runs signals, in this order in groups that run at the same time. */
    static void runAll(List<Runnable> signals) {
        for (int from = 0; from < signals.size(); from += TOGETHER) {
            List<Runnable> some = signals.subList(from, Math.min(signals.size(), from + TOGETHER));
            run(() -> some.forEach(Completions::runCaught));
        }
    }

    /** One subscriber's failure is not the next one's. */
    private static void runCaught(Runnable signal) {
        try {
            signal.run();
        } catch (RuntimeException e) {
            Operators.onErrorDropped(e, Context.empty());
        }
    }

    static void run(Runnable signal) {
        try {
            Schedulers.parallel().schedule(signal);
        } catch (RejectedExecutionException e) {
            // The schedulers are shut down: better here than never.
            signal.run();
        }
    }
}
