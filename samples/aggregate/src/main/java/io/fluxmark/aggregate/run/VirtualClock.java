package io.fluxmark.aggregate.run;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.scheduler.Scheduler;

/**
 * A clock that stands still until it is moved, and a scheduler on it: tasks run on the thread that moves the clock, in
 * the order of their due times and, where these are equal, in the order in which they were scheduled. Not thread-safe.
 */
public final class VirtualClock implements Scheduler {

    /** A worker lets go of the tasks that have run when it has seen this many. */
    private static final int FORGET_AT = 64;

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long now;
    private long scheduled;

    /** A clock that stands at {@code now}, epoch ms. */
    public VirtualClock(long now) {
        this.now = now;
    }

    /** Where it stands, epoch ms. */
    public long millis() {
        return now;
    }

    /** When the next task is due, epoch ms; {@link Long#MAX_VALUE} without one. */
    public long nextDue() {
        while (!tasks.isEmpty() && tasks.peek().disposed) {
            tasks.poll();
        }
        return tasks.isEmpty() ? Long.MAX_VALUE : tasks.peek().due;
    }

    /** Moves the clock on to {@code millis} without running anything; never back. */
    public void moveTo(long millis) {
        now = Math.max(now, millis);
    }

    /** Runs what is due, also what that schedules for now. */
    public void runDue() {
        while (nextDue() <= now) {
            Task task = tasks.remove();
            boolean again = task.period > 0;
            task.disposed = !again;
            task.work.run();
            if (again && !task.disposed) {
                task.due = saturatedSum(task.due, task.period);
                add(task);
            }
        }
    }

    private Task add(Task task) {
        task.order = scheduled++;
        tasks.add(task);
        return task;
    }

    private Disposable add(Runnable work, long delay, long period, TimeUnit unit) {
        return add(new Task(work, saturatedSum(now, Math.max(0, millisUp(delay, unit))), millisUp(period, unit)));
    }

    /** A part of a millisecond is a whole one: nothing runs before its time. */
    private static long millisUp(long delay, TimeUnit unit) {
        long millis = unit.toMillis(delay);
        return unit.convert(millis, TimeUnit.MILLISECONDS) < delay ? millis + 1 : millis;
    }

    private static long saturatedSum(long a, long b) {
        long sum = a + b;
        return b > 0 && sum < a ? Long.MAX_VALUE : sum;
    }

    @Override
    public long now(TimeUnit unit) {
        return unit.convert(now, TimeUnit.MILLISECONDS);
    }

    @Override
    public Disposable schedule(Runnable work) {
        return add(work, 0, 0, TimeUnit.MILLISECONDS);
    }

    @Override
    public Disposable schedule(Runnable work, long delay, TimeUnit unit) {
        return add(work, delay, 0, unit);
    }

    @Override
    public Disposable schedulePeriodically(Runnable work, long initialDelay, long period, TimeUnit unit) {
        return add(work, initialDelay, Math.max(1, period), unit);
    }

    @Override
    public Worker createWorker() {
        return new ClockWorker();
    }

    private static final class Task implements Comparable<Task>, Disposable {

        private final Runnable work;
        private final long period;
        private long due;
        private long order;
        private boolean disposed;

        Task(Runnable work, long due, long period) {
            this.work = work;
            this.due = due;
            this.period = period;
        }

        @Override
        public int compareTo(Task other) {
            int byDue = Long.compare(due, other.due);
            return byDue != 0 ? byDue : Long.compare(order, other.order);
        }

        @Override
        public void dispose() {
            disposed = true;
        }

        @Override
        public boolean isDisposed() {
            return disposed;
        }
    }

    private final class ClockWorker implements Worker {

        private final List<Disposable> mine = new ArrayList<>();
        private boolean disposed;

        @Override
        public Disposable schedule(Runnable work) {
            return schedule(work, 0, TimeUnit.MILLISECONDS);
        }

        @Override
        public Disposable schedule(Runnable work, long delay, TimeUnit unit) {
            return keep(VirtualClock.this.schedule(work, delay, unit));
        }

        @Override
        public Disposable schedulePeriodically(Runnable work, long initialDelay, long period, TimeUnit unit) {
            return keep(VirtualClock.this.schedulePeriodically(work, initialDelay, period, unit));
        }

        private Disposable keep(Disposable task) {
            if (disposed) {
                task.dispose();
                throw Exceptions.failWithRejected();
            }
            if (mine.size() >= FORGET_AT) {
                mine.removeIf(Disposable::isDisposed);
            }
            mine.add(task);
            return task;
        }

        @Override
        public void dispose() {
            disposed = true;
            mine.forEach(Disposable::dispose);
            mine.clear();
        }

        @Override
        public boolean isDisposed() {
            return disposed;
        }
    }
}
