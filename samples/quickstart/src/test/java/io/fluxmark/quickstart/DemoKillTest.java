package io.fluxmark.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Partition;
import io.fluxmark.quickstart.plain.FlightsFile;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo, halted right after durable commits and run again on the same data. */
class DemoKillTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int[] KILLS = {1, 3, 7, 20};
    private static final int FLIGHTS = FlightsFile.bundled().size();

    @TempDir
    private Path directory;

    @Test
    void afterEveryKillTheSameScreenAndEveryRowOnceInTheLog() throws Exception {
        Path calm = directory.resolve("calm");
        assertThat(demo(calm, 0)).isZero();
        List<String> screen = screen(calm);
        assertThat(screen).anyMatch(line -> line.startsWith("The output equals the batch result"));

        for (List<Integer> kills : plans()) {
            Path data = directory.resolve("kills-" + kills.get(0));
            for (int kill : kills) {
                assertThat(demo(data, kill))
                        .as("exit code with --kill-after %s", kill)
                        .isEqualTo(137);
            }
            assertThat(demo(data, 0)).as("exit code after kills at %s", kills).isZero();
            assertThat(screen(data)).isEqualTo(screen);
            assertThat(rowsOf(data)).as("distinct rows of the log").isEqualTo(FLIGHTS);
            System.out.println("kills after commits " + kills + ": same screen, " + FLIGHTS + " rows once each");
        }
    }

    @Test
    void aSecondRunOnFinishedDataShowsTheSameScreen() throws Exception {
        Path data = directory.resolve("twice");
        assertThat(demo(data, 0)).isZero();
        List<String> screen = screen(data);

        assertThat(demo(data, 0)).isZero();
        assertThat(screen(data)).isEqualTo(screen);
    }

    /** The small tier kills one run after the other on the same data; the thorough one starts anew for each. */
    private static List<List<Integer>> plans() {
        List<Integer> all = IntStream.of(KILLS).boxed().toList();
        return System.getProperty("fluxmark.tier", "small").equals("small")
                ? List.of(all)
                : all.stream().map(List::of).toList();
    }

    private static int demo(Path data, int killAfter) throws IOException, InterruptedException {
        Files.createDirectories(data);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path").replace(File.pathSeparator + File.pathSeparator, ""),
                DemoProcess.class.getName(),
                data.toString(),
                Integer.toString(killAfter)));
        Process process = new ProcessBuilder(command)
                .redirectOutput(data.resolve("screen.txt").toFile())
                .redirectError(data.resolve("errors.txt").toFile())
                .start();
        try {
            assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .as("the demo ends; so far: %s", Files.readString(data.resolve("errors.txt")))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return process.exitValue();
    }

    private static List<String> screen(Path data) throws IOException {
        return Files.readAllLines(data.resolve("screen.txt"), StandardCharsets.UTF_8);
    }

    /** How many different rows the log holds; fails if one is there twice. */
    private static int rowsOf(Path data) {
        BitSet rows = new BitSet();
        EventLog log = EventLog.open(data.resolve("log")).block(TIMEOUT);
        try {
            for (Partition partition : log.topic("flights").partitions()) {
                partition
                        .readTo(0, partition.endOffset())
                        .doOnNext(record -> note(record, rows))
                        .blockLast(TIMEOUT);
            }
        } finally {
            log.close();
        }
        return rows.cardinality();
    }

    private static void note(LogRecord record, BitSet rows) {
        int row = record.headers().stream()
                .filter(header -> header.name().equals("ce_id"))
                .map(header -> Integer.parseInt(new String(header.value(), StandardCharsets.UTF_8)))
                .findFirst()
                .orElseThrow();
        assertThat(rows.get(row)).as("row %s is in the log twice", row).isFalse();
        rows.set(row);
    }
}
