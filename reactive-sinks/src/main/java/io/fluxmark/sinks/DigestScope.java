package io.fluxmark.sinks;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a {@link StoreDigest} covers. Immutable: each method returns a changed copy. */
public final class DigestScope {

    private static final DigestScope ALL = new DigestScope(null, null, true);

    private final @Nullable String job;
    private final @Nullable String sink;
    private final boolean jobNames;

    private DigestScope(@Nullable String job, @Nullable String sink, boolean jobNames) {
        this.job = job;
        this.sink = sink;
        this.jobNames = jobNames;
    }

    /** All rows of the store and the counters of all its jobs. */
    public static DigestScope everything() {
        return ALL;
    }

    /** The rows of the sinks that the job has written to, and its counters. */
    public static DigestScope job(String name) {
        return new DigestScope(Objects.requireNonNull(name, "name"), null, true);
    }

    /** The rows of the sink, be it a table, a changelog, or one of late events, dead letters or diverted events; no counters. */
    public static DigestScope sink(String name) {
        return new DigestScope(null, RowNames.checked(name), true);
    }

    /** The same whatever the jobs are called, as after a restore under another name. */
    public DigestScope withoutJobNames() {
        return new DigestScope(job, sink, false);
    }

    boolean coversJob(String name) {
        return sink == null && (job == null || job.equals(name));
    }

    /** Whether rows count only if their sink is one of the job's. */
    boolean ofOneJob() {
        return job != null;
    }

    @Nullable
    String sink() {
        return sink;
    }

    boolean jobNames() {
        return jobNames;
    }
}
