package io.fluxmark.log;

import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A clock that can be set back too. What is scheduled on it runs on another scheduler, at once; what is periodic never. */
final class MovableClock implements Scheduler {

    volatile long millis;

    @Override
    public long now(TimeUnit unit) {
        return unit.convert(millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return Schedulers.parallel().schedule(task);
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
        return Disposables.disposed();
    }

    @Override
    public Worker createWorker() {
        return Schedulers.parallel().createWorker();
    }
}
