package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Appends wait for company, for so long and for so much. */
class LingerTest {

    @TempDir
    Path directory;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final FaultStorage storage = new FaultStorage();
    private final LogSpec spec = LogSpec.defaults()
            .storage(storage)
            .clock(clock)
            .writerExecutor(Runnable::run)
            .linger(Duration.ofMillis(5));

    private static byte[] value(int length) {
        return new byte[length];
    }

    @Test
    void whatComesWithinTheLingerSharesABatchAndAnFsync() {
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Partition partition = topic.partition(0);
            long forces = storage.forces.get();
            for (int i = 0; i < 3; i++) {
                topic.append(AppendRecord.to(0, value(10))).subscribe();
                clock.advanceTimeBy(Duration.ofMillis(1));
            }
            assertThat(partition.endOffset()).isZero();
            clock.advanceTimeBy(Duration.ofMillis(1));
            assertThat(partition.endOffset()).isZero();
            clock.advanceTimeBy(Duration.ofMillis(1));
            assertThat(partition.endOffset()).isEqualTo(3);
            assertThat(storage.forces.get()).isEqualTo(forces + 1);
            topic.append(AppendRecord.to(0, value(10))).subscribe();
            clock.advanceTimeBy(Duration.ofMillis(4));
            assertThat(partition.endOffset())
                    .as("each group has a linger of its own")
                    .isEqualTo(3);
            clock.advanceTimeBy(Duration.ofMillis(1));
            assertThat(partition.endOffset()).isEqualTo(4);
        }
    }

    @Test
    void aFullBatchDoesNotWait() {
        try (EventLog log = Logs.open(directory, spec.batchBytes(512))) {
            Topic topic = Logs.topic(log);
            topic.append(AppendRecord.to(0, value(200))).subscribe();
            topic.append(AppendRecord.to(0, value(200))).subscribe();
            assertThat(topic.partition(0).endOffset()).isZero();
            topic.append(AppendRecord.to(0, value(200))).subscribe();
            assertThat(topic.partition(0).endOffset()).isEqualTo(3);
            clock.advanceTimeBy(Duration.ofSeconds(1));
            assertThat(topic.partition(0).endOffset()).isEqualTo(3);
        }
    }

    @Test
    void aFullQueueDoesNotWait() {
        try (EventLog log = Logs.open(directory, spec.queueRecords(2).appendWait(Duration.ofSeconds(1)))) {
            Topic topic = Logs.topic(log);
            List<Long> offsets = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                topic.append(AppendRecord.to(0, value(10))).subscribe(result -> offsets.add(result.offset()));
            }
            assertThat(topic.partition(0).endOffset()).isEqualTo(2);
        }
    }

    @Test
    void aForceAndTheEndTakeWithThemWhatLingers() {
        try (EventLog log = Logs.open(directory, spec.durability(Durability.OS))) {
            Topic topic = Logs.topic(log);
            topic.append(AppendRecord.to(0, value(10))).subscribe();
            topic.partition(0).force(1).block(Logs.WAIT);
            assertThat(topic.partition(0).durableEndOffset()).isOne();
            topic.append(AppendRecord.to(0, value(10))).subscribe();
        }
        try (EventLog log = Logs.open(directory)) {
            assertThat(Logs.partition(log).endOffset()).isEqualTo(2);
        }
    }

    @Test
    void aBatchIsClosedAtItsSize() {
        Duration day = Duration.ofDays(1);
        try (EventLog log = Logs.open(directory, spec.linger(Duration.ZERO).batchBytes(512))) {
            Topic topic = Logs.topic(log);
            topic.append(java.util.Collections.nCopies(20, AppendRecord.to(0, value(100))))
                    .block(Logs.WAIT);
        }
        // A header of 61 and four records of 109 are 497: a fifth does not fit.
        assertThat(Logs.segment(directory, 0).toFile()).hasSize(5 * (61 + 4 * 109));
        assertThatThrownBy(() -> spec.linger(day))
                .hasMessageContaining("linger")
                .hasMessageContaining("86400000");
        assertThatThrownBy(() -> spec.batchBytes(100)).hasMessageContaining("batchBytes must be between 512");
    }
}
