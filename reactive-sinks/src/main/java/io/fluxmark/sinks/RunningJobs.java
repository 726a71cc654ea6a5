package io.fluxmark.sinks;

import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreDurability;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs run on which store in this process, and what they need of their logs: a job runs once at a time, or as often as
 * its group has members. What one that has failed needs is kept until it has run again. Thread-safe.
 */
final class RunningJobs {

    private static final Map<StateStore, RunningJobs> BY_STORE = new WeakHashMap<>();

    private final Map<String, Run> running = new HashMap<>();
    private final Map<String, JobFloor> floors = new HashMap<>();

    /** The job that each outbox belongs to, by name. */
    private final Map<String, String> outboxes = new HashMap<>();

    /** What each job has been doing, by name; kept for as long as the store. */
    private final Map<String, JobProgress> progress = new HashMap<>();

    /** What the checkpoints of each job cost, by its name; kept for as long as the store. */
    private final Map<String, CheckpointCosts> costs = new HashMap<>();

    private RunningJobs() {}

    /** A job that runs, by one subscription or by the members of a group. */
    private static final class Run {
        private final @Nullable ConsumerGroup group;
        private int subscriptions;

        Run(@Nullable ConsumerGroup group) {
            this.group = group;
        }
    }

    static JobProgress progress(StateStore store, String job) {
        synchronized (BY_STORE) {
            return BY_STORE.computeIfAbsent(store, s -> new RunningJobs())
                    .progress
                    .computeIfAbsent(job, name -> new JobProgress());
        }
    }

    static CheckpointCosts costs(StateStore store, String job) {
        synchronized (BY_STORE) {
            return BY_STORE.computeIfAbsent(store, s -> new RunningJobs())
                    .costs
                    .computeIfAbsent(
                            job,
                            name -> new CheckpointCosts(Runtime.getRuntime().availableProcessors()));
        }
    }

    /**
     * Claims the right to run a job.
     *
     * @param group that divides its lanes among subscriptions; null for one that runs alone
     * @throws IllegalStateException when it runs already, and not for that group
     */
    static Claim claim(StateStore store, String job, JobTopics topics, @Nullable ConsumerGroup group) {
        synchronized (BY_STORE) {
            RunningJobs jobs = BY_STORE.computeIfAbsent(store, s -> new RunningJobs());
            Run run = jobs.running.computeIfAbsent(job, name -> new Run(group));
            if (run.subscriptions > 0 && (group == null || run.group != group)) {
                throw new IllegalStateException(
                        "job " + job + " is already running on this store: subscribe to it once, give the second one"
                                + " its own name, or have one group share its lanes (LogSource.assignedBy)");
            }
            run.subscriptions++;
            return new Claim(jobs, job, run, jobs.floor(job, topics, store.durability()));
        }
    }

    /**
     * Two jobs that number their rows under one name would take each other's.
     *
     * @throws IllegalStateException if another job of this process has used an outbox of this name in the store, or if the store
     *     may lose a commit whose rows are sent already
     */
    static void claimOutbox(StateStore store, String name, String job) {
        if (store.durability() != StoreDurability.SYNC) {
            throw new IllegalStateException("the sink " + name + " of job " + job
                    + " sends rows once their commit is durable, and the store answers before it is: open it with"
                    + " StoreDurability.SYNC");
        }
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

    private JobFloor floor(String job, JobTopics topics, StoreDurability durability) {
        JobFloor known = floors.get(job);
        if (known != null && known.isOf(topics)) {
            return known;
        }
        if (known != null) {
            known.release();
        }
        JobFloor floor = new JobFloor(topics, durability);
        floors.put(job, floor);
        return floor;
    }

    /** The right to run a job, until released. */
    static final class Claim {

        private final RunningJobs jobs;
        private final String job;
        private final Run run;
        private final JobFloor floor;
        private boolean ended;

        private Claim(RunningJobs jobs, String job, Run run, JobFloor floor) {
            this.jobs = jobs;
            this.job = job;
            this.run = run;
            this.floor = floor;
        }

        JobFloor floor() {
            return floor;
        }

        /** The job has completed or was cancelled: if nobody else runs it, nothing is kept for it any more. */
        void end() {
            synchronized (BY_STORE) {
                ended = true;
            }
        }

        void release() {
            synchronized (BY_STORE) {
                if (--run.subscriptions > 0) {
                    return;
                }
                jobs.running.remove(job, run);
                if (!ended) {
                    return;
                }
                jobs.floors.remove(job, floor);
            }
            floor.release();
        }
    }
}
