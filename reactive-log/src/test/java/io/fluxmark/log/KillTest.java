package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A process that appends is killed, over and over, and goes on in the same log from what it knows was acknowledged, so that what was
 * under way is sent again: every acknowledged record is there, at its offset, and none is there twice.
 */
class KillTest {

    private static final int KILLS = Logs.thorough() ? 100 : 4;
    private static final long SEED = 77;
    private static final int PARTITIONS = 3;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"sync", "interval", "os"})
    void killedProcessLosesNothingAcknowledgedAndDoublesNothing(String level) throws Exception {
        Random random = new Random(SEED);
        Path place = Files.createDirectory(directory.resolve("log"));
        long[] acknowledged = new long[PARTITIONS];
        long[] ends = new long[PARTITIONS];
        long unknown = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            killOne(place, level, random, acknowledged);
            try (EventLog log = Logs.open(place)) {
                for (int p = 0; p < PARTITIONS; p++) {
                    Partition partition = log.topic(Logs.TOPIC).partition(p);
                    String as = level + ", kill " + kill + ", partition " + p + ", seed " + SEED;
                    assertThat(partition.damage()).as(as).isEmpty();
                    assertThat(partition.endOffset()).as(as).isGreaterThanOrEqualTo(acknowledged[p]);
                    assertThat(partition.highestSequence(Child.producer(p)).orElse(-1))
                            .as(as)
                            .isEqualTo(partition.endOffset() - 1);
                    assertHoldsWhatWasSent(partition, ends[p], as);
                    unknown += partition.endOffset() - acknowledged[p];
                    ends[p] = partition.endOffset();
                }
            }
        }
        try (EventLog log = Logs.open(place)) {
            for (Partition partition : log.topic(Logs.TOPIC).partitions()) {
                assertHoldsWhatWasSent(partition, 0, level + ", at the end");
                assertThat(partition.verify().collectList().block(Logs.WAIT)).isEmpty();
            }
        }
        assertThat(unknown).as("kills hit appends under way").isPositive();
        System.out.printf(
                "log kills: %s, %d kills, %d records, %d of them stored and not acknowledged when killed, seed %d%n",
                level, KILLS, Arrays.stream(ends).sum(), unknown, SEED);
    }

    private static void assertHoldsWhatWasSent(Partition partition, long from, String as) {
        long[] next = {from};
        partition
                .readTo(from, partition.endOffset())
                .doOnNext(record -> {
                    assertThat(record.offset()).as(as).isEqualTo(next[0]);
                    assertThat(record.value()).as(as).isEqualTo(Child.value(next[0]));
                    next[0]++;
                })
                .blockLast(Logs.WAIT);
        assertThat(next[0]).as(as).isEqualTo(partition.endOffset());
    }

    /** Starts a process, kills it after some acknowledgements, and notes all of them. */
    private static void killOne(Path place, String level, Random random, long[] acknowledged) throws Exception {
        Process child = start(place, level, acknowledged);
        int lines = 1 + random.nextInt(200);
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            for (int i = 0; i < lines; i++) {
                note(out.readLine(), acknowledged);
            }
            // Through the handle, because Process.destroyForcibly also closes our end of the pipe.
            child.toHandle().destroyForcibly();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                note(line, acknowledged);
            }
        }
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    /** A line is a partition, the number of records acknowledged, and a dot that tells that it is whole. */
    private static void note(String line, long[] acknowledged) {
        assertThat(line).as("the child ended by itself").isNotNull();
        String[] parts = line.split(" ", -1);
        if (parts.length == 3 && parts[2].equals(".")) {
            acknowledged[Integer.parseInt(parts[0])] = Long.parseLong(parts[1]);
        }
    }

    private static Process start(Path place, String level, long[] acknowledged) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        place.toString(),
                        level,
                        Long.toString(acknowledged[0]),
                        Long.toString(acknowledged[1]),
                        Long.toString(acknowledged[2]))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Appends for ever, to each partition in another way, from the sequences it is given on. */
    static final class Child {

        private static final int MOST_BYTES = 300;

        private Child() {}

        public static void main(String[] args) {
            LogSpec spec = LogSpec.defaults()
                    .durability(
                            switch (args[1]) {
                                case "sync" -> Durability.SYNC;
                                case "os" -> Durability.OS;
                                default -> Durability.interval(Duration.ofMillis(2));
                            })
                    .segmentBytes(64 << 10)
                    .batchBytes(4 << 10);
            try (EventLog log = Logs.open(Path.of(args[0]), spec)) {
                Topic topic = log.createTopic(Logs.TOPIC, PARTITIONS).block(Logs.WAIT);
                Flux.merge(
                                topic.append(numbers(args[2]).map(i -> record(0, i)))
                                        .buffer(50)
                                        .map(results -> results.get(results.size() - 1)),
                                numbers(args[3]).concatMap(i -> topic.append(record(1, i))),
                                numbers(args[4]).buffer(7).concatMap(some -> topic.append(some.stream()
                                                .map(i -> record(2, i))
                                                .toList())
                                        .map(results -> results.get(results.size() - 1))))
                        .doOnNext(Child::print)
                        .then(Mono.never())
                        .block();
            }
        }

        private static void print(AppendResult last) {
            System.out.println(last.partition() + " " + (last.offset() + 1) + " .");
        }

        private static Flux<Long> numbers(String first) {
            return Flux.generate(() -> Long.parseLong(first), (next, sink) -> {
                sink.next(next);
                return next + 1;
            });
        }

        private static AppendRecord record(int partition, long number) {
            return AppendRecord.to(partition, value(number)).withSequence(producer(partition), number);
        }

        static String producer(int partition) {
            return "producer " + partition;
        }

        static byte[] value(long number) {
            byte[] value = new byte[8 + (int) (number % MOST_BYTES)];
            java.nio.ByteBuffer.wrap(value).putLong(number);
            return value;
        }
    }
}
