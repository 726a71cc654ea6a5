package io.fluxmark.benchmarks.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.benchmarks.BenchCommand;
import io.fluxmark.log.LogSpec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import reactor.core.scheduler.Schedulers;

/** What is measured is the same work; no assertion on time. */
class LogBenchTest {

    private static final int RECORDS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 200_000 : 5_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 655", "4, 655", "4, 7"})
    void theLogAndThePlainLoopHoldTheSame(int files, int perBlock) {
        PlainLog plain = new PlainLog(directory, files, perBlock, Schedulers.immediate());
        assertThat(plain.append(RECORDS, Level.INTERVAL)).isEqualTo(RECORDS);
        Contents expected = plain.read();
        assertThat(expected.records()).isEqualTo(RECORDS);
        assertThat(expected.digest()).isNotZero();
        try (LogUnderTest log = LogUnderTest.open(directory.resolve("log"), files, LogSpec.defaults())) {
            assertThat(log.appendStream(RECORDS)).isEqualTo(RECORDS);
            assertThat(log.readRuns()).isEqualTo(expected);
            assertThat(log.readRecords()).isEqualTo(expected);
        }
    }

    @Test
    void aValueInABufferIsTheValueOfItsOwn() {
        ByteBuffer buffer = ByteBuffer.allocate(3 + Payload.BYTES);
        Payload.put(buffer, 3, 77);
        assertThat(Payload.of(77))
                .isEqualTo(java.util.Arrays.copyOfRange(buffer.array(), 3, 3 + Payload.BYTES))
                .isNotEqualTo(Payload.of(78));
        assertThat(Payload.digest(buffer, 3)).isEqualTo(Payload.digest(Payload.of(77)));
    }

    @Test
    void aWholeRunShowsEveryFigureAndLeavesNothing() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int exit = LogBenchCommand.run(
                new LogBenchOptions(RECORDS, 1_000, 1, 3, Duration.ofMillis(1)),
                directory,
                new PrintStream(bytes, true, StandardCharsets.UTF_8));
        String screen = bytes.toString(StandardCharsets.UTF_8);
        System.out.println("log bench: 3 rounds of " + RECORDS + " records, no seed");
        assertThat(exit).as(screen).isZero();
        assertThat(screen)
                .contains("append, os, 1 partition ", "append, interval 10 ms, 4 partitions", "read, runs of 256")
                .contains(
                        "append, sync, 256 appenders",
                        "per fsync",
                        "1,000 readers at the tail",
                        "What was read equals what was written.");
        try (var left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void itIsACommandBelowBench() {
        CommandLine command = new CommandLine(new BenchCommand());
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        assertThat(command.execute("log", "--help")).isZero();
        assertThat(out.toString()).contains("--records", "--appends", "--dir");
        assertThat(command.execute()).isEqualTo(2);
        assertThat(err.toString())
                .contains("WORKLOAD is missing: use tumbling, sliding, session, log, durable or state");
        Path missing = directory.resolve("missing");
        assertThat(command.execute("log", "--dir", missing.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--dir is '" + missing + "', which is no directory: create it");
        assertThatThrownBy(() -> new LogBenchOptions(1, 1_000, 1, 3, Duration.ZERO))
                .hasMessage("--records is 1: use 1000 or more");
    }
}
