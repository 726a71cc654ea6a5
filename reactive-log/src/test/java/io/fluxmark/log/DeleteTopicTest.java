package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.StepVerifier;

class DeleteTopicTest {

    @TempDir
    Path directory;

    @Test
    void readersAndAppendersAreToldAndNothingIsLeft() {
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            Topic alike = log.createTopic(Logs.TOPIC + "-0", 1).block(Logs.WAIT);
            Logs.appendEach(topic, 0, 10);
            Logs.appendEach(alike, 0, 10);
            PartitionReader outside = LogReader.of(directory)
                    .pollInterval(Duration.ofMillis(1))
                    .topic(Logs.TOPIC)
                    .block(Logs.WAIT)
                    .partition(0);
            StepVerifier.Step<Long> follows =
                    StepVerifier.create(outside.read(10).map(LogRecord::offset));
            StepVerifier.create(topic.partition(0).read(0).map(LogRecord::offset))
                    .expectNextCount(10)
                    .then(() -> log.deleteTopic(Logs.TOPIC).block(Logs.WAIT))
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(TopicDeletedException.class)
                            .hasMessageContaining("'t'"))
                    .verify(Logs.WAIT);
            follows.expectError(TopicDeletedException.class).verify(Logs.WAIT);
            assertThatThrownBy(() -> Logs.append(topic, Logs.record(10))).isInstanceOf(TopicDeletedException.class);
            assertThatThrownBy(() -> topic.partition(0).force(11).block(Logs.WAIT))
                    .isInstanceOf(TopicDeletedException.class);
            assertThatThrownBy(() -> Logs.readAll(topic.partition(0))).isInstanceOf(TopicDeletedException.class);
            assertThatThrownBy(() -> log.topic(Logs.TOPIC)).isInstanceOf(UnknownTopicException.class);
            assertThatThrownBy(() -> log.deleteTopic(Logs.TOPIC)).isInstanceOf(UnknownTopicException.class);
            assertThat(names()).containsExactly("LOCK", "recovery-points", "t-0-0", "t-0.topic");
            assertThat(Logs.readAll(alike.partition(0))).hasSize(10);
            assertThat(Logs.partition(log).endOffset()).isZero();
        }
        try (EventLog log = Logs.open(directory)) {
            assertThat(Logs.partition(log).endOffset()).isZero();
            assertThat(Logs.partition(log).damage()).isEmpty();
        }
    }

    @Test
    void aDeletionThatIsInterruptedIsDoneOrNotBegun() throws Exception {
        try (EventLog log = Logs.open(directory)) {
            Logs.appendEach(Logs.topic(log), 0, 10);
        }
        LogImage image = LogImage.of(directory);
        int there = 0;
        int gone = 0;
        for (int changes = 0; ; changes++) {
            image.writeTo(directory);
            PowerCutStorage storage = new PowerCutStorage(directory, changes, new Random(changes));
            try (EventLog log = Logs.open(directory, LogSpec.defaults().storage(storage))) {
                log.deleteTopic(Logs.TOPIC).block(Logs.WAIT);
            } catch (UncheckedIOException e) {
                // Before the opening was done, or before the deletion was decided.
                assertThat(e).hasMessageContaining("power is off");
            }
            try (EventLog log = Logs.open(directory)) {
                boolean kept = log.topics().size() == 1;
                there += kept ? 1 : 0;
                gone += kept ? 0 : 1;
                Partition partition = Logs.partition(log);
                assertThat(partition.endOffset())
                        .as("after %d changes", changes)
                        .isEqualTo(kept ? 10 : 0);
                assertThat(names()).doesNotContain("t" + LogLayout.DELETED_SUFFIX);
                LogImage.of(directory).writeTo(directory.resolve("crashed"));
            }
            try (EventLog log = Logs.open(directory.resolve("crashed"))) {
                assertThat(log.topic(Logs.TOPIC).partition(0).damage()).isEmpty();
            }
            if (!storage.isOff()) {
                break;
            }
        }
        assertThat(there).isPositive();
        assertThat(gone).isGreaterThan(3);
    }

    private List<String> names() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
