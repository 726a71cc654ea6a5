package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.concurrent.Queues;

/**
 * One of the threads that key groups are worked on: a worker, and a queue of what the lane's groups get of the next stretches.
 * All work of their operators that follows from that, or from demand, is done on it, in a loop that is entered by one at a time.
 *
 * @param <T> the events
 */
final class SplitLane<T> implements Runnable {

    /** How many stretches wait at most. */
    static final int DEPTH = 4;

    /** A group of the lane, and demand that has come for it. */
    private record Group<T>(GroupInlet<T> inlet, GroupOutlet<?> outlet, AtomicLong requested) {}

    private final LaneSplit<T> split;
    private final LaneGather<T, ?, ?> gather;
    private final Scheduler.Worker worker;
    private final Queue<List<LanePart<T>>> loads =
            Queues.<List<LanePart<T>>>get(DEPTH).get();
    private final List<Group<T>> groups = new ArrayList<>();
    private final AtomicInteger wip = new AtomicInteger();

    /** Loads that are not delivered to the last group. */
    private final AtomicInteger underWay = new AtomicInteger();

    private volatile boolean ended;
    private volatile boolean cancelled;

    /** Who is in the loop; compared only with the current thread. */
    private volatile @Nullable Thread running;

    /** Confined to the loop: the load being delivered, and to how many groups of the lane it has been. */
    private @Nullable List<LanePart<T>> load;

    private boolean[] delivered = {};
    private boolean emitted;
    private boolean completed;

    SplitLane(LaneSplit<T> split, LaneGather<T, ?, ?> gather, Scheduler.Worker worker) {
        this.split = split;
        this.gather = gather;
        this.worker = worker;
    }

    /** Gives the lane one more group; before anything is offered. */
    void add(GroupInlet<T> inlet, GroupOutlet<?> outlet) {
        groups.add(new Group<>(inlet, outlet, new AtomicLong()));
        delivered = new boolean[groups.size()];
    }

    /** How many loads wait, or are being delivered. */
    int underWay() {
        return underWay.get();
    }

    /** Hands over what the lane's groups get of the next stretch; there has to be room. */
    void offer(List<LanePart<T>> parts) {
        underWay.incrementAndGet();
        if (!loads.offer(parts)) {
            throw new IllegalStateException("a lane was given more than " + DEPTH + " stretches");
        }
        wakeUp();
    }

    /** There is nothing more to come. */
    void end() {
        ended = true;
        wakeUp();
    }

    /** Lets go of everything. Thread-safe. */
    void cancel() {
        cancelled = true;
        if (wip.getAndIncrement() == 0) {
            run();
        }
    }

    /** Who gathers has taken some of a group's output. Thread-safe. */
    void request(GroupOutlet<?> outlet, long n) {
        for (Group<T> group : groups) {
            if (group.outlet == outlet) {
                group.requested.addAndGet(n);
            }
        }
        wakeUp();
    }

    /** A group of the lane has emitted something. */
    void hasEmitted() {
        if (running == Thread.currentThread()) {
            emitted = true;
        } else {
            gather.lanesHaveEmitted();
        }
    }

    /** There may be something to do. Thread-safe. */
    void wakeUp() {
        if (wip.getAndIncrement() == 0) {
            try {
                worker.schedule(this);
            } catch (RejectedExecutionException e) {
                if (!cancelled) {
                    gather.laneFailed(Operators.onRejectedExecution(e, gather.currentContext()));
                }
                cancelled = true;
                run(); // to let go of what is here
            }
        }
    }

    @Override
    public void run() {
        int missed = 1;
        do {
            running = Thread.currentThread();
            boolean took = work();
            boolean told = emitted;
            emitted = false;
            running = null;
            if (told) {
                gather.lanesHaveEmitted();
            }
            if (took) {
                split.wakeUp();
            }
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
    }

    /** Whether a load was delivered. */
    private boolean work() {
        if (cancelled) {
            discard();
            worker.dispose();
            return false;
        }
        for (Group<T> group : groups) {
            long n = group.requested.getAndSet(0);
            if (n > 0) {
                group.outlet.request(n);
            }
        }
        boolean took = false;
        while (deliver()) {
            took = true;
        }
        if (ended && !completed && load == null && loads.isEmpty()) {
            completed = true;
            groups.forEach(group -> group.inlet.complete());
        }
        return took;
    }

    /** Delivers the next load; false where there is none, or some group has to wait. */
    private boolean deliver() {
        List<LanePart<T>> parts = load;
        if (parts == null) {
            parts = loads.poll();
            if (parts == null) {
                return false;
            }
            load = parts;
        }
        boolean all = true;
        for (int i = 0; i < delivered.length; i++) {
            if (!delivered[i]) {
                delivered[i] = !cancelled && groups.get(i).inlet.deliver(parts.get(i));
                all &= delivered[i];
            }
        }
        if (all) {
            Arrays.fill(delivered, false);
            load = null;
            underWay.decrementAndGet();
        }
        return all;
    }

    private void discard() {
        List<LanePart<T>> parts = load;
        load = null;
        for (int i = 0; parts != null && i < delivered.length; i++) {
            if (!delivered[i]) {
                discard(parts.get(i));
            }
        }
        for (parts = loads.poll(); parts != null; parts = loads.poll()) {
            parts.forEach(this::discard);
        }
    }

    private void discard(LanePart<T> part) {
        Operators.onDiscardMultiple(EventBatch.contents(part), gather.currentContext());
    }
}
