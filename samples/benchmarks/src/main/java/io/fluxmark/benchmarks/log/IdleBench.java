package io.fluxmark.benchmarks.log;

import com.sun.management.OperatingSystemMXBean;
import io.fluxmark.log.LogSpec;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** What readers cost that have read everything and wait at the tail: the CPU time of the process with and without them. */
final class IdleBench {

    private static final int READERS = 1_000;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Workspace workspace;
    private final Duration time;

    /**
     * @param time how long each is measured
     */
    IdleBench(Workspace workspace, Duration time) {
        this.workspace = workspace;
        this.time = time;
    }

    void run(PrintStream out) {
        workspace.within(directory -> {
            try (LogUnderTest log = LogUnderTest.open(directory, 1, LogSpec.defaults())) {
                log.appendStream(READERS);
                double without = cpuMillis();
                Disposable readers = log.followers(READERS);
                // What they read first is no matter here.
                cpuMillis();
                double with = cpuMillis();
                readers.dispose();
                out.printf(
                        Locale.ROOT,
                        "%n%,d readers at the tail for %.1f s: %.1f ms of CPU time for the process, %.1f ms without them%n",
                        READERS,
                        time.toMillis() / 1000.0,
                        with,
                        without);
            }
        });
    }

    private double cpuMillis() {
        long before = SYSTEM.getProcessCpuTime();
        Mono.delay(time).block();
        return (SYSTEM.getProcessCpuTime() - before) / NANOS_PER_MILLI;
    }
}
