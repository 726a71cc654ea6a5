package io.fluxmark.benchmarks.jmh;

import io.fluxmark.benchmarks.Workload;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Our pipeline and the hand-written loop that it is compared with, for JMH. An invocation is a whole run over as many
 * events as JMH is told that there are operations in it, so a score is ns per event. The time of an iteration is so short
 * that it is one invocation.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(20_000_000)
@Fork(1)
@Warmup(iterations = 1, time = 1, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 1, timeUnit = TimeUnit.MILLISECONDS)
public class WorkloadBenchmark {

    @Param
    @SuppressWarnings("NullAway.Init") // set by JMH before the set-up
    Workload workload;

    long events;

    /** For JMH. */
    public WorkloadBenchmark() {}

    /** Takes the number of events from the operations per invocation. */
    @Setup
    public void setUp(BenchmarkParams parameters) {
        events = parameters.getOpsPerInvocation();
    }

    /** Our pipeline. */
    @Benchmark
    public Object fluxmark() {
        return workload.pipeline(events);
    }

    /** The hand-written loop. */
    @Benchmark
    public Object loop() {
        return workload.loop(events);
    }
}
