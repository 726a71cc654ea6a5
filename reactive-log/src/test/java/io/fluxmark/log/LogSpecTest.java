package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

class LogSpecTest {

    @TempDir
    Path directory;

    @Test
    void valuesOutOfRangeAreRefusedWithTheirNameAndTheRange() {
        LogSpec spec = LogSpec.defaults();
        refused("segmentBytes", 1023, () -> spec.segmentBytes(1023));
        refused("segmentBytes", (1L << 30) + 1, () -> spec.segmentBytes((1L << 30) + 1));
        refused("maxRecordBytes", 63, () -> spec.maxRecordBytes(63));
        refused("maxRecordBytes", (16 << 20) + 1, () -> spec.maxRecordBytes((16 << 20) + 1));
        refused("queueBytes", 0, () -> spec.queueBytes(0));
        refused("queueRecords", 0, () -> spec.queueRecords(0));
        refused("readBufferBytes", 511, () -> spec.readBufferBytes(511));
        refused("producersPerPartition", 0, () -> spec.producersPerPartition(0));
    }

    @Test
    void aTopicsOwnCompressionComesBeforeThatOfAll() {
        LogSpec spec = LogSpec.defaults();
        LogSpec changed = spec.compression("b", Compression.ZSTD).compression(Compression.GZIP);
        assertThat(spec.compressionOf("a")).isEqualTo(Compression.NONE);
        assertThat(spec.compressionOf("b")).isEqualTo(Compression.NONE);
        assertThat(changed.compressionOf("a")).isEqualTo(Compression.GZIP);
        assertThat(changed.compressionOf("b")).isEqualTo(Compression.ZSTD);
        assertThat(changed.compression("b", Compression.NONE).compressionOf("b"))
                .isEqualTo(Compression.NONE);
        assertThatThrownBy(() -> spec.compression("a/b", Compression.GZIP)).hasMessageContaining("a/b");
    }

    @Test
    void eachMethodReturnsAChangedCopy() {
        LogSpec spec = LogSpec.defaults();
        LogSpec changed = spec.queueRecords(5).segmentBytes(2048).durability(Durability.OS);
        assertThat(spec.queueRecords()).isEqualTo(100_000);
        assertThat(changed.queueRecords()).isEqualTo(5);
        assertThat(changed.segmentBytes()).isEqualTo(2048);
        assertThat(changed.durability()).isSameAs(Durability.OS);
        assertThat(changed.maxRecordBytes()).isEqualTo(1 << 20);
    }

    @Test
    void aDirectWriterAppendsOnTheCallersThreadAndSurvivesItsInterrupt() {
        try (EventLog log = Logs.open(directory, LogSpec.defaults().writerExecutor(Runnable::run))) {
            Topic topic = Logs.topic(log);
            Mono<List<AppendResult>> append =
                    topic.append(List.of(Logs.record(0))).cache();
            Thread.currentThread().interrupt();
            append.subscribe();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(topic.partition(0).endOffset()).isEqualTo(1);
            assertThat(append.block(Logs.WAIT)).hasSize(1);
        }
    }

    @Test
    void anExecutorThatRefusesFailsTheAppendAndStillReleasesTheLock() {
        AtomicBoolean refuses = new AtomicBoolean();
        LogSpec spec = LogSpec.defaults().writerExecutor(task -> {
            if (refuses.get()) {
                throw new RejectedExecutionException("shut down");
            }
            task.run();
        });
        EventLog log = Logs.open(directory, spec);
        Topic topic = Logs.topic(log);
        refuses.set(true);
        assertThatThrownBy(() -> Logs.append(topic, Logs.record(0))).isInstanceOf(RejectedExecutionException.class);
        log.close();
        try (EventLog again = Logs.open(directory)) {
            assertThat(again.topic(Logs.TOPIC).partition(0).endOffset()).isZero();
        }
    }

    private static void refused(String name, long value, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(Long.toString(value));
    }
}
