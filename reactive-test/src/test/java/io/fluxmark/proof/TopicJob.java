package io.fluxmark.proof;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;

/** The job whose results go into another topic of its log, as it is killed. */
record TopicJob(EventLog log, StateStore store) implements AutoCloseable {

    static final Codec<WindowResult<String, Long>> RESULTS =
            TransactionalSink.resultCodec(KeyCodec.tagged(), Codec.longs());

    private static final int TARGETS = 3;
    private static final int BATCH = 50;

    static TopicJob open(Path directory) {
        return new TopicJob(
                EventLog.open(directory.resolve("log")).block(ProofJob.PATIENCE),
                StateStore.open(directory.resolve("state")).block(ProofJob.PATIENCE));
    }

    Topic source() {
        return log.createTopic(ProofJob.TOPIC, ProofJob.PARTITIONS).block(ProofJob.PATIENCE);
    }

    Topic target() {
        return log.createTopic("sums", TARGETS).block(ProofJob.PATIENCE);
    }

    Flux<Checkpoint> run(CheckpointSpec spec) {
        return LogSource.of(new TypedTopic<>(source(), record -> Tick.CODEC.decode(record.requireValue())))
                .watermarksMillis(Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(ProofJob.DELAY)))
                .keyByRecordKey(Tick::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(ProofJob.SIZE))
                        .allowedLateness(Duration.ofMillis(ProofJob.LATENESS)))
                .aggregate(Aggregations.summingLong(Tick::amount))
                .writeTo(TransactionalSink.<String, Long>topic(store, "out", target()), spec.named("topic-job"));
    }

    /** Appends in order; what the log has is recognised. */
    void append(List<Tick> ticks) {
        for (int from = 0; from < ticks.size(); from += BATCH) {
            List<Tick> some = ticks.subList(from, Math.min(ticks.size(), from + BATCH));
            source().append(some.stream().map(Tick::record).toList()).block(ProofJob.PATIENCE);
        }
    }

    /** What the target holds, partition by partition; of each lane in order. */
    List<LogRecord> results() {
        List<LogRecord> all = new ArrayList<>();
        for (Partition partition : target().partitions()) {
            all.addAll(partition
                    .readTo(partition.beginOffset(), partition.endOffset())
                    .collectList()
                    .block(ProofJob.PATIENCE));
        }
        return all;
    }

    @Override
    public void close() {
        store.close();
        log.close();
    }
}
