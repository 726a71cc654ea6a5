package io.fluxmark.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * One run of a contender.
 *
 * @param nanos by the clock
 * @param cpuNanos spent by the thread, without the collector's and the compiler's
 * @param bytes allocated by the thread
 * @param outcome what came out
 */
record Measurement(long nanos, long cpuNanos, long bytes, Object outcome) {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static Measurement of(Contender contender, long events, Scheduler clock) {
        System.gc();
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long cpu = THREADS.getCurrentThreadCpuTime();
        long start = clock.now(TimeUnit.NANOSECONDS);
        Object outcome = contender.body().apply(events);
        return new Measurement(
                clock.now(TimeUnit.NANOSECONDS) - start,
                THREADS.getCurrentThreadCpuTime() - cpu,
                THREADS.getCurrentThreadAllocatedBytes() - bytes,
                outcome);
    }
}
