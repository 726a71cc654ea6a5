package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Shorthand of the tests. */
final class Logs {

    static final Duration WAIT = Duration.ofSeconds(30);
    static final String TOPIC = "t";

    private Logs() {}

    static boolean thorough() {
        return System.getProperty("fluxmark.tier", "small").equals("thorough");
    }

    static EventLog open(Path directory, LogSpec spec) {
        return EventLog.open(directory, spec).block(WAIT);
    }

    static EventLog open(Path directory) {
        return open(directory, LogSpec.defaults());
    }

    static Topic topic(EventLog log) {
        return log.createTopic(TOPIC, 1).block(WAIT);
    }

    static Partition partition(EventLog log) {
        return topic(log).partition(0);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static AppendRecord record(int i) {
        return AppendRecord.to(0, bytes("k" + i), bytes("value-" + i));
    }

    static AppendRecord record(String producer, long sequence) {
        return AppendRecord.to(0, bytes(producer + "-" + sequence)).withSequence(producer, sequence);
    }

    static List<AppendResult> append(Topic topic, AppendRecord... records) {
        return topic.append(List.of(records)).block(WAIT);
    }

    /** Each record in an append, hence in a batch, of its own. */
    static void appendEach(Topic topic, int from, int to) {
        IntStream.range(from, to).forEach(i -> append(topic, record(i)));
    }

    static List<LogRecord> readAll(Partition partition) {
        return partition
                .readTo(partition.beginOffset(), partition.endOffset())
                .collectList()
                .block(WAIT);
    }

    static List<String> values(List<LogRecord> records) {
        return records.stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    static List<String> expectedValues(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "value-" + i).toList();
    }

    static Path partitionDirectory(Path log) {
        return log.resolve(TOPIC + "-0");
    }

    static Path metadataFile(Path log) {
        return LogLayout.metadataFile(log, TOPIC);
    }

    static List<Long> segmentBases(Path log) {
        try (Stream<Path> files = Files.list(partitionDirectory(log))) {
            return files.map(file -> RecordLayout.baseOffsetOf(String.valueOf(file.getFileName())))
                    .filter(base -> base >= 0)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path segment(Path log, long base) {
        return partitionDirectory(log).resolve(RecordLayout.segmentName(base));
    }
}
