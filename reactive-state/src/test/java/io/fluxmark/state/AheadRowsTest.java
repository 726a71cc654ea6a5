package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

@ExtendWith(FaultyFileSystem.Reset.class)
class AheadRowsTest {

    @TempDir
    Path directory;

    @Test
    void rowsWrittenAheadAreSeenAllAtOnceWithTheirTransactionAndByNobodyBefore() {
        try (StateStore store = Stores.open(directory, Stores.synchronous().dropSlice(4))) {
            LaneSession session = Stores.lane(store, 0);
            LaneTransaction first = session.begin();
            for (long i = 0; i < 10; i++) {
                first.put(StoreTable.ROWS, Stores.bytes(i), Stores.bytes(-i));
            }
            Stores.await(session.submit(first));
            LaneTransaction part = session.part(2);
            for (long i = 5; i < 30; i++) {
                part.put(StoreTable.ROWS, Stores.bytes(i), Stores.bytes(i));
            }
            part.remove(StoreTable.ROWS, Stores.bytes(0));
            long before = part.bytes();
            assertThat(Stores.await(session.writeAhead(part)).entryCount()).isZero();
            assertThat(part.bytes()).isLessThan(before / 10);
            assertThat(rows(store)).hasSize(10).containsEntry(0L, 0L).containsEntry(5L, -5L);
            assertThat(session.get(StoreTable.ROWS, Stores.bytes(5))).isEqualTo(Stores.bytes(-5));
            assertThat(session.get(StoreTable.ROWS, Stores.bytes(20))).isNull();
            assertThat(session.scan(StoreTable.ROWS, new byte[0], null, 100)).hasSize(10);
            StoreInfo info = Stores.await(store.info());
            assertThat(info.aheadRows()).isEqualTo(26);
            assertThat(info.aheadBytes()).isGreaterThan(26 * 100);
            assertThat(info.aheadTransactions()).isEqualTo(1);

            StepVerifier.create(store.read(StoreTable.ROWS, new byte[0], null), 1)
                    .expectNextCount(1)
                    .then(() -> Stores.await(session.submit(session.begin())))
                    .thenRequest(Long.MAX_VALUE)
                    .expectNextCount(9)
                    .verifyComplete();
            NavigableMap<Long, Long> after = rows(store);
            assertThat(after).hasSize(29).doesNotContainKey(0L).containsEntry(5L, 5L);
            assertThat(session.get(StoreTable.ROWS, Stores.bytes(5))).isEqualTo(Stores.bytes(5));
            // The idle store has made plain what replaced something.
            assertThat(Stores.await(store.info()).aheadTransactions()).isZero();
        }
    }

