package io.fluxmark.windows;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** A clock that knows which of its delayed tasks are still to run. */
final class CountingClock implements Scheduler {

    private final Scheduler clock;
    private final Set<Object> pending = ConcurrentHashMap.newKeySet();

    CountingClock(Scheduler clock) {
        this.clock = clock;
    }

    int pending() {
        return pending.size();
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        Object id = new Object();
        pending.add(id);
        Disposable scheduled = clock.schedule(
                () -> {
                    pending.remove(id);
                    task.run();
                },
                delay,
                unit);
        return Disposables.composite(scheduled, () -> pending.remove(id));
    }

    @Override
    public Disposable schedule(Runnable task) {
        return clock.schedule(task);
    }

    @Override
    public Worker createWorker() {
        return clock.createWorker();
    }

    @Override
    public long now(TimeUnit unit) {
        return clock.now(unit);
    }
}
