package io.fluxmark.state;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** How a savepoint is restored. Immutable: each method returns a changed copy. */
public final class RestoreSpec {

    private static final RestoreSpec DEFAULTS = new RestoreSpec(Map.of(), Schedulers.boundedElastic());

    private final Map<String, String> jobs;
    private final Scheduler scheduler;

    private RestoreSpec(Map<String, String> jobs, Scheduler scheduler) {
        this.jobs = Map.copyOf(jobs);
        this.scheduler = scheduler;
    }

    /** Every job under the name it had. */
    public static RestoreSpec defaults() {
        return DEFAULTS;
    }

    /** Gives a job another name, under which it goes on where the savepoint has it. */
    public RestoreSpec rename(String job, String newName) {
        Map<String, String> more = new LinkedHashMap<>(jobs);
        more.put(Objects.requireNonNull(job, "job"), new LaneId(newName, 0).job());
        if (more.values().stream().distinct().count() < more.size()) {
            throw new IllegalArgumentException("two jobs cannot both be called '" + newName + "'");
        }
        return new RestoreSpec(more, scheduler);
    }

    /** Where files are read and written; default {@link Schedulers#boundedElastic()}. */
    public RestoreSpec scheduler(Scheduler scheduler) {
        return new RestoreSpec(jobs, Objects.requireNonNull(scheduler, "scheduler"));
    }

    Map<String, String> jobs() {
        return jobs;
    }

    Scheduler scheduler() {
        return scheduler;
    }
}
