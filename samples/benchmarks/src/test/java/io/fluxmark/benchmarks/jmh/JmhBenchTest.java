package io.fluxmark.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.benchmarks.BenchCommand;
import io.fluxmark.benchmarks.BenchOptions;
import io.fluxmark.benchmarks.Workload;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;

/** What JMH is given and what it makes of it, in this JVM; no assertion on time. */
class JmhBenchTest {

    private static final int EVENTS = 5_000;
    private static final int ROUNDS = 3;

    static {
        // Read when JMH's runner is loaded: these tests measure nothing, so another JMH on this machine is no matter.
        System.setProperty("jmh.ignoreLock", "true");
    }

    @ParameterizedTest
    @EnumSource
    void bothBenchmarksAnswerTheSame(Workload workload) {
        WorkloadBenchmark benchmark = new WorkloadBenchmark();
        benchmark.workload = workload;
        benchmark.events = EVENTS;
        assertThat(benchmark.fluxmark()).isEqualTo(benchmark.loop()).isEqualTo(workload.loop(EVENTS));
    }

    @ParameterizedTest
    @EnumSource
    void bothBenchmarksRunAndAreScoredPerEvent(Workload workload) throws RunnerException {
        Collection<RunResult> results = new Runner(JmhBench.settings(workload, new BenchOptions(EVENTS, 1, ROUNDS))
                        .forks(0)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results)
                .extracting(result -> result.getPrimaryResult().getLabel())
                .containsExactlyInAnyOrder("fluxmark", "loop");
        for (RunResult result : results) {
            assertThat(result.getParams().getParam("workload")).isEqualTo(workload.name());
            assertThat(result.getPrimaryResult().getScoreUnit()).isEqualTo("ns/op");
            assertThat(result.getSecondaryResults().keySet()).anyMatch(name -> name.endsWith("gc.alloc.rate.norm"));
            assertThat(result.getAggregatedResult().getIterationResults())
                    .hasSize(ROUNDS)
                    .allSatisfy(iteration -> assertThat(iteration.getMetadata().getMeasuredOps() % EVENTS)
                            .isZero());
        }
    }

    @Test
    void moreEventsThanJmhCanCountAreRefused() {
        assertThatThrownBy(() -> JmhBench.run(Workload.SLIDING, new BenchOptions(1L << 31, 1, 3), System.out))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--events is 2147483648: with --jmh use up to 2147483647");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--run-size=1", "--publish-on", "--demand=256", "--variants", "--keys=10k"})
    void whatJmhDoesNotMeasureIsRefused(String option) {
        StringWriter err = new StringWriter();
        int exit = new CommandLine(new BenchCommand())
                .setErr(new PrintWriter(err))
                .execute("tumbling", "--jmh", "--events=10", option);
        assertThat(exit).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(err.toString()).contains("--jmh measures ours plain: leave out");
    }
}
