package io.fluxmark.experiments.crash;

import io.fluxmark.test.ChildJvm;
import io.fluxmark.test.RunningJvm;
import io.fluxmark.windows.CheckpointSpec;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The tumbling job of the benchmarks in a JVM of its own, over the log and the store of a directory, to be killed with SIGKILL. To be
 * used by one thread; closing it kills it too.
 */
public final class Victim implements AutoCloseable {

    /** Where in its directory the log is, see {@link io.fluxmark.benchmarks.durable.FilledLog}. */
    public static final String LOG = "log";

    /** Where the store is. */
    public static final String STORE = "store";

    /** So rarely that it never happens. */
    public static final Duration NEVER = Duration.ofDays(1);

    /**
     * Heap for state and uncommitted rows: so much that neither sets a barrier before the interval does. Rows do at an eighth of it.
     */
    public static final long STATE_BYTES = 2L << 30;

    static final String PROGRESS = "progress";
    static final String FROM = "from ";
    static final String REACHED = "reached";

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Path directory;
    private final RunningJvm process;

    private Victim(Path directory, RunningJvm process) {
        this.directory = directory;
        this.process = process;
    }

    /** Barriers at an interval and by nothing else, which is bounded by {@link #STATE_BYTES}. */
    public static CheckpointSpec checkpoints(Duration interval) {
        return CheckpointSpec.every(interval).orEveryEvents(Long.MAX_VALUE);
    }

    /**
     * Starts it; nobody else may have log or store open.
     *
     * @param target {@link #awaitReached} waits for the record before this offset; 0 if there is none to wait for
     */
    public static Victim start(Path directory, Duration windows, Duration interval, long target) {
        return new Victim(
                directory,
                ChildJvm.of(VictimMain.class)
                        .args(
                                directory.toString(),
                                Long.toString(windows.toMillis()),
                                Long.toString(interval.toMillis()),
                                Long.toString(target))
                        .heap("3g")
                        .start());
    }

    /** Waits for the first record and gives its offset. */
    public long awaitBegin() {
        return Long.parseLong(
                process.awaitLine(line -> line.startsWith(FROM), PATIENCE).substring(FROM.length()));
    }

    /** Waits until it has read up to its target. */
    public void awaitReached() {
        process.awaitLine(REACHED::equals, PATIENCE);
    }

    /** Lets it run on. */
    public void letRun(Duration time) {
        if (!process.letRun(time)) {
            throw new IllegalStateException("the job has ended by itself: " + process.lines());
        }
    }

    /** Kills it, and gives the offset of the next record that it would have read. */
    public long kill() {
        process.kill(PATIENCE);
        if (process.exit() != RunningJvm.KILLED) {
            throw new IllegalStateException("the job has not died of SIGKILL but with exit code " + process.exit());
        }
        return Progress.read(directory.resolve(PROGRESS));
    }

    @Override
    public void close() {
        process.close();
    }
}
