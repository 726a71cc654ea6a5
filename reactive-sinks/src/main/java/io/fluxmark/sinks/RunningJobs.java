package io.fluxmark.sinks;

import io.fluxmark.log.Topic;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreDurability;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Which jobs run on which store in this process, and what they need of their logs: a job runs once at a time. What one that has
 * failed needs is kept until it has run again. Thread-safe.
 */
final class RunningJobs {

    private static final Map<StateStore, RunningJobs> BY_STORE = new WeakHashMap<>();

    private final Set<String> running = new HashSet<>();
    private final Map<String, JobFloor> floors = new HashMap<>();

    /** The job that each outbox belongs to, by name. */
    private final Map<String, String> outboxes = new HashMap<>();

    /** What each job has been doing, by name; kept for as long as the store. */
    private final Map<String, JobProgress> progress = new HashMap<>();

    private RunningJobs() {}

    static JobProgress progress(StateStore store, String job) {
        synchronized (BY_STORE) {
            return BY_STORE.computeIfAbsent(store, s -> new RunningJobs())
                    .progress
                    .computeIfAbsent(job, name -> new JobProgress());
        }
    }

    static Claim claim(StateStore store, String job, Topic topic) {
        synchronized (BY_STORE) {
            RunningJobs jobs = BY_STORE.computeIfAbsent(store, s -> new RunningJobs());
            if (!jobs.running.add(job)) {
                throw new IllegalStateException("job " + job
                        + " is already running on this store: subscribe to it once, or give the second one its"
                        + " own name");
            }
            return new Claim(jobs, job, jobs.floor(job, topic, store.durability()));
        }
    }

    /**
     * Two jobs that number their rows under one name would take each other's.
     *
     * @throws IllegalStateException if another job of this process has used an outbox of this name in the store
     */
    static void claimOutbox(StateStore store, String name, String job) {
        synchronized (BY_STORE) {
            String owner = BY_STORE.computeIfAbsent(store, s -> new RunningJobs())
                    .outboxes
                    .putIfAbsent(name, job);
            if (owner != null && !owner.equals(job)) {
                throw new IllegalStateException("the sink " + name + " of this store belongs to job " + owner
                        + ": give the sink of job " + job + " its own name");
            }
        }
    }

    private JobFloor floor(String job, Topic topic, StoreDurability durability) {
        JobFloor known = floors.get(job);
        if (known != null && known.isOf(topic)) {
            return known;
        }
        if (known != null) {
            known.release();
        }
        JobFloor floor = new JobFloor(topic, durability);
        floors.put(job, floor);
        return floor;
    }

    /** The right to run a job, until released. */
    record Claim(RunningJobs jobs, String job, JobFloor floor) {

        /** The job has completed or was cancelled: nothing is kept for it any more. */
        void end() {
            synchronized (BY_STORE) {
                jobs.floors.remove(job, floor);
            }
            floor.release();
        }

        void release() {
            synchronized (BY_STORE) {
                jobs.running.remove(job);
            }
        }
    }
}
