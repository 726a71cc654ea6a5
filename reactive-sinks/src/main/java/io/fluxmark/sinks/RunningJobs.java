package io.fluxmark.sinks;

import io.fluxmark.state.StateStore;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/** Which jobs run on which store in this process: a job runs once at a time. Thread-safe. */
final class RunningJobs {

    private static final Map<StateStore, Set<String>> RUNNING = new WeakHashMap<>();

    private RunningJobs() {}

    static Claim claim(StateStore store, String job) {
        synchronized (RUNNING) {
            if (!RUNNING.computeIfAbsent(store, s -> new HashSet<>()).add(job)) {
                throw new IllegalStateException(
                        "job " + job
                                + " is already running on this store: subscribe to it once, or give the second one its own name");
            }
        }
        return new Claim(store, job);
    }

    /** The right to run a job, until released. */
    record Claim(StateStore store, String job) {

        void release() {
            synchronized (RUNNING) {
                Set<String> jobs = RUNNING.get(store);
                if (jobs != null) {
                    jobs.remove(job);
                }
            }
        }
    }
}
