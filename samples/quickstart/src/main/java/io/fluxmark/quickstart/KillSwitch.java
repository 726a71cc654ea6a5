package io.fluxmark.quickstart;

import java.util.HashSet;
import java.util.Set;

/** Halts the JVM, without any orderly end, right after a given number of durable commits. Thread-safe. */
final class KillSwitch {

    /** What a process that was killed by signal 9 reports. */
    static final int EXIT_KILLED = 137;

    private final int after;
    private final Runnable halt;
    private final Set<Long> commits = new HashSet<>();

    /** Halts after {@code after} commits; 0 for never. */
    KillSwitch(int after) {
        this(after, () -> Runtime.getRuntime().halt(EXIT_KILLED));
    }

    KillSwitch(int after, Runnable halt) {
        this.after = after;
        this.halt = halt;
    }

    /** Notes a durable commit of the store; the same number, reported by several jobs, counts once. */
    synchronized void committed(long number) {
        if (after > 0 && commits.size() < after && commits.add(number) && commits.size() == after) {
            halt.run();
        }
    }
}