    @Test
    void partThatDropsWhatItWritesStaysWholeAndSoDoesItsState() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneSession session = Stores.lane(store, 0);
            LaneTransaction part = session.part(1);
            part.longs("op", "n", new long[] {3});
            part.put(StoreTable.ROWS, Stores.bytes(1), Stores.bytes(1));
            Stores.await(session.writeAhead(part));
            part.dropRange(StoreTable.ROWS, Stores.bytes(0), Stores.bytes(9));
            part.put(StoreTable.ROWS, Stores.bytes(20), Stores.bytes(20));
            Stores.await(session.writeAhead(part));
            part.put(StoreTable.ROWS, Stores.bytes(2), Stores.bytes(2));
            Stores.await(session.writeAhead(part));
            assertThat(Stores.await(store.info()).aheadRows()).isEqualTo(2);
            LaneTransaction transaction = session.begin();
            transaction.include(part);
            Stores.await(session.submit(transaction));
            assertThat(rows(store)).containsOnlyKeys(2L, 20L);
            assertThat(Stores.await(store.longs("job", 0, "op", "n"))).containsExactly(3);
        }
    }

    @Test
    void staleGenerationNeitherWritesAheadNorHasWhatItWroteCommitted() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneSession old = Stores.lane(store, 0);
            LaneTransaction part = old.part(1);
            part.put(StoreTable.ROWS, Stores.bytes(1), Stores.bytes(1));
            Stores.await(old.writeAhead(part));
            LaneSession session = Stores.lane(store, 0);
            part.put(StoreTable.ROWS, Stores.bytes(2), Stores.bytes(2));
            StepVerifier.create(old.writeAhead(part))
                    .expectError(StaleGenerationException.class)
                    .verify(Stores.PATIENCE);
            // The same number, but not the same transaction.
            Stores.await(session.submit(session.begin()));
            assertThat(rows(store)).isEmpty();
        }
    }

    @Test
    void rangeIsNotDroppedWhereAnotherLaneIsWriting() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneSession writer = Stores.lane(store, 0);
            LaneTransaction part = writer.part(1);
            part.put(StoreTable.ROWS, Stores.bytes(1), Stores.bytes(1));
            Stores.await(writer.writeAhead(part));
            LaneSession other = Stores.lane(store, 1);
            LaneTransaction drop = other.begin();
            drop.dropRange(StoreTable.ROWS, Stores.bytes(0), Stores.bytes(9));
            StepVerifier.create(other.submit(drop))
                    .expectErrorMessage(
                            "Transaction 1 of lane 1 of job job drops a range of rows where another lane is writing;"
                                    + " drop it when that lane has committed")
                    .verify(Stores.PATIENCE);
            Stores.await(writer.submit(writer.begin()));
            assertThat(rows(store)).containsOnlyKeys(1L);
        }
    }

    @Test
    void removalWrittenAheadOfNothingTakesAwayWhatAnotherLaneHasCommittedMeanwhile() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneSession writer = Stores.lane(store, 0);
            LaneTransaction part = writer.part(1);
            part.put(StoreTable.ROWS, Stores.bytes(1), Stores.bytes(1));
            Stores.await(writer.writeAhead(part));
            part.remove(StoreTable.ROWS, Stores.bytes(1));
            part.remove(StoreTable.ROWS, Stores.bytes(2));
            Stores.await(writer.writeAhead(part));
            LaneSession other = Stores.lane(store, 1);
            LaneTransaction between = other.begin();
            between.remove(StoreTable.ROWS, Stores.bytes(1));
            between.remove(StoreTable.ROWS, Stores.bytes(2));
            Stores.await(other.submit(between));
            LaneTransaction rows = other.begin();
            rows.put(StoreTable.ROWS, Stores.bytes(1), Stores.bytes(7));
            rows.put(StoreTable.ROWS, Stores.bytes(2), Stores.bytes(7));
            Stores.await(other.submit(rows));
            assertThat(rows(store)).containsOnlyKeys(1L, 2L);
            Stores.await(writer.submit(writer.begin()));
            assertThat(rows(store)).isEmpty();
            assertThat(Stores.await(store.info()).aheadTransactions()).isZero();
        }
    }

    @Test
    void partOfAnotherTransactionIsRefused() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneSession session = Stores.lane(store, 0);
            LaneTransaction transaction = session.begin();
            assertThatThrownBy(() -> transaction.include(session.part(2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("part of transaction 2");
        }
    }

    @Test
    void randomSchedulesAnswerLikeATreeMap() throws Exception {
        int schedules = Stores.THOROUGH ? 1500 : 60;
        long seed = 20260;
        Map<Outcome, Integer> totals = new EnumMap<>(Outcome.class);
        for (int number = 0; number < schedules; number++) {
            Path place = Files.createDirectory(directory.resolve("s" + number));
            FaultyFileSystem.heal();
            try (Schedule schedule = new Schedule(place, seed + number)) {
                schedule.run(150);
                schedule.outcomes.forEach((outcome, times) -> totals.merge(outcome, times, Integer::sum));
            } catch (AssertionError e) {
                throw new AssertionError("schedule " + number + " of seed " + seed, e);
            }
        }
        System.out.printf("rows written ahead: %d schedules of 150 steps, seed %d, %s%n", schedules, seed, totals);
        assertThat(totals).containsOnlyKeys(Outcome.values());
    }

    private static NavigableMap<Long, Long> rows(StateStore store) {
        NavigableMap<Long, Long> rows = new TreeMap<>();
        Stores.rows(store).forEach(row -> rows.put(Stores.number(row.key()), Stores.number(row.value())));
        return rows;
    }

    enum Outcome {
        AHEAD,
        CONTESTED,
        COMMITTED,
        REFUSED,
        FENCED,
        LOST_IN_A_CRASH,
        KEPT_IN_A_CRASH,
        REOPENED
    }

    /** Two lanes that write rows, mostly each its own, in random order with failures. */
    private static final class Schedule implements AutoCloseable {

        private static final int KEYS = 60;

        private interface Change {
            void applyTo(NavigableMap<Long, Long> rows);
        }

        /** A lane and what its open transaction changes, in order. */
        private static final class Writer {
            private final int number;
            private final List<Change> changes = new ArrayList<>();
            private LaneSession session;
            private LaneTransaction part;

            Writer(int number, StateStore store) {
                this.number = number;
                open(store);
            }

            private void open(StateStore store) {
                session = Stores.lane(store, number);
                changes.clear();
                next();
            }

            private void next() {
                part = session.part(session.committedTransaction() + 1);
            }
        }

        private final Path place;
        private final Random random;
        private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
        private final NavigableMap<Long, Long> committed = new TreeMap<>();
        private StateStore store;
        private final Writer[] writers;
        private long values;
        private long reopenings;

        Schedule(Path place, long seed) {
            this.place = place;
            random = new Random(seed);
            store = open();
            writers = new Writer[] {new Writer(0, store), new Writer(1, store)};
        }

        private StateStore open() {
            return Stores.open(
                    place,
                    Stores.synchronous().filePrefix(FaultyFileSystem.PREFIX).dropSlice(1 + random.nextInt(20)));
        }

        void run(int steps) {
            for (int step = 0; step < steps; step++) {
                take(writers[random.nextInt(2)]);
                check();
            }
            for (Writer writer : writers) {
                writer.open(store);
            }
            check();
            StoreInfo info = Stores.await(store.info());
            assertThat(info.aheadTransactions()).isZero();
            assertThat(info.pendingRanges()).isZero();
        }

        private void take(Writer writer) {
            int choice = random.nextInt(100);
            if (choice < 55) {
                change(writer);
            } else if (choice < 75) {
                ahead(writer);
            } else if (choice < 87) {
                commit(writer);
            } else if (choice < 91) {
                writer.open(store);
                count(Outcome.FENCED);
            } else if (choice < 97) {
                FaultyFileSystem.failAfter(random.nextInt(4), false, random.nextBoolean());
                if (random.nextBoolean()) {
                    ahead(writer);
                } else {
                    commit(writer);
                }
                FaultyFileSystem.heal();
            } else {
                store.close();
                store = open();
                count(Outcome.REOPENED);
                openAll();
            }
        }

        private void change(Writer writer) {
            for (int i = 1 + random.nextInt(6); i > 0; i--) {
                int choice = random.nextInt(40);
                // One in ten is nobody's own.
                long key =
                        random.nextInt(KEYS / 2) * 2L + (random.nextInt(10) == 0 ? random.nextInt(2) : writer.number);
                if (choice == 0) {
                    long to = key + 1 + random.nextInt(12);
                    writer.part.dropRange(StoreTable.ROWS, Stores.bytes(key), Stores.bytes(to));
                    writer.changes.add(rows -> rows.subMap(key, to).clear());
                } else if (choice < 10) {
                    writer.part.remove(StoreTable.ROWS, Stores.bytes(key));
                    writer.changes.add(rows -> rows.remove(key));
                } else {
                    long value = values++;
                    writer.part.put(StoreTable.ROWS, Stores.bytes(key), Stores.bytes(value));
                    writer.changes.add(rows -> rows.put(key, value));
                }
            }
        }

        private void ahead(Writer writer) {
            AtomicReference<LaneTransaction> rest = new AtomicReference<>();
            Throwable error = outcome(writer.session.writeAhead(writer.part).doOnNext(rest::set));
            if (error == null) {
                count(Outcome.AHEAD);
                if (!rest.get().isEmpty()) {
                    count(Outcome.CONTESTED);
                }
                writer.part.include(rest.get());
                noticeReopening();
            } else {
                assertThat(error).isInstanceOf(StoreReopenedException.class);
                count(Outcome.LOST_IN_A_CRASH);
                openAll();
            }
        }

        private void commit(Writer writer) {
            LaneTransaction transaction = writer.session.begin();
            transaction.include(writer.part);
            Throwable error = outcome(writer.session.submit(transaction));
            List<Change> changes = List.copyOf(writer.changes);
            if (error == null) {
                count(Outcome.COMMITTED);
                changes.forEach(change -> change.applyTo(committed));
                writer.changes.clear();
                writer.next();
                noticeReopening();
            } else if (error instanceof TransactionRefusedException) {
                count(Outcome.REFUSED);
                FaultyFileSystem.heal();
                writer.open(store);
            } else {
                assertThat(error).isInstanceOf(StoreReopenedException.class);
                openAll();
                boolean kept = writer.session.restored().transaction() == transaction.id();
                count(kept ? Outcome.KEPT_IN_A_CRASH : Outcome.LOST_IN_A_CRASH);
                if (kept) {
                    changes.forEach(change -> change.applyTo(committed));
                }
            }
        }

        /** A commit of the store's own, behind the one asked for, may have met the failure. */
        private void noticeReopening() {
            if (Stores.await(store.info()).reopenings() != reopenings) {
                openAll();
            }
        }

        private static @Nullable Throwable outcome(Mono<?> mono) {
            AtomicReference<Throwable> error = new AtomicReference<>();
            mono.subscribe(done -> {}, error::set);
            return error.get();
        }

        private void openAll() {
            FaultyFileSystem.heal();
            reopenings = Stores.await(store.info()).reopenings();
            for (Writer writer : writers) {
                writer.open(store);
            }
        }

        private void count(Outcome outcome) {
            outcomes.merge(outcome, 1, Integer::sum);
        }

        private void check() {
            FaultyFileSystem.heal();
            assertThat(rows(store)).isEqualTo(committed);
            LaneSession session = writers[random.nextInt(2)].session;
            long key = random.nextInt(KEYS);
            byte[] value = session.get(StoreTable.ROWS, Stores.bytes(key));
            assertThat(value == null ? null : Stores.number(value)).isEqualTo(committed.get(key));
            assertThat(session.scan(StoreTable.ROWS, Stores.bytes(key), null, KEYS))
                    .hasSize(committed.tailMap(key).size());
        }

        @Override
        public void close() {
            FaultyFileSystem.heal();
            store.close();
        }
    }
}
