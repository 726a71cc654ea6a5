package io.fluxmark.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
