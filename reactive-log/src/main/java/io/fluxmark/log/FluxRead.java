package io.fluxmark.log;

import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/** A cold source over a partition: every subscriber has its own cursor, file and worker. */
abstract class FluxRead<T> extends Flux<T> implements Scannable {

    private final ReadPlan plan;

    FluxRead(ReadPlan plan) {
        this.plan = plan;
    }

    abstract ReadSubscription<T> subscription(
            CoreSubscriber<? super T> actual, ReadPlan fromPlan, Scheduler.Worker worker);

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        Scheduler.Worker worker;
        try {
            worker = plan.scheduler().createWorker();
        } catch (RejectedExecutionException e) {
            Operators.error(actual, Operators.onRejectedExecution(e, actual.currentContext()));
            return;
        }
        ReadSubscription<T> subscription = subscription(actual, plan, worker);
        actual.onSubscribe(subscription);
        subscription.start();
    }

    @Override
    @SuppressWarnings("rawtypes") // as declared by Scannable
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.RUN_ON) {
            return plan.scheduler();
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }
}
