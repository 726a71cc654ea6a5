package io.fluxmark.sinks;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/** Another scheduler, but for periodic tasks: they run when they are fired. */
final class HandTimer implements Scheduler {

    private final Scheduler other;
    private final List<Runnable> periodic = new CopyOnWriteArrayList<>();

    HandTimer(Scheduler other) {
        this.other = other;
    }

    /** As if the period of every task had passed. */
    void fire() {
        periodic.forEach(Runnable::run);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return other.schedule(task);
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
        periodic.add(task);
        return () -> periodic.remove(task);
    }

    @Override
    public Worker createWorker() {
        return other.createWorker();
    }
}
