package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.Header;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.WatermarkSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Rejected records in the job's own transaction. */
class DeadLetterTableTest {

    private static final int RECORDS = 4_000;

    @TempDir
    Path directory;

    private EventLog log;
    private StateStore store;
    private TypedTopic<Ticks.Tick> topic;

    @BeforeEach
    void open() {
        log = EventLog.open(directory.resolve("log")).block(Ticks.PATIENCE);
        topic = Ticks.topic(log);
        store = StateStore.open(directory.resolve("state")).block(Ticks.PATIENCE);
    }

    @AfterEach
    void close() {
        store.close();
        log.close();
    }

    /** Every ninth record can't be read, every eleventh has a time that is none; returns those by partition and offset. */
    private Map<String, AppendRecord> appendSomeBadOnes() {
        Map<String, AppendRecord> bad = new HashMap<>();
        List<AppendRecord> records = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            int partition = i % Ticks.PARTITIONS;
            AppendRecord record = new Ticks.Tick("k" + partition, i % 11 == 0 ? Long.MAX_VALUE : i)
                    .record()
                    .withPartition(partition)
                    .withHeaders(List.of(new Header("trace", new byte[] {(byte) i}), new Header("none", null)));
            if (i % 9 == 0) {
                byte[] value = i % 2 == 0 ? new byte[] {(byte) 0xFF} : null;
                record = new AppendRecord(partition, record.key(), value, record.headers(), null);
            }
            if (i % 9 == 0 || i % 11 == 0) {
                bad.put(partition + "/" + i / Ticks.PARTITIONS, record);
            }
            records.add(record);
        }
        topic.topic().append(records).block(Ticks.PATIENCE);
        return bad;
    }

    private Flux<Checkpoint> job(DeadLetterTable letters, CheckpointSpec spec) {
        return LogSource.of(topic)
                .placedExplicitly()
                .invalidTo(letters)
                .watermarksMillis(Ticks.Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                .keyByRecordKey(Ticks.Tick::key)
                .window(Ticks.WINDOWS)
                .aggregate(Aggregations.counting())
                .writeTo(TransactionalSink.table(store, "counts"), spec.named("job"));
    }

    @Test
    void eachRejectedRecordIsThereOnceAsItStandsInTheLogWhateverEndsTheJobInBetween() {
        Map<String, AppendRecord> bad = appendSomeBadOnes();
        DeadLetterTable letters = DeadLetterTable.of(store, "rejected");
        CheckpointSpec spec = CheckpointSpec.everyEvents(50);
        for (int i = 0; i < 4; i++) {
            job(letters, spec).take(2).blockLast(Ticks.PATIENCE);
            assertAtEachCommit(letters);
        }
        job(letters, spec.drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);

        List<DeadLetter> all = letters.letters().collectList().block(Ticks.PATIENCE);
        assertThat(all).hasSameSizeAs(bad.keySet());
        Set<String> seen = new HashSet<>();
        for (DeadLetter letter : all) {
            LogRecord record = letter.record();
            String place = record.partition() + "/" + record.offset();
            assertThat(seen.add(place)).as(place).isTrue();
            assertThat(letter.topic()).isEqualTo("ticks");
            assertThat(letter.reason()).as(place).isNotBlank();
            AppendRecord appended = bad.get(place);
            assertThat(appended).as(place).isNotNull();
            assertThat(record.key()).isEqualTo(appended.key());
            assertThat(record.value()).isEqualTo(appended.value());
            assertThat(record.headers()).isEqualTo(appended.headers());
            boolean undecodable = appended.value() == null || appended.value().length == 1;
            assertThat(letter.cause() != null).as(place + ": " + letter).isEqualTo(undecodable);
        }
        assertThat(all).as("what the log has at those places").allSatisfy(letter -> assertThat(letter.record())
                .isEqualTo(topic.topic()
                        .partition(letter.record().partition())
                        .read(letter.record().offset())
                        .blockFirst(Ticks.PATIENCE)));
    }

    /** One committed moment: the count of rejected events is the number of rows. */
    private void assertAtEachCommit(DeadLetterTable letters) {
        long before;
        long rejected;
        long rows;
        do { // a commit that was handed over when the job was cancelled may come in between
            before = commit();
            rejected = 0;
            for (int lane = 0; lane < Ticks.PARTITIONS; lane++) {
                rejected += rejected(lane);
            }
            rows = letters.letters().count().block(Ticks.PATIENCE);
        } while (commit() != before);
        assertThat(rows).isEqualTo(rejected).isPositive();
    }

    private long commit() {
        return store.info().block(Ticks.PATIENCE).commit();
    }

    private long rejected(int lane) {
        return store.longs("job", lane)
                .filter(longs -> longs.operator().startsWith("event-time")
                        && longs.name().equals("counters"))
                .map(longs -> Counters.ofArray(longs.values()).get(Counter.REJECTED))
                // A lane may not have been in any commit yet.
                .defaultIfEmpty(0L)
                .blockFirst(Ticks.PATIENCE);
    }

    @Test
    void aTableOfAnotherStoreIsRefused() {
        StateStore other = StateStore.open(directory.resolve("other")).block(Ticks.PATIENCE);
        try {
            appendSomeBadOnes();
            Flux<Checkpoint> job = job(
                    DeadLetterTable.of(other, "rejected"),
                    CheckpointSpec.everyEvents(50).drainWhen(Mono.empty()));
            assertThatThrownBy(() -> job.blockLast(Ticks.PATIENCE))
                    .hasMessageContaining("dead letter table rejected")
                    .hasMessageContaining("open it on the job's store");
        } finally {
            other.close();
        }
    }
}
