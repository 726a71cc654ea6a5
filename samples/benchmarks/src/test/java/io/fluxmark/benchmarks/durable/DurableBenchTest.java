package io.fluxmark.benchmarks.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.benchmarks.Answer;
import io.fluxmark.benchmarks.BenchOptions;
import io.fluxmark.benchmarks.Workload;
import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.windows.CheckpointSpec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import reactor.core.scheduler.Schedulers;

/** What is measured is the same work; no assertion on time. */
class DurableBenchTest {

    private static final long EVENTS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 1_000_000 : 50_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aJobWritesWhatTheLoopFinds(int partitions) {
        Object expected = Workload.TUMBLING.loop(EVENTS);
        try (FilledLog log =
                FilledLog.in(directory.resolve("log"), partitions, Workload.TUMBLING.generator(), EVENTS)) {
            try (DurableJob job = DurableJob.open(directory.resolve("store"), log, Workload.TUMBLING.windows())) {
                job.runToEnd(CheckpointSpec.every(Duration.ofMillis(20)));
                Answer answer = job.answer();
                if (partitions == 1) {
                    assertThat(answer).isEqualTo(expected);
                } else {
                    // Each partition has a watermark of its own: fewer events are late.
                    assertThat(answer.results()).isEqualTo(((Answer) expected).results());
                }
                assertThat(job.commits()).isPositive();
            }
        }
    }

    @Test
    void aJobThatWasLeftReadsAgainWhatItHadNotCommitted() throws Exception {
        List<Recovery.Sample> samples = new Recovery(new Workspace(directory), Schedulers.immediate())
                .of(1_000, EVENTS / 2, List.of(0L, EVENTS / 4, EVENTS / 2), store -> {});
        assertThat(samples).extracting(Recovery.Sample::replayed).containsExactly(0L, EVENTS / 4, EVENTS / 2);
        assertThat(samples).allSatisfy(sample -> assertThat(sample.nanos()).isGreaterThanOrEqualTo(sample.openNanos()));
        try (var left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aWholeRunShowsEveryFigureAndLeavesNothing() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int exit = new DurableBench(
                        new BenchOptions(EVENTS, 1, 3),
                        Schedulers.immediate(),
                        new PrintStream(bytes, true, StandardCharsets.UTF_8),
                        new Workspace(directory),
                        1)
                .run();
        String screen = bytes.toString(StandardCharsets.UTF_8);
        System.out.println("durable bench: 3 rounds of " + EVENTS + " events, no seed");
        assertThat(exit).as(screen).isZero();
        assertThat(screen)
                .contains("in memory, no log", "from the log, no job", "job, 100 ms, time alone", "stop-the-world")
                .contains("to memory", "commits", "Answers equal", "Recovery", "replayed", "1,000,000");
        try (var left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void keysDividedAmongLanesGiveTheAnswerOfOneLane() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int exit = new ParallelBench(
                        new BenchOptions(EVENTS, 1, 3),
                        Schedulers.immediate(),
                        new PrintStream(bytes, true, StandardCharsets.UTF_8),
                        new Workspace(directory),
                        3,
                        2)
                .run();
        String screen = bytes.toString(StandardCharsets.UTF_8);
        System.out.println("parallel bench: 3 rounds of " + EVENTS + " events, no seed");
        assertThat(exit).as(screen).isZero();
        assertThat(screen).contains("one lane", "keys divided among 2", "to one", "Answers equal");
        try (var left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aMergeOfOnePartitionIsBadUsage() {
        int exit = new CommandLine(new ParallelBenchCommand())
                .setErr(new java.io.PrintWriter(new java.io.StringWriter()))
                .execute("--partitions", "1", "--dir", directory.toString());
        assertThat(exit).isEqualTo(2);
    }

    @Test
    void aDirectoryThatIsNotThereIsBadUsage() {
        int exit = new CommandLine(new DurableBenchCommand())
                .setErr(new java.io.PrintWriter(new java.io.StringWriter()))
                .execute("--dir", directory.resolve("none").toString());
        assertThat(exit).isEqualTo(2);
    }
}
