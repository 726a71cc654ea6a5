package io.fluxmark.state;

import static io.fluxmark.state.Stores.await;
import static io.fluxmark.state.Stores.bytes;
import static io.fluxmark.state.Stores.lane;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.StepVerifier;

class DroppedRangesTest {

    @TempDir
    Path directory;

    @Test
    void droppedRangeIsInvisibleAtOnceAndRemovedInSlicesAcrossARestart() throws Exception {
        StoreFile file = StoreFile.open(directory, StoreSpec.defaults());
        DroppedRanges ranges = new DroppedRanges(file);
        for (long i = 0; i < 1000; i++) {
            ranges.put(StoreTable.ROWS, bytes(i), ValueFrame.of(bytes(i), bytes(i)));
        }
        file.commit(1);
        ranges.drop(StoreTable.ROWS, bytes(100), bytes(900));
        ranges.removeSlice(300);
        file.commit(2);
        assertThat(file.table(StoreTable.ROWS).sizeAsLong()).isEqualTo(700);
        assertThat(visible(file, ranges)).hasSize(200);
        assertThat(ranges.pending()).isTrue();
        file.close();

        file = StoreFile.open(directory, StoreSpec.defaults());
        ranges = new DroppedRanges(file);
        assertThat(ranges.pending()).isTrue();
        assertThat(visible(file, ranges)).hasSize(200);
        ranges.removeSlice(300);
        file.commit(3);
        ranges.removeSlice(300);
        file.commit(4);
        assertThat(ranges.pending()).isFalse();
        assertThat(file.drops().isEmpty()).isTrue();
        assertThat(file.table(StoreTable.ROWS).sizeAsLong()).isEqualTo(200);
        file.close();
    }

    @Test
    void idleStoreFinishesRemovalByItselfAndSmallDropsNeverOutliveTheirCommit() {
        StoreSpec spec = Stores.synchronous().dropSlice(10);
        try (StateStore store = Stores.open(directory, spec)) {
            LaneSession session = lane(store, 0);
            LaneTransaction fill = session.begin();
            for (long i = 0; i < 95; i++) {
                fill.put(StoreTable.STATE, bytes(i), bytes(i));
            }
            await(session.submit(fill));
            LaneTransaction drop = session.begin();
            drop.dropRange(StoreTable.STATE, bytes(0), bytes(90));
            StoreCommit commit = await(session.submit(drop));
            StoreInfo info = await(store.info());
            assertThat(info.pendingRanges()).isZero();
            assertThat(info.commit()).isEqualTo(commit.number() + 9);
            assertThat(session.scan(StoreTable.STATE, new byte[0], null, 100)).hasSize(5);
            LaneTransaction small = session.begin();
            small.dropRange(StoreTable.STATE, bytes(90), bytes(92));
            long number = await(session.submit(small)).number();
            assertThat(await(store.info()).commit()).isEqualTo(number);
        }
    }

    @Test
    void viewKeepsWhatWasDroppedAfterIt() {
        try (StateStore store = Stores.open(directory, Stores.synchronous().dropSlice(10))) {
            LaneSession session = lane(store, 0);
            LaneTransaction fill = session.begin();
            for (long i = 0; i < 600; i++) {
                fill.put(StoreTable.ROWS, bytes(i), bytes(i));
            }
            await(session.submit(fill));
            StepVerifier.create(store.read(StoreTable.ROWS, new byte[0], null), 1)
                    .expectNextCount(1)
                    .then(() -> {
                        LaneTransaction drop = session.begin();
                        drop.dropRange(StoreTable.ROWS, bytes(0), bytes(600));
                        await(session.submit(drop));
                        assertThat(Stores.rows(store)).isEmpty();
                    })
                    .thenRequest(Long.MAX_VALUE)
                    .expectNextCount(599)
                    .verifyComplete();
        }
    }

    @Test
    void emptyRangeIsRefused() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneTransaction transaction = lane(store, 0).begin();
            assertThatThrownBy(() -> transaction.dropRange(StoreTable.ROWS, bytes(2), bytes(2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0000000000000002");
        }
    }

    @Test
    void dropsAndPutsInAnyOrderAnswerLikeATreeMap() throws Exception {
        int rounds = Stores.THOROUGH ? 300 : 40;
        long seed = 99;
        Random random = new Random(seed);
        StoreFile file = StoreFile.open(directory, StoreSpec.defaults());
        DroppedRanges ranges = new DroppedRanges(file);
        NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        int splits = 0;
        long commit = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < 60; i++) {
                if (random.nextInt(12) == 0) {
                    byte[] from = bytes(random.nextInt(200));
                    byte[] to = bytes(Stores.number(from) + 1 + random.nextInt(80));
                    ranges.drop(StoreTable.ROWS, from, to);
                    model.subMap(from, to).clear();
                } else if (random.nextInt(6) == 0) {
                    ranges.removeSlice(random.nextInt(8));
                } else {
                    byte[] key = bytes(random.nextInt(200));
                    byte[] value = bytes(random.nextInt());
                    splits += ranges.index().covering(StoreTable.ROWS, key) != null ? 1 : 0;
                    ranges.put(StoreTable.ROWS, key, ValueFrame.of(key, value));
                    model.put(key, value);
                }
            }
            List<StoreEntry> expected = model.entrySet().stream()
                    .map(entry -> new StoreEntry(entry.getKey(), entry.getValue()))
                    .toList();
            assertThat(visible(file, ranges)).isEqualTo(expected);
            file.commit(++commit);
            if (round % 5 == 0) {
                file.close();
                file = StoreFile.open(directory, StoreSpec.defaults());
                ranges = new DroppedRanges(file);
                assertThat(visible(file, ranges)).isEqualTo(expected);
            }
        }
        System.out.printf("dropped ranges: %d rounds, seed %d, %d puts into hidden ranges%n", rounds, seed, splits);
        assertThat(splits).isGreaterThan(rounds);
        file.close();
    }

    @Test
    void manyPutsIntoAHiddenRangeDoNotGrowTheIndexWithoutBound() throws Exception {
        StoreFile file = StoreFile.open(directory, StoreSpec.defaults());
        DroppedRanges ranges = new DroppedRanges(file);
        for (long i = 0; i < 10_000; i++) {
            ranges.put(StoreTable.ROWS, bytes(i), ValueFrame.of(bytes(i), bytes(i)));
        }
        ranges.drop(StoreTable.ROWS, bytes(0), bytes(10_000));
        for (long i = 1; i < 10_000; i += 2) {
            ranges.put(StoreTable.ROWS, bytes(i), ValueFrame.of(bytes(i), bytes(-i)));
            assertThat(ranges.index().size()).isLessThanOrEqualTo(DroppedRanges.MAX_RANGES + 1);
        }
        assertThat(visible(file, ranges)).hasSize(5_000).allMatch(entry -> Stores.number(entry.value()) < 0);
        file.close();
    }

    private static List<StoreEntry> visible(StoreFile file, DroppedRanges ranges) {
        return RangePage.read(
                file.table(StoreTable.ROWS),
                StoreTable.ROWS,
                ranges.index(),
                AheadIndex.EMPTY,
                new byte[0],
                null,
                Integer.MAX_VALUE,
                0);
    }
}
