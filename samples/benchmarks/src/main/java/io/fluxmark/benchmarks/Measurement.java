package io.fluxmark.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * One run of a contender.
 *
 * @param nanos by the clock
 * @param cpuNanos spent by all threads of the process: the collector's and the compiler's are among them
 * @param bytes allocated by all threads that live on
 * @param outcome what came out
 */
public record Measurement(long nanos, long cpuNanos, long bytes, Object outcome) {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Runs it once, behind a collection of garbage. */
    public static Measurement of(Contender contender, long events, Scheduler clock) {
        System.gc();
        long bytes = allocated();
        long cpu = SYSTEM.getProcessCpuTime();
        long start = clock.now(TimeUnit.NANOSECONDS);
        Object outcome = contender.body().apply(events);
        return new Measurement(
                clock.now(TimeUnit.NANOSECONDS) - start,
                SYSTEM.getProcessCpuTime() - cpu,
                allocated() - bytes,
                outcome);
    }

    private static long allocated() {
        return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }

    /** The load of the machine over the last minute. */
    public static double load() {
        return SYSTEM.getSystemLoadAverage();
    }
}
