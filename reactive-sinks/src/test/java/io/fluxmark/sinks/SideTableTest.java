package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Events taken out of the stream, in the job's own transaction. */
class SideTableTest {

    private static final Codec<Ticks.Tick> TICKS = new Codec<>() {
        @Override
        public String id() {
            return "tick";
        }

        @Override
        public byte[] encode(Ticks.Tick tick) {
            return (tick.key() + "@" + tick.time()).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Ticks.Tick decode(byte[] bytes) {
            return Ticks.Tick.parse(new String(bytes, StandardCharsets.UTF_8));
        }
    };

    @TempDir
    Path directory;

    private JobPlace place;

    @BeforeEach
    void open() {
        place = JobPlace.open(directory);
    }

    @AfterEach
    void close() {
        place.close();
    }

    private static boolean isOdd(Ticks.Tick tick) {
        return Math.floorMod(tick.time(), 7L) == 3;
    }

    private Flux<Checkpoint> job(
            SideTable<Ticks.Tick> before,
            SideTable<WindowResult<String, Long>> after,
            TableSink<String, Long> table,
            CheckpointSpec spec) {
        return LogSource.of(place.topic())
                .watermarksMillis(Ticks.Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                .divert(SideTableTest::isOdd, before)
                .keyByRecordKey(Ticks.Tick::key)
                .window(Ticks.WINDOWS)
                .aggregate(Aggregations.counting())
                .divert(result -> result.value() == 1, after)
                .writeTo(table, spec.named("job"));
    }

    @Test
    void eachDivertedEventIsThereOnceInOrderPerLaneAndTheOthersGoOn() {
        List<Ticks.Tick> ticks = Ticks.random(12_000, 1);
        Ticks.append(place.topic(), ticks);
        SideTable<Ticks.Tick> before = SideTable.of(place.store(), "odd", TICKS);
        SideTable<WindowResult<String, Long>> after =
                SideTable.of(place.store(), "single", TransactionalSink.resultCodec(KeyCodec.tagged(), Codec.longs()));
        TableSink<String, Long> table = TransactionalSink.table(place.store(), "counts");
        CheckpointSpec spec = CheckpointSpec.everyEvents(70);
        for (int i = 0; i < 5; i++) {
            job(before, after, table, spec).take(3).blockLast(Ticks.PATIENCE);
        }
        job(before, after, table, spec.drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);

        List<SideTable.Row<Ticks.Tick>> rows = before.rows().collectList().block(Ticks.PATIENCE);
        List<Ticks.Tick> odd = ticks.stream().filter(SideTableTest::isOdd).toList();
        assertThat(rows)
                .allMatch(
                        row -> row.sign() == 1 && row.timestamp() == row.value().time());
        assertThat(rows.stream().map(SideTable.Row::value).toList()).containsExactlyInAnyOrderElementsOf(odd);
        for (int lane = 0; lane < Ticks.PARTITIONS; lane++) {
            int of = lane;
            assertThat(rows.stream().map(SideTable.Row::value).filter(tick -> laneOf(tick) == of))
                    .containsExactlyElementsOf(
                            odd.stream().filter(tick -> laneOf(tick) == of).toList());
        }
        List<WindowResult<String, Long>> all =
                new ArrayList<>(table.rows().collectList().block(Ticks.PATIENCE));
        assertThat(all).noneMatch(row -> row.value() == 1);
        after.rows().toIterable().forEach(row -> {
            assertThat(row.value().value()).isEqualTo(1);
            assertThat(row.sign()).isEqualTo(row.value().isRetraction() ? -1 : 1);
        });
        assertThat(after.rows().count().block(Ticks.PATIENCE)).isPositive();
        all.addAll(after.rows().map(SideTable.Row::value).collectList().block(Ticks.PATIENCE));
        assertThat(all.stream()
                        .filter(row -> !row.isRetraction())
                        .map(row -> new PlainBatch.Slot<>(row.key(), row.window())))
                .as("every result of batch is in one of the two")
                .containsAll(
                        Ticks.batch(place.topic(), ticks, tick -> !isOdd(tick)).keySet());
    }

    private int laneOf(Ticks.Tick tick) {
        return place.topic().topic().partitionFor(tick.key().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aTableOfAnotherStoreIsRefused() {
        Ticks.append(place.topic(), Ticks.random(100, 2));
        StateStore other = StateStore.open(directory.resolve("other")).block(Ticks.PATIENCE);
        try {
            SideTable<Ticks.Tick> table = SideTable.of(other, "odd", TICKS);
            Flux<Checkpoint> job = LogSource.of(place.topic())
                    .watermarksMillis(Ticks.Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                    .divert(SideTableTest::isOdd, table)
                    .keyByRecordKey(Ticks.Tick::key)
                    .window(Ticks.WINDOWS)
                    .aggregate(Aggregations.counting())
                    .writeTo(
                            TransactionalSink.table(place.store(), "counts"),
                            CheckpointSpec.everyEvents(10).named("job").drainWhen(Mono.empty()));
            assertThatThrownBy(() -> job.blockLast(Ticks.PATIENCE))
                    .hasMessageContaining("side table odd")
                    .hasMessageContaining("open it on the job's store");
        } finally {
            other.close();
        }
    }
}
