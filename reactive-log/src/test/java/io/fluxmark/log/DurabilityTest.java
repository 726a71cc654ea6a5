package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class DurabilityTest {

    @TempDir
    Path directory;

    private final FaultStorage storage = new FaultStorage();

    @Test
    void underOsRecordsAreVisibleAtOnceAndForcedOnRequest() {
        try (EventLog log =
                Logs.open(directory, LogSpec.defaults().storage(storage).durability(Durability.OS))) {
            Topic topic = Logs.topic(log);
            Partition partition = topic.partition(0);
            long forces = storage.forces.get();
            Logs.appendEach(topic, 0, 5);
            assertThat(storage.forces.get()).isEqualTo(forces);
            assertThat(partition.endOffset()).isEqualTo(5);
            assertThat(partition.durableEndOffset()).isZero();
            partition.force(3).block(Logs.WAIT);
            assertThat(partition.durableEndOffset()).isEqualTo(5);
            assertThat(storage.forces.get()).isEqualTo(forces + 1);
            partition.force(5).block(Logs.WAIT);
            assertThat(storage.forces.get()).isEqualTo(forces + 1);
            StepVerifier.create(partition.force(6))
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(OffsetOutOfRangeException.class)
                            .hasMessageContaining("offset 6"))
                    .verify(Logs.WAIT);
            Logs.appendEach(topic, 5, 6);
        }
        try (EventLog log = Logs.open(directory)) {
            assertThat(Logs.partition(log).durableEndOffset()).isEqualTo(6);
        }
    }

    @Test
    void aForceThatFailsIsAnError() {
        try (EventLog log =
                Logs.open(directory, LogSpec.defaults().storage(storage).durability(Durability.OS))) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 5);
            storage.onForce = file -> {
                throw new IOException("disk gone");
            };
            assertThatThrownBy(() -> topic.partition(0).force(5).block(Logs.WAIT))
                    .isInstanceOf(PartitionFailedException.class)
                    .hasMessageContaining("disk gone");
            assertThat(topic.partition(0).durableEndOffset()).isZero();
            assertThat(Logs.values(Logs.readAll(topic.partition(0)))).isEqualTo(Logs.expectedValues(0, 5));
        }
    }

    @Test
    void theIntervalForcesWithVirtualTime() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        LogSpec spec = LogSpec.defaults()
                .storage(storage)
                .clock(clock)
                .writerExecutor(Runnable::run)
                .durability(Durability.interval(Duration.ofMillis(200)));
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Partition partition = topic.partition(0);
            clock.advanceTimeBy(Duration.ofSeconds(1));
            long forces = storage.forces.get();
            Logs.appendEach(topic, 0, 5);
            assertThat(partition.durableEndOffset()).isZero();
            clock.advanceTimeBy(Duration.ofMillis(199));
            assertThat(partition.durableEndOffset()).isZero();
            clock.advanceTimeBy(Duration.ofMillis(1));
            assertThat(partition.durableEndOffset()).isEqualTo(5);
            clock.advanceTimeBy(Duration.ofSeconds(10));
            assertThat(storage.forces.get()).as("an idle log is not forced").isEqualTo(forces + 1);
            assertThat(Logs.readAll(partition))
                    .extracting(LogRecord::appendTime)
                    .containsOnly(1000L);
        }
    }

    @Test
    void segmentsAreForcedBeforeTheirSuccessorIsBegun() {
        try (EventLog log = Logs.open(
                directory,
                LogSpec.defaults().storage(storage).segmentBytes(1024).durability(Durability.OS))) {
            Topic topic = Logs.topic(log);
            Logs.appendEach(topic, 0, 30);
            assertThat(topic.partition(0).durableEndOffset()).isBetween(10L, 29L);
        }
    }

    @Test
    void whatIsFoundAfterACrashIsForcedBeforeItIsShown() {
        Path crashed = directory.resolve("crashed");
        try (EventLog log = Logs.open(directory)) {
            Logs.appendEach(Logs.topic(log), 0, 5);
            LogImage.of(directory).writeTo(crashed);
        }
        storage.onForce = file -> {
            throw new IOException("disk gone");
        };
        LogSpec spec = LogSpec.defaults().storage(storage);
        assertThatThrownBy(() -> Logs.open(crashed, spec)).hasMessageContaining("disk gone");
        List<Path> forced = new ArrayList<>();
        storage.onForce = forced::add;
        try (EventLog log = Logs.open(crashed, spec)) {
            assertThat(forced).contains(Logs.segment(crashed, 0));
            assertThat(Logs.partition(log).durableEndOffset()).isEqualTo(5);
        }
        assertThat(storage.open.get()).isZero();
    }

    @Test
    void intervalsBelowAMillisecondAreRefused() {
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofMillis(-1))) {
            assertThatThrownBy(() -> Durability.interval(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong.toString());
        }
    }
}
