package io.fluxmark.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.aggregate.frontier.FrontierRun;
import io.fluxmark.aggregate.frontier.FrontierSettings;
import io.fluxmark.aggregate.input.Field;
import io.fluxmark.aggregate.run.InputSettings;
import io.fluxmark.aggregate.value.Term;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrontierCommandTest {

    @TempDir
    private Path directory;

    private List<String> csv(String events, String... options) throws IOException {
        Path input = Files.writeString(directory.resolve("events.csv"), events);
        Path csv = directory.resolve("frontier.csv");
        StringWriter err = new StringWriter();
        String[] all = new String[options.length + 6];
        System.arraycopy(
                new String[] {"--input", input.toString(), "--time", "t", "--csv", csv.toString()}, 0, all, 0, 6);
        System.arraycopy(options, 0, all, 6, options.length);
        assertThat(Aggregated.execute(new FrontierCommand(), err, all))
                .as(err.toString())
                .isZero();
        return Files.readAllLines(csv);
    }

    @Test
    void completenessLatencyAndLateEventsOfEachDelay() throws IOException {
        String events = "t,at\n1,100\n12,110\n5,120\n25,130\n8,140\n40,150\n";
        List<String> lines =
                csv(events, "--arrival", "at", "--window", "tumbling:10ms", "--delays", "0,2ms,3ms,15ms,16ms");
        assertThat(lines)
                .containsExactly(
                        "delay_ms,completeness,late_events,later_than_delay,latency_p50_ms_arrival_clock,"
                                + "latency_p99_ms_arrival_clock,emissions,at_end",
                        "0,0.666667,2,0.333333,110,120,3,1",
                        "2,0.666667,2,0.333333,110,120,3,1",
                        "3,0.833333,1,0.333333,120,120,3,1",
                        "15,0.833333,1,0.166667,120,130,2,2",
                        "16,1.000000,0,0.166667,130,140,2,2");
    }

    @Test
    void withoutArrivalsTheClockIsTheLargestEventTime() throws IOException {
        List<String> lines = csv("t\n1\n12\n5\n25\n", "--window", "tumbling:10ms", "--delays", "0,3ms");
        assertThat(lines.get(0)).contains("latency_p50_ms_event_clock_lower_bound");
        assertThat(lines.subList(1, 3))
                .containsExactly("0,0.750000,1,0.250000,2,5,2,1", "3,1.000000,0,0.250000,5,15,2,1");
    }

    @Test
    void sessionsAndSlidingWindows() throws IOException {
        String events = "t\n1\n12\n5\n25\n";
        assertThat(csv(events, "--window", "session:4ms", "--delays", "0,6ms,7ms")
                        .subList(1, 4))
                .extracting(line -> line.split(",", -1)[1])
                .containsExactly("0.750000", "0.750000", "1.000000");
        assertThat(csv(events, "--window", "sliding:10ms/5ms", "--delays", "0").get(1))
                .startsWith("0,0.875000,1,");
    }

    @Test
    void aPlotIsWritten() throws IOException {
        Path png = directory.resolve("frontier.png");
        csv("t\n1\n12\n5\n25\n", "--window", "tumbling:10ms", "--png", png.toString());
        assertThat(Files.readAllBytes(png)).startsWith(0x89, 'P', 'N', 'G');
    }

    /** Behind 1,000 events in a time of 20 s, of which one in a hundred is 500 ms late and another 9 s. */
    @Test
    void aDelayThatIsFoundFromTheEventsIsAPointOfTheCurve() throws IOException {
        StringBuilder events = new StringBuilder("t,at\n");
        for (int i = 0; i < 4_000; i++) {
            int late = i % 100 == 50 ? 500 : i % 100 == 99 ? 9_000 : 0;
            events.append(20 * i - late).append(',').append(20 * i).append('\n');
        }
        Path png = directory.resolve("auto.png");
        List<String> lines = csv(
                events.toString(),
                "--arrival",
                "at",
                "--window",
                "tumbling:1s",
                "--delays",
                "0,500ms,10s",
                "--auto",
                "99%",
                "--png",
                png.toString());
        assertThat(lines).hasSize(5);
        String[] half = lines.get(2).split(",", -1);
        String[] longest = lines.get(3).split(",", -1);
        String[] auto = lines.get(4).split(",", -1);
        assertThat(auto[0]).isEqualTo("auto 99%");
        assertThat(Double.parseDouble(auto[1])).isBetween(Double.parseDouble(half[1]), Double.parseDouble(longest[1]));
        assertThat(Double.parseDouble(auto[3])).as("behind the watermark").isBetween(0.005, 0.01);
        assertThat(Long.parseLong(auto[4])).isBetween(Long.parseLong(half[4]), Long.parseLong(half[4]) + 20);
        assertThat(Files.readAllBytes(png)).startsWith(0x89, 'P', 'N', 'G');
    }

    private String report(String events, double auto) throws IOException {
        Path input = Files.writeString(directory.resolve("events.csv"), events);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        InputSettings read = new InputSettings(
                input.toString(),
                null,
                Field.of("t"),
                null,
                null,
                null,
                List.of(),
                List.of(),
                null,
                1,
                Term.parse("count"),
                false);
        FrontierSettings settings = new FrontierSettings(
                read,
                WindowText.parse("tumbling:1s"),
                "tumbling:1s",
                List.of(Duration.ofSeconds(2)),
                List.of(auto),
                Duration.ofHours(1),
                false,
                null,
                null);
        PrintWriter err = new PrintWriter(new StringWriter());
        FrontierRun.run(settings, new Terminal(InputStream.nullInputStream(), out, err, false));
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theReportTellsWhatWasChosenAndWhatWouldHaveBeenBest() throws IOException {
        StringBuilder events = new StringBuilder("t\n");
        for (int i = 0; i < 400; i++) {
            events.append(20 * i - (i % 5 < 2 ? 20 * (i % 5) + 20 + 100 : 0)).append('\n');
        }
        assertThat(report(events.toString(), 0.8))
                .containsPattern("auto 80% +\\d+\\.\\d+ %")
                .contains(
                        "auto 80%: 100.000 % in time, with a delay of 100ms in the end, changed 1 times; in hindsight the"
                                + " best fixed one is 100ms");
        assertThat(report("t\n1\n2\n", 0.999))
                .contains(
                        "auto 99.9%: too few events, or too short a time, to choose: the longest delay, 2s, to the end; in"
                                + " hindsight 0 would have been enough");
    }

    @Test
    void aShareThatIsNoneIsRefused() throws IOException {
        Path input = Files.writeString(directory.resolve("events.csv"), "t\n1\n");
        for (String[] wrong :
                new String[][] {{"all", "'all' is no percentage"}, {"100%", "'100%' is not between 50% and 99.9999%"}
                }) {
            StringWriter err = new StringWriter();
            assertThat(Aggregated.execute(
                            new FrontierCommand(), err, "--input", input.toString(), "--time", "t", "--auto", wrong[0]))
                    .isEqualTo(64);
            assertThat(err.toString()).contains("--auto " + wrong[0]).contains(wrong[1]);
        }
        StringWriter err = new StringWriter();
        String[] noDelay = {"--input", input.toString(), "--time", "t", "--auto", "99.9%", "--delays", "0"};
        assertThat(Aggregated.execute(new FrontierCommand(), err, noDelay)).isEqualTo(64);
        assertThat(err.toString()).contains("the longest of --delays, which is 0");
    }

    @Test
    void windowsForWhichNothingIsLateAreRefused() throws IOException {
        Path input = Files.writeString(directory.resolve("events.csv"), "t\n1\n");
        StringWriter err = new StringWriter();
        assertThat(Aggregated.execute(
                        new FrontierCommand(), err, "--input", input.toString(), "--time", "t", "--window", "count:5"))
                .isEqualTo(64);
        assertThat(err.toString()).contains("delays change nothing");
        assertThat(Aggregated.execute(
                        new FrontierCommand(), err, "--input", input.toString(), "--time", "t", "--delays", "5s,soon"))
                .isEqualTo(64);
        assertThat(err.toString()).contains("'soon' is no duration");
    }
}
