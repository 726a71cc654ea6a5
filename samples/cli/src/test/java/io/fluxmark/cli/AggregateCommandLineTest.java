package io.fluxmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AggregateCommandLineTest {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String events = "";

    @BeforeEach
    void writeEvents() throws IOException {
        Path file = directory.resolve("events.csv");
        Files.writeString(file, "time,host,bytes\n1,a,5\n12,a,7\nx,a,1\n");
        events = file.toString();
    }

    private int run(String... args) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(args);
    }

    private String firstLine() {
        return err.toString().lines().findFirst().orElse("");
    }

    private void assertRefused(String reason, String... options) {
        err.getBuffer().setLength(0);
        String[] args = new String[options.length + 5];
        System.arraycopy(new String[] {"aggregate", "--input", events, "--time", "time"}, 0, args, 0, 5);
        System.arraycopy(options, 0, args, 5, options.length);
        assertThat(run(args)).as(err.toString()).isEqualTo(64);
        assertThat(firstLine()).startsWith("fluxmark: ").contains(reason);
    }

    @Test
    void helpNamesEveryOption() {
        assertThat(run("aggregate", "--help")).isZero();
        assertThat(out.toString())
                .contains("--input", "--format", "--time", "--time-unit", "--arrival", "--sort-by", "--key", "--window")
                .contains("--agg", "--delay", "--lateness", "--late", "--late-output", "--accumulate", "--early")
                .contains("--early-count", "--idle", "--follow-clock", "--max-ahead", "--partitions", "--partition-by")
                .contains("--global", "--request", "--run-size", "--check-batch", "--explain", "--fail-fast")
                .contains("--summary", "--output", "zcat access.log.gz");
        assertThat(run("frontier", "--help")).isZero();
        assertThat(out.toString()).contains("--delays", "--png", "99.9 %");
    }

    @Test
    void aFileThatIsNotThereIsNamedFirst() {
        for (String command : new String[] {"aggregate", "frontier"}) {
            err.getBuffer().setLength(0);
            assertThat(run(command, "--input", "none.csv", "--time", "t", "--window", "tumbling:1s"))
                    .isEqualTo(64);
            assertThat(firstLine())
                    .isEqualTo(
                            "fluxmark: there is no file none.csv: give --input an event file, or - for standard input");
        }
    }

    @Test
    void anUnknownFieldIsNamedWithTheKnownOnes() {
        assertRefused("no field 'hots': it has time, host, bytes", "--window", "tumbling:1s", "--key", "hots");
        assertRefused("no field 'size'", "--window", "tumbling:1s", "--agg", "sum:size");
    }

    @Test
    void wrongOptionsAreNamedWithTheRemedy() {
        assertRefused("sliding:10s/2s", "--window", "hopping:10s");
        assertRefused("'soon' is no duration", "--window", "tumbling:1s", "--delay", "soon");
        assertRefused("ms, s, us or iso", "--window", "tumbling:1s", "--time-unit", "ns");
        assertRefused("avg:F", "--window", "tumbling:1s", "--agg", "median:bytes");
        assertRefused("json:/features", "--window", "tumbling:1s", "--format", "xml");
        assertRefused("--late side", "--window", "tumbling:1s", "--late", "drop", "--late-output", "x");
        assertRefused("add --partition-by", "--window", "tumbling:1s", "--partitions", "2");
        assertRefused("use 1 or more", "--window", "tumbling:1s", "--partitions", "0");
        assertRefused("use one of them", "--window", "tumbling:1s", "--early", "1s", "--early-count", "2");
        assertRefused("use 1 to 256", "--window", "tumbling:1s", "--run-size", "257");
        assertRefused("use 1 or more", "--window", "tumbling:1s", "--request", "0");
        assertRefused("--window", "--agg", "count");
        assertRefused("S23", "--window", "session:5s", "--early", "1s", "--accumulate", "discard");
        assertRefused(
                "create it first",
                "--window",
                "tumbling:1s",
                "--summary",
                directory.resolve("none/x").toString());
        assertRefused("is the input", "--window", "tumbling:1s", "--output", events);
        assertRefused("is a directory", "--window", "tumbling:1s", "--late-output", directory.toString());
        assertRefused("RETRACT", "--window", "tumbling:1s", "--accumulate", "sometimes");
    }

    @Test
    void aBadLineIsNotFatalUnlessAskedFor() {
        String output = directory.resolve("out").toString();
        String[] args = {
            "aggregate", "--input", events, "--time", "time", "--window", "tumbling:10ms", "--output", output
        };
        assertThat(run(args)).isZero();
        assertThat(firstLine()).isEqualTo("fluxmark: line 4 is rejected: the time 'x' is no number of ms");

        err.getBuffer().setLength(0);
        String[] failFast = java.util.Arrays.copyOf(args, args.length + 1);
        failFast[args.length] = "--fail-fast";
        assertThat(run(failFast)).isEqualTo(65);
        assertThat(firstLine()).startsWith("fluxmark: line 4 is rejected");
    }

    @Test
    void standardInputIsReadPlainAndPacked() throws IOException {
        String log = "h - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 12\n";
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(log.getBytes(StandardCharsets.UTF_8));
        }
        InputStream before = System.in;
        try {
            for (byte[] input : new byte[][] {log.getBytes(StandardCharsets.UTF_8), packed.toByteArray()}) {
                System.setIn(new ByteArrayInputStream(input));
                Path output = directory.resolve("out");
                assertThat(run(
                                "aggregate",
                                "--format",
                                "clf",
                                "--time",
                                "time",
                                "--window",
                                "tumbling:1h",
                                "--agg",
                                "count,sum:bytes",
                                "--output",
                                output.toString()))
                        .as(err.toString())
                        .isZero();
                assertThat(Files.readAllLines(output))
                        .singleElement()
                        .asString()
                        .contains("\"start\":1431856800000", "{\"count\":1,\"sum:bytes\":12}");
            }
        } finally {
            System.setIn(before);
        }
    }
}
