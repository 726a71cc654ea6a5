package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** One topic and a job over it whose lanes are shared by members of a group, and the same job alone. */
final class SharedFixture {

    private static final String PRODUCER = "p";
    private static final WindowSpec WINDOWS =
            WindowSpec.tumbling(Duration.ofMillis(100)).allowedLateness(Duration.ofMillis(100));

    final TypedTopic<String> topic;
    private final StateStore store;
    private final String name;

    /** By lane, the number of the newest transaction that any member has told of. */
    private final Map<Integer, Long> transactions = new ConcurrentHashMap<>();

    private long appended;

    SharedFixture(EventLog log, StateStore store, String name, int partitions) {
        this.store = store;
        this.name = name;
        this.topic =
                new TypedTopic<>(log.createTopic(name, partitions).block(Duration.ofSeconds(30)), EventCodec.utf8());
    }

    /** A subscription to the shared job. */
    final class Member {
        private final Sinks.Empty<Void> stop = Sinks.empty();
        private final Disposable subscription;
        private volatile boolean broken;
        private volatile boolean over;
        private volatile @Nullable Throwable failure;

        private Member(ConsumerGroup group, CheckpointSpec spec) {
            subscription = pipeline(
                            LogSource.of(topic).assignedBy(group),
                            key -> {
                                if (broken) {
                                    throw new IllegalStateException("broken");
                                }
                            },
                            name,
                            spec.stopWhen(stop.asMono()))
                    .subscribe(
                            SharedFixture.this::follow,
                            error -> {
                                failure = error;
                                over = true;
                            },
                            () -> over = true);
        }

        /** Ends it behind its last commits. */
        void stop() {
            stop.tryEmitEmpty();
        }

        /** Ends it at once. */
        void cancel() {
            subscription.dispose();
            over = true;
        }

        /** Has its function fail at the next event. */
        void breakDown() {
            broken = true;
        }

        boolean isOver() {
            return over;
        }

        @Nullable
        Throwable failure() {
            return failure;
        }
    }

    Member join(ConsumerGroup group, CheckpointSpec spec) {
        return new Member(group, spec);
    }

    /** Transactions of a lane become durable in order, whoever runs it. */
    private void follow(Checkpoint checkpoint) {
        for (LaneCheckpoint lane : checkpoint.lanes()) {
            transactions.merge(lane.lane(), lane.transaction(), (before, now) -> {
                assertThat(now).as("transactions of lane %d", lane.lane()).isGreaterThan(before);
                return now;
            });
        }
    }

    /** The job alone, or another one over the same topic. */
    Flux<Checkpoint> alone(String job, CheckpointSpec spec) {
        return pipeline(LogSource.of(topic), key -> {}, job, spec);
    }

    private Flux<Checkpoint> pipeline(
            LogSource<String> source, Consumer<String> onKey, String job, CheckpointSpec spec) {
        return source.watermarksMillis(SharedFixture::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                .keyByRecordKey(text -> {
                    onKey.accept(text);
                    return text.substring(0, text.indexOf('@'));
                })
                .window(WINDOWS)
                .aggregate(Aggregations.counting())
                .writeTo(table(job).and(changes(job)), spec.named(job));
    }

    private static long time(String text) {
        return Long.parseLong(text.substring(text.indexOf('@') + 1));
    }

    private TableSink<String, Long> table(String job) {
        return TransactionalSink.table(store, "rows-" + job, KeyCodec.tagged(), Codec.longs());
    }

    private ChangelogSink<String, Long> changes(String job) {
        return TransactionalSink.changelog(store, "changes-" + job, KeyCodec.tagged(), Codec.longs());
    }

    /** Appends events, each one to three times as a producer does that hears no answer. */
    void append(int count, Random random) {
        List<AppendRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String key = "k" + random.nextInt(20);
            long late = random.nextInt(10) == 0 ? random.nextInt(500) : random.nextInt(25);
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            String text = key + "@" + Math.max(0, 5 * appended - late);
            records.add(AppendRecord.of(bytes, text.getBytes(StandardCharsets.UTF_8))
                    .withSequence(PRODUCER, appended++));
        }
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            plain().append(records).block(Duration.ofSeconds(30));
        }
    }

    long appended() {
        return appended;
    }

    Topic plain() {
        return topic.topic();
    }

    String name() {
        return name;
    }

    StateStore store() {
        return store;
    }

    Flux<WindowResult<String, Long>> rows(String job) {
        return table(job).rows();
    }

    Flux<WindowResult<String, Long>> emissions(String job) {
        return changes(job).changes();
    }
}
