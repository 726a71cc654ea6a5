package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLogTest {

    private static final Duration WAIT = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    @Test
    void whatIsAppendedIsReadBackInOrderAndAfterReopening() {
        try (EventLog log = EventLog.open(directory).block(WAIT)) {
            Topic topic = log.createTopic("orders", 3).block(WAIT);
            List<AppendRecord> records = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                records.add(AppendRecord.of(bytes("key" + i % 17), bytes("value" + i))
                        .withHeaders(List.of(new Header("h", bytes("x" + i)))));
            }
            List<AppendResult> results = topic.append(records).block(WAIT);
            assertThat(results).hasSize(1000);
            assertAllThere(topic, records, results);
        }
        try (EventLog log = EventLog.open(directory).block(WAIT)) {
            Topic topic = log.topic("orders");
            assertThat(topic.partitions().stream()
                            .mapToLong(Partition::endOffset)
                            .sum())
                    .isEqualTo(1000);
        }
    }

    @Test
    void creatingATopicAgainAnswersItUnlessThePartitionsDiffer() {
        try (EventLog log = EventLog.open(directory).block(WAIT)) {
            Topic topic = log.createTopic("a", 2).block(WAIT);
            assertThat(log.createTopic("a", 2).block(WAIT)).isSameAs(topic);
            assertThatThrownBy(() -> log.createTopic("a", 3).block(WAIT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2")
                    .hasMessageContaining("3");
            for (String bad : List.of("", ".", "..", "a/b", "ä", "x".repeat(201))) {
                assertThatThrownBy(() -> log.createTopic(bad, 1)).isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> log.topic("nope"))
                    .isInstanceOf(UnknownTopicException.class)
                    .hasMessageContaining("nope")
                    .hasMessageContaining("[a]");
        }
    }

    @Test
    void aLogIsOpenOnceAtATime() {
        EventLog log = EventLog.open(directory).block(WAIT);
        assertThatThrownBy(() -> EventLog.open(directory).block(WAIT)).isInstanceOf(LogLockedException.class);
        log.close();
        log.close();
        EventLog.open(directory).block(WAIT).close();
        assertThatThrownBy(() -> log.createTopic("a", 1).block(WAIT)).isInstanceOf(LogClosedException.class);
    }

    private static void assertAllThere(Topic topic, List<AppendRecord> records, List<AppendResult> results) {
        for (Partition partition : topic.partitions()) {
            List<LogRecord> read =
                    partition.readTo(0, partition.endOffset()).collectList().block(WAIT);
            List<LogRecord> expected = new ArrayList<>();
            for (int i = 0; i < records.size(); i++) {
                if (results.get(i).partition() == partition.id()) {
                    AppendRecord record = records.get(i);
                    assertThat(topic.partitionFor(record.key())).isEqualTo(partition.id());
                    expected.add(new LogRecord(
                            partition.id(),
                            results.get(i).offset(),
                            read.get(expected.size()).appendTime(),
                            record.key(),
                            record.value(),
                            record.headers()));
                }
            }
            assertThat(read).isEqualTo(expected);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
