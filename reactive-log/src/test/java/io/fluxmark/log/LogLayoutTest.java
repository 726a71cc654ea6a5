package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogLayoutTest {

    /** Each could be taken for a partition or a metadata file of another one. */
    private static final List<String> ALIKE =
            List.of("a", "a-0", "a-0-0", "a.topic", "a.topic.tmp", "a-1", "..a", "-0", "0");

    @TempDir
    Path directory;

    @Test
    void segmentsLieWhereKafkaHasThem() throws Exception {
        try (EventLog log = Logs.open(directory)) {
            Topic topic = log.createTopic("rail.eu-1", 3).block(Logs.WAIT);
            topic.append(AppendRecord.to(2, null, Logs.bytes("x"))).block(Logs.WAIT);
        }
        assertThat(directory.resolve("rail.eu-1-2/00000000000000000000.log")).isNotEmptyFile();
        assertThat(names())
                .containsExactly(
                        "LOCK",
                        "clean-shutdown",
                        "rail.eu-1-0",
                        "rail.eu-1-1",
                        "rail.eu-1-2",
                        "rail.eu-1.topic",
                        "recovery-points");
    }

    @Test
    void topicsWithNamesLikePartitionsAndFilesAreNotConfused() {
        try (EventLog log = Logs.open(directory)) {
            for (String name : ALIKE) {
                Topic topic = log.createTopic(name, 2).block(Logs.WAIT);
                for (Partition partition : topic.partitions()) {
                    topic.append(AppendRecord.to(partition.id(), null, Logs.bytes(name + " " + partition.id())))
                            .block(Logs.WAIT);
                }
            }
        }
        try (EventLog log = Logs.open(directory)) {
            assertThat(log.topics()).extracting(Topic::name).containsExactlyInAnyOrderElementsOf(ALIKE);
            for (Topic topic : log.topics()) {
                List<String> values = new ArrayList<>();
                topic.partitions().forEach(partition -> values.addAll(Logs.values(Logs.readAll(partition))));
                assertThat(values).containsExactly(topic.name() + " 0", topic.name() + " 1");
            }
        }
    }

    @Test
    void theEarlierLayoutIsRefusedAndLeftAsItIs() throws Exception {
        Files.createDirectories(directory.resolve("topics/t/0"));
        Files.writeString(directory.resolve(LogCheckpoints.CLEAN), "still true");
        assertThatThrownBy(() -> Logs.open(directory))
                .hasMessageContaining(directory.toString())
                .hasMessageContaining("move topics/T/topic.properties to T.topic and each topics/T/P to T-P");
        assertThat(directory.resolve(LogCheckpoints.CLEAN)).exists();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
