package io.fluxmark.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A child JVM that runs, or has ended. Its output is read while it runs, so it never waits for the reader. Every wait has
 * a limit, and every failure shows what the child printed last. To be used by one thread; {@link #close} kills what still
 * runs.
 */
public final class RunningJvm implements AutoCloseable {

    /** What the operating system reports of a process that SIGKILL ended: 128 + 9. */
    public static final int KILLED = 137;

    private static final Duration GRACE = Duration.ofSeconds(30);

    private final ChildJvm definition;
    private final Process process;
    private final ChildOutput output;

    RunningJvm(ChildJvm definition, Process process, int maxLines) {
        this.definition = definition;
        this.process = process;
        this.output = ChildOutput.of(process, maxLines);
    }

    /** The operating system's number of the process. */
    public long pid() {
        return process.pid();
    }

    /**
     * Waits for a line that matches, among those not looked at by an earlier wait, and returns it.
     *
     * @throws AssertionError when the child ends, or {@code patience} does, without such a line
     */
    public String awaitLine(Predicate<String> matches, Duration patience) {
        String line = output.await(matches, patience);
        if (line == null) {
            boolean over = output.hasEnded() && !letRun(GRACE);
            throw failure("printed no such line " + (over ? "before it ended" : "within " + patience));
        }
        return line;
    }

    /** Waits for the {@code n}-th line that matches, counted from 1, among those not looked at yet. */
    public String awaitLine(int n, Predicate<String> matches, Duration patience) {
        if (n < 1) {
            throw new IllegalArgumentException("lines are counted from 1 but was " + n);
        }
        for (int i = 1; i < n; i++) {
            awaitLine(matches, patience);
        }
        return awaitLine(matches, patience);
    }

    /** Lets the child run on for {@code time}, or until it ends; returns whether it still runs. */
    public boolean letRun(Duration time) {
        try {
            return !process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Kills the child with SIGKILL, waits until it is gone and all it had printed is read. A child that has ended
     * already stays as it is: {@link #exit} tells.
     */
    public void kill(Duration patience) {
        // Through the handle: Process.destroyForcibly also closes our end of the pipe, and with it the last lines.
        process.toHandle().destroyForcibly();
        awaitExit(patience);
    }

    /**
     * Waits for the end and returns the exit code, {@value #KILLED} for a killed child.
     *
     * @throws AssertionError when it still runs after {@code patience}
     */
    public int awaitExit(Duration patience) {
        if (letRun(patience)) {
            throw failure("still runs after " + patience);
        }
        if (!output.awaitEnd(patience)) {
            throw failure("ended, but its output did not within " + patience);
        }
        return exit();
    }

    /** The exit code; throws {@link IllegalThreadStateException} while it runs. */
    public int exit() {
        return process.exitValue();
    }

    /** Everything it has printed so far, line by line. */
    public List<String> lines() {
        return output.lines();
    }

    private AssertionError failure(String what) {
        List<String> lines = lines();
        int from = Math.max(0, lines.size() - 30);
        String state = process.isAlive() ? "running" : "exit code " + exit();
        return new AssertionError(definition + " " + what + " (" + state + "); its last of " + lines.size()
                + " lines:\n  " + String.join("\n  ", lines.subList(from, lines.size())));
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for a child JVM", e);
    }

    /** Kills the child if it still runs, and waits for its end. */
    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        try {
            if (!process.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
                throw failure("can't be killed");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }
}
