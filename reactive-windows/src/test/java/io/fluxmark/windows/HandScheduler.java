package io.fluxmark.windows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** Workers whose tasks run when a test says so, on its thread. */
final class HandScheduler implements Scheduler {

    private final List<Queue<Runnable>> workers = new ArrayList<>();
    private int disposed;

    @Override
    public Disposable schedule(Runnable task) {
        throw new IllegalStateException("only workers are to be used");
    }

    @Override
    public Worker createWorker() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        workers.add(tasks);
        return new Worker() {
            private final Disposable over = Disposables.single();

            @Override
            public Disposable schedule(Runnable task) {
                tasks.add(task);
                return Disposables.disposed();
            }

            @Override
            public void dispose() {
                disposed += over.isDisposed() ? 0 : 1;
                over.dispose();
            }
        };
    }

    /** How many workers were made, and how many of them let go of. */
    int workers() {
        return workers.size();
    }

    int disposed() {
        return disposed;
    }

    /** Runs what there is to run until there is nothing left, but not that of one worker; whether there was anything. */
    boolean runAllBut(int held) {
        boolean some = false;
        boolean more = true;
        while (more) {
            more = false;
            for (int i = 0; i < workers.size(); i++) {
                Runnable task = i == held ? null : workers.get(i).poll();
                if (task != null) {
                    task.run();
                    more = true;
                }
            }
            some |= more;
        }
        return some;
    }
}
