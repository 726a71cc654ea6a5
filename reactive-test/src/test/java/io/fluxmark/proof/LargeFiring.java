package io.fluxmark.proof;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TableSink;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One window of many keys over a log, fired when the log ends. Each key has an event of its own, every fourth key one
 * more, much later.
 */
final class LargeFiring {

    static final Duration PATIENCE = Duration.ofMinutes(30);

    private static final String TOPIC = "events";
    private static final int PARTITIONS = 2;
    private static final int BATCH = 2_000;
    private static final long WINDOW = 1_000;
    /** Has no factor in common with a number of keys that is a product of twos and fives. */
    private static final long STRIDE = 7_654_321;

    private final long keys;

    LargeFiring(long keys) {
        this.keys = keys;
    }

    static EventLog openLog(Path directory) {
        return EventLog.open(directory.resolve("log"), LogSpec.defaults().durability(Durability.OS))
                .block(PATIENCE);
    }

    private long events() {
        return keys + keys / 4;
    }

    /** The keys come in no order; those of the second round are every fourth of them. */
    private long keyOf(long event) {
        return event < keys ? event * STRIDE % keys : (event - keys) * STRIDE % (keys / 4) * 4;
    }

    private static long amount(long key) {
        return key % 1_000 + 1;
    }

    void append(EventLog log) {
        Topic topic = log.createTopic(TOPIC, PARTITIONS).block(PATIENCE);
        for (long from = 0; from < events(); from += BATCH) {
            List<AppendRecord> records = new ArrayList<>(BATCH);
            for (long event = from; event < Math.min(events(), from + BATCH); event++) {
                records.add(AppendRecord.of(
                        name(keyOf(event)).getBytes(StandardCharsets.UTF_8),
                        ByteBuffer.allocate(Long.BYTES).putLong(event).array()));
            }
            topic.append(records).block(PATIENCE);
        }
    }

    private static String name(long key) {
        return "key" + key;
    }

    Flux<Checkpoint> run(EventLog log, StateStore store) {
        return LogSource.of(new TypedTopic<>(log.topic(TOPIC), record -> ByteBuffer.wrap(record.value())
                        .getLong()))
                .watermarksMillis(
                        event -> event * WINDOW / events(), WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyByRecordKey(event -> name(keyOf(event)))
                .window(WindowSpec.tumbling(Duration.ofMillis(WINDOW)))
                .aggregate(Aggregations.summingLong(event -> amount(keyOf(event))))
                .writeTo(
                        table(store),
                        CheckpointSpec.every(Duration.ofSeconds(1))
                                .named("large")
                                .drainWhen(Mono.empty()));
    }

    private static TableSink<String, Long> table(StateStore store) {
        return TransactionalSink.table(store, "sums", KeyCodec.tagged(), Codec.longs());
    }

    /** Fails where a row is not what a loop over the events gives, or there is one too many or too few. */
    void check(StateStore store) {
        BitSet seen = new BitSet((int) keys);
        table(store).rows().doOnNext(row -> check(row, seen)).blockLast(PATIENCE);
        if (seen.cardinality() != keys) {
            throw new AssertionError("of " + keys + " keys " + seen.cardinality() + " have a row");
        }
    }

    private static void check(WindowResult<String, Long> row, BitSet seen) {
        int key = Integer.parseInt(row.key().substring(3));
        long expected = key % 4 == 0 ? 2 * amount(key) : amount(key);
        if (row.value() != expected || seen.get(key) || row.window().end() != WINDOW) {
            throw new AssertionError("the row of key " + key + " should be the only one and " + expected + ": " + row);
        }
        seen.set(key);
    }

    /** The rows that are seen now: none or all. */
    static long rowCount(StateStore store) {
        return table(store).rows().count().block(PATIENCE);
    }
}
