package io.fluxmark.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.Header;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogCommandTest {

    private static final Duration WAIT = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final LogRuns runs = new LogRuns();

    private LogRuns.Run run(String command, String... options) {
        return runs.run("", LogRuns.on(directory, command, "t", options));
    }

    private LogRuns.Run append(String input, String... options) {
        return runs.run(input, LogRuns.on(directory, "append", "t", options));
    }

    private void create(int partitions) {
        assertThat(run("create", "--partitions", Integer.toString(partitions)).exit())
                .isZero();
    }

    private EventLog open() {
        return EventLog.open(directory, LogSpec.defaults()).block(WAIT);
    }

    @Test
    void helpNamesTheCommandsAndTheirOptions() {
        assertThat(runs.run("", "log", "--help").output())
                .contains("create", "describe", "append", "read", "verify", "dump", "repair", "compact", "delete")
                .contains("Exit codes");
        assertThat(runs.run("", "log", "append", "--help").output())
                .contains("--dir", "--topic", "--key", "--partition", "--durability", "--verbose", "--progress");
        assertThat(runs.run("", "log", "read", "--help").output())
                .contains("--partition", "--from", "--limit", "--follow");
        LogRuns.Run none = runs.run("", "log");
        assertThat(none.exit()).isEqualTo(64);
        assertThat(none.output())
                .contains("use create, describe, append, read, verify, dump, repair, groups, offsets, compact, delete");
    }

    @Test
    void wrongOptionsAreNamedWithTheRemedy() {
        assertRefused(run("read"), "there is no topic 't' in " + directory + ", nor any other");
        assertThat(directory).isEmptyDirectory();
        create(2);
        assertRefused(run("create", "--partitions", "2"), "topic 't' is there already");
        assertRefused(
                runs.run("", LogRuns.on(directory, "create", "a/b", "--partitions", "1")), "'a/b' must be 1 to 200");
        assertRefused(runs.run("", LogRuns.on(directory, "create", "u", "--partitions", "0")), "between 1 and 10000");
        assertRefused(runs.run("", LogRuns.on(directory, "read", "u")), "in " + directory + ", but t: create it");
        assertRefused(run("read", "--partition", "2"), "--partition is 2: topic 't' has 0 to 1");
        assertRefused(run("read", "--from", "7"), "the topic has 2: add --partition");
        assertRefused(run("read", "--from", "first"), "'first' is no place to begin: use earliest");
        assertRefused(run("read", "--from", "time:now"), "'time:now' is no time");
        assertRefused(run("read", "--limit", "0"), "--limit is 0");
        assertRefused(append("", "--partition", "-1"), "--partition is -1");
        assertRefused(append("", "--durability", "always"), "use sync, os or, for example, interval:10ms");
        assertRefused(append("", "--durability", "interval:0ms"), "at least 1 ms");
        assertRefused(append("", "--durability", "interval:soon"), "'soon' is no duration");
        assertRefused(run("offsets"), "--group");
        assertRefused(run("offsets", "--group", "g", "--reset-to", "soon"), "'soon': use earliest, latest");
        assertRefused(run("offsets", "--group", "g", "--reset-to", "3"), "the topic has 2: add --partition");
        assertRefused(run("offsets", "--group", "a/b", "--reset-to", "latest"), "'a/b' must be 1 to 200");
        assertRefused(run("compact"), "created with --compact");
        assertRefused(run("delete"), "add --yes");
        assertThat(directory.resolve("t.topic")).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sync", "os", "interval:10ms"})
    void linesAreAppendedInOrderWithEveryDurability(String durability) {
        create(3);
        int count = 20_000;
        String input = IntStream.range(0, count)
                .mapToObj(i -> "{\"i\":" + i + ",\"k\":\"k" + i % 50 + "\"}\n")
                .collect(Collectors.joining());
        assertThat(append(input, "--key", "/k", "--durability", durability))
                .isEqualTo(new LogRuns.Run(0, "appended 20,000 records\n"));
        try (EventLog log = open()) {
            Topic topic = log.topic("t");
            int[] last = new int[50];
            Arrays.fill(last, -1);
            int total = topic.partitions().stream()
                    .mapToInt(partition -> {
                        var records = partition
                                .readTo(0, partition.endOffset())
                                .collectList()
                                .block(WAIT);
                        records.forEach(record -> {
                            String text = new String(record.requireValue(), StandardCharsets.UTF_8);
                            int i = Integer.parseInt(text.substring(5, text.indexOf(',')));
                            assertThat(i).isGreaterThan(last[i % 50]);
                            last[i % 50] = i;
                            assertThat(partition.id()).isEqualTo(topic.partitionFor(record.key()));
                        });
                        return records.size();
                    })
                    .sum();
            assertThat(total).isEqualTo(count);
        }
    }

    @Test
    void withoutKeysPartitionsTakeTurnsAndOneCanBeChosen() {
        create(2);
        assertThat(append("1\n2\r\n\n3\n4", "--verbose").output()).isEqualTo("0 0\n1 0\n0 1\n1 1\n");
        assertThat(append("5\n", "--verbose", "--partition", "1").output()).isEqualTo("1 2\n");
        assertThat(run("read", "--partition", "1").output().lines())
                .extracting(line -> line.replaceAll(".*\"key\":null,\"value\":(.*),\"headers\":\\{\\}\\}", "$1"))
                .containsExactly("2", "4", "5");
    }

    @Test
    void aBadLineEndsItWithItsNumberAndWhatCameBeforeStays() {
        create(1);
        assertBad(append("{\"k\":1}\n\n{\"k\":2\n{\"k\":3}\n"), "line 3: this is not JSON", "before it: 1 record)");
        assertBad(append("{\"k\":1} {\"k\":2}\n"), "line 1: this is not JSON", "0 records");
        assertBad(append("{\"k\":1}\n{\"j\":2}\n", "--key", "k"), "line 2: it has no field /k to be the key");
        assertBad(append("{\"k\":{}}\n", "--key", "k"), "line 1: it has no text or number in /k to be the key");
        assertBad(append("{\"k\":null}\n", "--key", "k"), "line 1: it has no text or number");
        assertBad(append("\"" + "x".repeat(RecordInput.MAX_LINE) + "\"\n"), "line 1: it has more than 8388608 bytes");
        assertThat(run("read").output().lines()).hasSize(2);
    }

    @Test
    void linesAreAppendedWhileMoreAreToCome() throws Exception {
        create(1);
        PipedInputStream input = new PipedInputStream();
        CompletableFuture<LogRuns.Run> appender;
        try (PipedOutputStream feed = new PipedOutputStream(input)) {
            CompletableFuture<LogRuns.Run> reader =
                    CompletableFuture.supplyAsync(() -> run("read", "--follow", "--limit", "2"));
            appender = CompletableFuture.supplyAsync(
                    () -> runs.run(input, OutputStream.nullOutputStream(), LogRuns.on(directory, "append", "t")));
            feed.write("1\n2\n".getBytes(StandardCharsets.UTF_8));
            feed.flush();
            // The input is still open, and a reader beside it has seen both.
            assertThat(reader.get(30, TimeUnit.SECONDS).output().lines()).hasSize(2);
            assertThat(appender).isNotDone();
        }
        assertThat(appender.get(30, TimeUnit.SECONDS).exit()).isZero();
    }

    @Test
    void whatIsNoJsonOrNoTextIsStillPrinted() {
        try (EventLog log = open()) {
            Topic topic = log.createTopic("t", 1).block(WAIT);
            byte[] binary = {(byte) 0xff, 0, 1};
            for (AppendRecord record : List.of(
                    AppendRecord.to(0, bytes("1"), bytes("{\n \"a\" : 1.50,\n \"b\" : \"x\\ny\" }")),
                    AppendRecord.to(0, binary, binary),
                    AppendRecord.to(0, bytes("gone"), null),
                    AppendRecord.to(0, bytes("plain \"text\""))
                            .withHeaders(List.of(
                                    new Header("h", bytes("1")), new Header("h", null), new Header("i", binary))),
                    AppendRecord.to(0, new byte[0]),
                    AppendRecord.to(0, bytes("1 2")).withSequence("p", 7))) {
                topic.append(record).block(WAIT);
            }
        }
        assertThat(run("read").output().lines().map(line -> line.replaceAll("\"timestamp\":\\d+", "T")))
                .containsExactly(
                        "{\"partition\":0,\"offset\":0,T,\"key\":\"1\",\"value\":{  \"a\" : 1.50,  \"b\" : \"x\\ny\" },\"headers\":{}}",
                        "{\"partition\":0,\"offset\":1,T,\"key\":{\"base64\":\"/wAB\"},\"value\":{\"base64\":\"/wAB\"},\"headers\":{}}",
                        "{\"partition\":0,\"offset\":2,T,\"key\":\"gone\",\"value\":null,\"headers\":{}}",
                        "{\"partition\":0,\"offset\":3,T,\"key\":null,\"value\":\"plain \\\"text\\\"\","
                                + "\"headers\":{\"h\":[\"1\",null],\"i\":{\"base64\":\"/wAB\"}}}",
                        "{\"partition\":0,\"offset\":4,T,\"key\":null,\"value\":\"\",\"headers\":{}}",
                        "{\"partition\":0,\"offset\":5,T,\"key\":null,\"value\":\"1 2\","
                                + "\"headers\":{\"fluxmark-producer\":\"p\",\"fluxmark-sequence\":7}}");
    }

    @Test
    void readingCommandsWorkBesideTheProcessThatHasTheLogOpenAndTheOthersSaySo() {
        create(1);
        append("1\n");
        try (EventLog log = open()) {
            for (String command : List.of("read", "describe", "verify", "dump", "groups")) {
                assertThat(run(command).exit()).as(command).isZero();
            }
            for (LogRuns.Run refused : List.of(
                    append("2\n"),
                    runs.run("", LogRuns.on(directory, "create", "u", "--partitions", "1")),
                    run("repair"),
                    run("offsets", "--group", "g", "--reset-to", "latest"),
                    run("delete", "--yes"))) {
                assertThat(refused.exit()).isEqualTo(70);
                assertThat(refused.output())
                        .contains(directory.resolve("LOCK") + " is locked", "stop the other process first");
            }
            assertThat(log.topic("t").partition(0).endOffset()).isEqualTo(1);
        }
    }

    @Test
    void damageIsTheExitCodeOfReadingToo() throws Exception {
        create(1);
        append("1\n");
        append("2\n");
        Path file = directory.resolve("t-0/00000000000000000000.log");
        byte[] stored = Files.readAllBytes(file);
        stored[65] ^= 1;
        Files.write(file, stored);
        LogRuns.Run read = run("read");
        assertThat(read.exit()).isEqualTo(1);
        assertThat(read.output())
                .contains("fluxmark: segment 00000000000000000000.log of partition t/0 is damaged at byte 0");
        assertThat(run("describe").output()).contains("damaged");
        assertThat(run("read", "--from", "1").output()).contains("\"offset\":1");
        assertThat(run("verify", "--progress").exit()).isEqualTo(1);
    }

    @Test
    void whoeverReadsTheResultsMayStopAtAnyTime() {
        create(1);
        append(IntStream.range(0, 5_000).mapToObj(i -> i + "\n").collect(Collectors.joining()));
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        for (String command : List.of("read", "dump", "describe", "verify")) {
            LogRuns.Run run =
                    runs.run(new ByteArrayInputStream(new byte[0]), closed, LogRuns.on(directory, command, "t"));
            assertThat(run.exit()).as(command).isZero();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void assertRefused(LogRuns.Run run, String reason) {
        assertThat(run.exit()).as(run.output()).isEqualTo(64);
        assertThat(run.output()).startsWith("fluxmark: ").contains(reason);
    }

    private static void assertBad(LogRuns.Run run, String... reasons) {
        assertThat(run.exit()).as(run.output()).isEqualTo(65);
        assertThat(run.output()).startsWith("fluxmark: ").contains(reasons);
    }
}
