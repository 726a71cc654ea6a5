package io.fluxmark.sinks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether a job is well.
 *
 * @param status the worst of what was found
 * @param reasons what was found, in words; empty where nothing was
 */
public record JobHealth(Status status, List<String> reasons) {

    /** From well to not. */
    public enum Status {
        /** It runs and gets on, or is over for good. */
        UP,
        /** It runs, and somebody should look at it. */
        DEGRADED,
        /** It does not run although it is not finished, or does not get on. */
        DOWN
    }

    /** Copies the list. */
    public JobHealth {
        reasons = List.copyOf(reasons);
    }

    /**
     * Judges a job. It is {@link Status#DOWN} when it does not run and is not finished, or has come to no checkpoint for {@link
     * HealthRules#downIntervals}; {@link Status#DEGRADED} after {@link HealthRules#lateIntervals}, beyond {@link
     * HealthRules#maxLag}, or when it has come to no checkpoint since it began again after a failure. A job without uncommitted
     * records need not commit.
     */
    public static JobHealth of(JobObservation job, HealthRules rules) {
        if (job.finished()) {
            return new JobHealth(Status.UP, List.of());
        }
        if (job.state() != JobState.RUNNING) {
            return new JobHealth(Status.DOWN, List.of(notRunning(job)));
        }
        Status status = Status.UP;
        List<String> reasons = new ArrayList<>();
        Duration interval = job.interval();
        long age = job.checkpointAge().orElse(0);
        if (interval != null && job.lag() > 0 && age > rules.lateIntervals() * interval.toMillis()) {
            status = age > rules.downIntervals() * interval.toMillis() ? Status.DOWN : Status.DEGRADED;
            reasons.add("no checkpoint for " + Duration.ofMillis(age) + " with " + job.lag()
                    + " records to commit, and one was due after " + interval);
        }
        if (job.lag() > rules.maxLag()) {
            status = worse(status, Status.DEGRADED);
            reasons.add(job.lag() + " records are not committed, more than " + rules.maxLag());
        }
        if (job.restarts() > 0 && job.checkpoints().lastAt() < job.since()) {
            status = worse(status, Status.DEGRADED);
            reasons.add("it has failed with " + job.failure() + " and come to no checkpoint since it began again");
        }
        return new JobHealth(status, reasons);
    }

    private static String notRunning(JobObservation job) {
        return switch (job.state()) {
            case FAILED -> "it has failed with " + job.failure();
            case CANCELLED -> "it was cancelled";
            case COMPLETED -> "it was stopped";
            default -> "it has not been run";
        };
    }

    private static Status worse(Status one, Status other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
