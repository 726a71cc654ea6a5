package io.fluxmark.benchmarks.jmh;

import io.fluxmark.benchmarks.BenchOptions;
import io.fluxmark.benchmarks.Workload;
import java.io.PrintStream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Has JMH measure a workload: ours and the loop, each in a JVM of its own with the options of this one. */
public final class JmhBench {

    private JmhBench() {}

    /**
     * Compares the answers on the calling thread, then measures. JMH prints to standard output.
     *
     * @param options the rounds are JMH's iterations
     * @param out gets what came of the comparison
     * @return 0 if the answers are equal, 1 if not; then nothing is measured
     * @throws IllegalArgumentException for more events than JMH can count in an invocation
     * @throws RunnerException if a benchmark fails, or another process of this machine measures with JMH
     */
    public static int run(Workload workload, BenchOptions options, PrintStream out) throws RunnerException {
        ChainedOptionsBuilder settings = settings(workload, options);
        Object ours = workload.pipeline(options.events());
        Object expected = workload.loop(options.events());
        if (!ours.equals(expected)) {
            out.println("DIFFERENT ANSWERS: loop     " + expected);
            out.println("                   Fluxmark " + ours);
            return 1;
        }
        out.println("Answers equal: " + expected);
        new Runner(settings.build()).run();
        return 0;
    }

    static ChainedOptionsBuilder settings(Workload workload, BenchOptions options) {
        if (options.events() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "--events is " + options.events() + ": with --jmh use up to " + Integer.MAX_VALUE);
        }
        return new OptionsBuilder()
                .include(WorkloadBenchmark.class.getName())
                .param("workload", workload.name())
                .operationsPerInvocation((int) options.events())
                .warmupIterations(options.warmups())
                .measurementIterations(options.rounds())
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true);
    }
}
