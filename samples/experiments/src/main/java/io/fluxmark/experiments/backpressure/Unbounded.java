package io.fluxmark.experiments.backpressure;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.test.ChildJvm;
import io.fluxmark.test.RunningJvm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** The contrast: a process with an unbounded queue, until it has no memory left. */
final class Unbounded {

    /** What java exits with when it is told to do so without memory. */
    private static final int OUT_OF_MEMORY = 3;

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Table seconds = new Table("second", "produced", "consumed", "queued", "used_mb");
    private final double lasted;
    private final boolean survived;

    private Unbounded(double lasted, boolean survived, List<String> lines) {
        this.lasted = lasted;
        this.survived = survived;
        lines.stream()
                .filter(line -> line.startsWith(UnboundedChild.AT))
                .map(line -> line.substring(UnboundedChild.AT.length()).split(" ", -1))
                .filter(cells -> cells.length == seconds.columns().size())
                .forEach(cells -> seconds.row((Object[]) cells));
    }

    /**
     * Runs it to its end.
     *
     * @param heap as of {@link ChildJvm#heap}
     * @param most seconds it is given
     */
    static Unbounded run(int perSecond, int produced, String heap, int most, Scheduler clock) {
        long began = clock.now(TimeUnit.NANOSECONDS);
        try (RunningJvm child = ChildJvm.of(UnboundedChild.class)
                .args("" + perSecond, "" + produced, "" + most)
                .heap(heap)
                .option("-XX:+ExitOnOutOfMemoryError")
                .start()) {
            int exit = child.awaitExit(Duration.ofSeconds(4L * most + 60));
            boolean survived = child.lines().contains(UnboundedChild.SURVIVED);
            if (!survived && exit != OUT_OF_MEMORY) {
                throw new IllegalStateException("the unbounded queue ended with " + exit + ": " + child.lines());
            }
            return new Unbounded((clock.now(TimeUnit.NANOSECONDS) - began) / NANOS_PER_SECOND, survived, child.lines());
        }
    }

    /** What it said of itself, second by second. */
    Table seconds() {
        return seconds;
    }

    boolean survived() {
        return survived;
    }

    /** How long it ran, s. */
    String lasted() {
        return Figures.decimal(lasted, 1);
    }

    /** The last value of a column. */
    String last(String column) {
        List<String> values = seconds.texts(column);
        return values.isEmpty() ? "0" : values.get(values.size() - 1);
    }
}
