package io.fluxmark.state;

import static io.fluxmark.state.Stores.await;
import static io.fluxmark.state.Stores.bytes;
import static io.fluxmark.state.Stores.lane;
import static io.fluxmark.state.Stores.open;
import static io.fluxmark.state.Stores.put;
import static io.fluxmark.state.Stores.rows;
import static io.fluxmark.state.Stores.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class StateStoreTest {

    @TempDir
    Path directory;

    @Test
    void commitIsFoundAgainInAllTablesAfterReopening() {
        try (StateStore store = open(directory)) {
            LaneSession session = lane(store, 0);
            LaneTransaction transaction = session.begin();
            for (StoreTable table : StoreTable.values()) {
                transaction.put(table, bytes("key"), bytes("of " + table));
            }
            transaction.lane("offsets", bytes(17));
            StoreCommit commit = await(session.submit(transaction));
            assertThat(commit.lanes()).containsExactly(new LaneCommit("job", 0, 1));
            assertThat(session.committedTransaction()).isEqualTo(1);
        }
        try (StateStore store = open(directory)) {
            LaneSession session = lane(store, 0);
            assertThat(session.generation()).isEqualTo(2);
            assertThat(session.restored().transaction()).isEqualTo(1);
            assertThat(session.restored().value("offsets")).isEqualTo(bytes(17));
            assertThat(session.restored().value("nothing")).isNull();
            for (StoreTable table : StoreTable.values()) {
                assertThat(session.get(table, bytes("key"))).isEqualTo(bytes("of " + table));
            }
            assertThat(session.begin().id()).isEqualTo(2);
        }
    }

    @Test
    void nothingOfATransactionIsVisibleBeforeItIsSubmitted() {
        try (StateStore store = open(directory)) {
            LaneSession session = lane(store, 0);
            session.begin().put(StoreTable.STATE, bytes("key"), bytes("value"));
            assertThat(session.get(StoreTable.STATE, bytes("key"))).isNull();
        }
        try (StateStore store = open(directory)) {
            assertThat(lane(store, 0).get(StoreTable.STATE, bytes("key"))).isNull();
        }
    }

    @Test
    void callerMayReuseItsArrays() {
        try (StateStore store = open(directory)) {
            LaneSession session = lane(store, 0);
            byte[] key = bytes("key");
            byte[] value = bytes("value");
            LaneTransaction transaction = session.begin();
            transaction.put(StoreTable.ROWS, key, value);
            key[0] = 'x';
            value[0] = 'x';
            await(session.submit(transaction));
            assertThat(rows(store)).containsExactly(new StoreEntry(bytes("key"), bytes("value")));
        }
    }

    @Test
    void laterCallsOfATransactionReplaceEarlierOnes() {
        try (StateStore store = open(directory)) {
            LaneSession session = lane(store, 0);
            LaneTransaction transaction = session.begin();
            transaction.put(StoreTable.ROWS, bytes("a"), bytes("1"));
            transaction.put(StoreTable.ROWS, bytes("a"), bytes("2"));
            transaction.put(StoreTable.ROWS, bytes("b"), bytes("1"));
            transaction.remove(StoreTable.ROWS, bytes("b"));
            transaction.remove(StoreTable.ROWS, bytes("c"));
            transaction.put(StoreTable.ROWS, bytes("c"), bytes("3"));
            await(session.submit(transaction));
            assertThat(rows(store))
                    .containsExactly(new StoreEntry(bytes("a"), bytes("2")), new StoreEntry(bytes("c"), bytes("3")));
        }
    }

    @Test
    void bytesOfATransactionFollowItsContent() {
        try (StateStore store = open(directory)) {
            LaneTransaction transaction = lane(store, 0).begin();
            long empty = transaction.bytes();
            transaction.put(StoreTable.ROWS, bytes("key"), new byte[1000]);
            long one = transaction.bytes();
            assertThat(one - empty).isBetween(1003L, 1200L);
            transaction.put(StoreTable.ROWS, bytes("key"), new byte[1000]);
            assertThat(transaction.bytes()).isEqualTo(one);
            transaction.lane("name", new byte[10]);
            long named = transaction.bytes();
            transaction.lane("name", new byte[20]);
            assertThat(transaction.bytes()).isEqualTo(named + 10);
        }
    }

    @Test
    void stateOfLanesIsSeparateAndReadByLane() {
        try (StateStore store = open(directory)) {
            LaneSession zero = lane(store, 0);
            LaneSession one = lane(store, 1);
            put(zero, StoreTable.STATE, "key", "zero");
            put(one, StoreTable.STATE, "key", "one");
            put(one, StoreTable.STATE, "other", "one");
            assertThat(zero.get(StoreTable.STATE, bytes("key"))).isEqualTo(bytes("zero"));
            assertThat(zero.scan(StoreTable.STATE, new byte[0], null, 10))
                    .containsExactly(new StoreEntry(bytes("key"), bytes("zero")));
            assertThat(await(store.readState("job", 1, new byte[0], null)
                            .map(entry -> text(entry.key()) + "=" + text(entry.value()))
                            .collectList()))
                    .containsExactly("key=one", "other=one");
            assertThat(await(store.readState("job", 1, bytes("l"), bytes("p"))
                            .map(entry -> text(entry.key()))
                            .collectList()))
                    .containsExactly("other");
            StepVerifier.create(store.readState("nobody", 0, new byte[0], null)).verifyComplete();
        }
    }

    @Test
    void newSessionRefusesTheEarlierOne() {
        try (StateStore store = open(directory)) {
            LaneSession first = lane(store, 0);
            put(first, StoreTable.ROWS, "a", "1");
            LaneTransaction late = first.begin();
            late.put(StoreTable.ROWS, bytes("b"), bytes("2"));
            LaneSession second = lane(store, 0);
            assertThat(second.generation()).isEqualTo(first.generation() + 1);
            StepVerifier.create(first.submit(late))
                    .expectError(StaleGenerationException.class)
                    .verify(Stores.PATIENCE);
            assertThatThrownBy(() -> first.get(StoreTable.ROWS, bytes("a")))
                    .isInstanceOf(StaleGenerationException.class);
            assertThat(rows(store)).hasSize(1);
            assertThat(second.begin().id()).isEqualTo(2);
        }
    }

    @Test
    void transactionQueuedBehindAFenceIsRefusedAndOneBeforeItIsIn() {
        HeldExecutor executor = new HeldExecutor();
        StoreSpec spec = StoreSpec.defaults().executor(executor).scheduler(Schedulers.immediate());
        try (StateStore store = open(directory, spec)) {
            LaneSession first = lane(store, 0);
            LaneTransaction before = first.begin();
            before.put(StoreTable.ROWS, bytes("before"), bytes("1"));
            LaneTransaction behind = first.begin();
            behind.put(StoreTable.ROWS, bytes("behind"), bytes("1"));
            executor.hold();
            List<Object> seen = new ArrayList<>();
            first.submit(before).subscribe(seen::add, seen::add);
            store.openLane("job", 0).subscribe(seen::add, seen::add);
            first.submit(behind).subscribe(seen::add, seen::add);
            assertThat(seen).isEmpty();
            executor.release();
            assertThat(seen).hasSize(3);
            assertThat(seen).anyMatch(StoreCommit.class::isInstance);
            assertThat(seen).anyMatch(StaleGenerationException.class::isInstance);
            LaneSession second = (LaneSession) seen.stream()
                    .filter(LaneSession.class::isInstance)
                    .findAny()
                    .orElseThrow();
            assertThat(second.restored().transaction()).isEqualTo(1);
            assertThat(rows(store)).extracting(entry -> text(entry.key())).containsExactly("before");
            assertThat(await(store.info()).refusedTransactions()).isEqualTo(1);
        }
    }

    @Test
    void transactionsMustComeInOrderAndOnlyOnce() {
        try (StateStore store = open(directory)) {
            LaneSession session = lane(store, 0);
            LaneTransaction one = session.begin();
            LaneTransaction two = session.begin();
            StepVerifier.create(session.submit(two))
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(TransactionRefusedException.class)
                            .hasMessageContaining("Transaction 2")
                            .hasMessageContaining("1 of this session is next"))
                    .verify(Stores.PATIENCE);
            await(session.submit(one));
            await(session.submit(two));
            StepVerifier.create(session.submit(two))
                    .expectError(TransactionRefusedException.class)
                    .verify(Stores.PATIENCE);
            assertThatThrownBy(() -> two.put(StoreTable.ROWS, bytes("a"), bytes("b")))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(session.committedTransaction()).isEqualTo(2);
        }
    }

    @Test
    void tooLargeTransactionClosesTheSessionForLaterOnes() {
        try (StateStore store = open(directory, StoreSpec.defaults().queue(10, 10_000))) {
            LaneSession session = lane(store, 0);
            LaneTransaction large = session.begin();
            large.put(StoreTable.ROWS, bytes("large"), new byte[20_000]);
            StepVerifier.create(session.submit(large))
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(TransactionRefusedException.class)
                            .hasMessageContaining(Long.toString(large.bytes()))
                            .hasMessageContaining("10000"))
                    .verify(Stores.PATIENCE);
            StepVerifier.create(session.submit(session.begin()))
                    .expectErrorMatches(e -> e instanceof TransactionRefusedException && e.getCause() != null)
                    .verify(Stores.PATIENCE);
            put(lane(store, 0), StoreTable.ROWS, "small", "1");
            assertThat(rows(store)).hasSize(1);
        }
    }

    @Test
    void fullQueueRefusesWithoutLosingTheTransaction() {
        HeldExecutor executor = new HeldExecutor();
        StoreSpec spec = StoreSpec.defaults()
                .executor(executor)
                .scheduler(Schedulers.immediate())
                .queue(2, 1 << 20);
        try (StateStore store = open(directory, spec)) {
            LaneSession session = lane(store, 0);
            executor.hold();
            List<Object> seen = new ArrayList<>();
            session.submit(session.begin()).subscribe(seen::add, seen::add);
            session.submit(session.begin()).subscribe(seen::add, seen::add);
            LaneTransaction third = session.begin();
            third.put(StoreTable.ROWS, bytes("third"), bytes("1"));
            StepVerifier.create(session.submit(third))
                    .expectError(StoreQueueFullException.class)
                    .verify(Stores.PATIENCE);
            executor.release();
            assertThat(seen).hasSize(2).allMatch(StoreCommit.class::isInstance);
            await(session.submit(third));
            assertThat(rows(store)).hasSize(1);
        }
    }

    @Test
    void waitingLanesShareOneCommitAndEachHearsOfAll() {
        HeldExecutor executor = new HeldExecutor();
        StoreSpec spec = StoreSpec.defaults().executor(executor).scheduler(Schedulers.immediate());
        try (StateStore store = open(directory, spec)) {
            List<LaneSession> lanes = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                lanes.add(lane(store, i));
            }
            long before = await(store.info()).commit();
            executor.hold();
            List<StoreCommit> seen = new ArrayList<>();
            for (LaneSession session : lanes) {
                session.submit(session.begin()).subscribe(seen::add);
                session.submit(session.begin()).subscribe(seen::add);
            }
            assertThat(await(store.info()).queuedTransactions()).isEqualTo(10);
            executor.release();
            assertThat(seen).hasSize(10).allMatch(commit -> commit.equals(seen.get(0)));
            assertThat(seen.get(0).number()).isEqualTo(before + 1);
            assertThat(seen.get(0).lanes()).hasSize(10).contains(new LaneCommit("job", 4, 2));
            assertThat(await(store.info()).commit()).isEqualTo(before + 1);
        }
    }

    @Test
    void commitsAreSplitWhereTheyWouldBecomeTooLarge() {
        HeldExecutor executor = new HeldExecutor();
        StoreSpec spec = StoreSpec.defaults()
                .executor(executor)
                .scheduler(Schedulers.immediate())
                .commitBytes(10_000);
        try (StateStore store = open(directory, spec)) {
            LaneSession session = lane(store, 0);
            long before = await(store.info()).commit();
            executor.hold();
            List<StoreCommit> seen = new ArrayList<>();
            assertThat(store.pressured()).isFalse();
            for (int i = 0; i < 4; i++) {
                LaneTransaction transaction = session.begin();
                transaction.put(StoreTable.ROWS, bytes(i), new byte[4000]);
                session.submit(transaction).subscribe(seen::add);
            }
            assertThat(store.pressured()).isTrue();
            executor.release();
            assertThat(store.pressured()).isFalse();
            assertThat(seen)
                    .extracting(StoreCommit::number)
                    .containsExactly(before + 1, before + 1, before + 2, before + 2);
        }
    }

    @Test
    void resultsNeverComeOnTheStoreThread() {
        try (StateStore store = open(directory)) {
            LaneSession session = await(store.openLane("job", 0)
                    .doOnNext(opened ->
                            assertThat(Thread.currentThread().getName()).startsWith("parallel")));
            Mono<String> thread = session.submit(session.begin())
                    .map(commit -> Thread.currentThread().getName());
            assertThat(await(thread)).startsWith("parallel");
            Mono<String> opening = StateStore.open(directory.resolve("other"))
                    .doOnNext(StateStore::close)
                    .map(opened -> Thread.currentThread().getName());
            assertThat(await(opening)).startsWith("parallel");
        }
    }

    @Test
    void directoryBelongsToOneStore() {
        StateStore store = open(directory);
        StepVerifier.create(StateStore.open(directory))
                .expectError(StoreLockedException.class)
                .verify(Stores.PATIENCE);
        StepVerifier.create(StateStore.open(directory.resolve("../" + directory.getFileName())))
                .expectError(StoreLockedException.class)
                .verify(Stores.PATIENCE);
        put(lane(store, 0), StoreTable.ROWS, "a", "1");
        store.close();
        store.close();
        try (StateStore again = open(directory)) {
            assertThat(rows(again)).hasSize(1);
        }
    }

    @Test
    void closedStoreSaysSo() {
        StateStore store = open(directory);
        LaneSession session = lane(store, 0);
        LaneTransaction transaction = session.begin();
        store.close();
        StepVerifier.create(store.openLane("job", 0))
                .expectError(StoreClosedException.class)
                .verify(Stores.PATIENCE);
        StepVerifier.create(session.submit(transaction))
                .expectError(StoreClosedException.class)
                .verify(Stores.PATIENCE);
        StepVerifier.create(store.read(StoreTable.ROWS, new byte[0], null))
                .expectError(StoreClosedException.class)
                .verify(Stores.PATIENCE);
        assertThatThrownBy(() -> session.get(StoreTable.ROWS, bytes("a"))).isInstanceOf(StoreClosedException.class);
    }

    @Test
    void closeMakesQueuedTransactionsDurable() {
        HeldExecutor executor = new HeldExecutor();
        StoreSpec spec = StoreSpec.defaults().executor(executor).scheduler(Schedulers.immediate());
        StateStore store = open(directory, spec);
        LaneSession session = lane(store, 0);
        executor.hold();
        LaneTransaction transaction = session.begin();
        transaction.put(StoreTable.ROWS, bytes("a"), bytes("1"));
        session.submit(transaction).subscribe();
        executor.release();
        store.close();
        try (StateStore again = open(directory)) {
            assertThat(rows(again)).hasSize(1);
        }
    }

    @Test
    void queueHasRoomForWhatALaneMayChangeUnlessItIsSet() {
        StoreSpec spec = StoreSpec.defaults();
        assertThat(spec.stateBytes(1 << 20).queueBytes()).isEqualTo(256L << 20);
        assertThat(spec.stateBytes(2L << 30).queueBytes()).isEqualTo(8L << 30);
        assertThat(spec.queue(8, 1000).stateBytes(2L << 30).queueBytes()).isEqualTo(1000);
    }

    @Test
    void storeWithoutItsMarkIsRefused() throws Exception {
        StoreFile file = StoreFile.open(directory, StoreSpec.defaults());
        file.store().setStoreVersion(StoreFile.LAYOUT + 1);
        file.commit(1);
        file.close();
        StepVerifier.create(StateStore.open(directory))
                .expectErrorSatisfies(e -> assertThat(e)
                        .isInstanceOf(StoreFormatException.class)
                        .hasMessageContaining("layout version " + (StoreFile.LAYOUT + 1)))
                .verify(Stores.PATIENCE);
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("state.mv"), "not a store".repeat(2000));
        StepVerifier.create(StateStore.open(other))
                .expectError(StateStoreException.class)
                .verify(Stores.PATIENCE);
    }

    @Test
    void unfinishedFileOfAnInterruptedCreationIsReplaced() throws Exception {
        Files.writeString(directory.resolve("state.mv.new"), "half a header");
        try (StateStore store = open(directory)) {
            assertThat(rows(store)).isEmpty();
        }
        assertThat(directory.resolve("state.mv.new")).doesNotExist();
    }

    @Test
    void closedFileIsNotMarkedCleanSoThatTheNextOpeningChecksIt() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (StateStore store = open(directory)) {
                put(lane(store, 0), StoreTable.ROWS, "a", "1");
            }
            String file = new String(Files.readAllBytes(directory.resolve("state.mv")), StandardCharsets.ISO_8859_1);
            assertThat(file).contains("H:2,").doesNotContain("clean:1");
        }
    }

    @Test
    void openingThatNobodyWaitsForIsClosedAgain() {
        HeldExecutor executor = new HeldExecutor();
        executor.hold();
        StateStore.open(directory, StoreSpec.defaults().executor(executor).scheduler(Schedulers.immediate()))
                .subscribe()
                .dispose();
        executor.release();
        try (StateStore store = open(directory)) {
            assertThat(rows(store)).isEmpty();
        }
    }

    @Test
    void putsAreNotCommittedUnlessAsked() throws Exception {
        StoreFile file = StoreFile.open(directory, StoreSpec.defaults());
        assertThat(file.store().getAutoCommitMemory()).isZero();
        assertThat(file.store().getAutoCommitDelay()).isZero();
        long version = file.store().getCurrentVersion();
        for (long i = 0; i < 60_000; i++) {
            byte[] key = bytes(i * 0x9E3779B97F4A7C15L);
            file.table(StoreTable.ROWS).put(key, ValueFrame.of(key, new byte[1024]));
        }
        assertThat(file.store().getCurrentVersion()).isEqualTo(version);
        assertThat(file.unsavedBytes()).isGreaterThan(60_000_000);
        file.close();
        StoreFile again = StoreFile.open(directory, StoreSpec.defaults());
        assertThat(again.table(StoreTable.ROWS).sizeAsLong()).isZero();
        again.close();
    }

    @Test
    void damagedValueIsReportedWithTableAndKey() throws Exception {
        try (StateStore store = open(directory)) {
            LaneSession session = lane(store, 0);
            put(session, StoreTable.ROWS, "a", "1");
            put(session, StoreTable.ROWS, "b", "2");
        }
        StoreFile file = StoreFile.open(directory, StoreSpec.defaults());
        byte[] frame = Objects.requireNonNull(file.table(StoreTable.ROWS).get(bytes("b")))
                .clone();
        frame[frame.length - 6] ^= 1;
        file.table(StoreTable.ROWS).put(bytes("b"), frame);
        file.commit(file.commitNumber() + 1);
        file.close();
        try (StateStore store = open(directory)) {
            StepVerifier.create(store.read(StoreTable.ROWS, bytes("a"), bytes("b")))
                    .expectNextCount(1)
                    .verifyComplete();
            StepVerifier.create(store.read(StoreTable.ROWS, new byte[0], null))
                    .expectErrorSatisfies(e -> assertThat(e)
                            .isInstanceOf(CorruptValueException.class)
                            .hasMessageContaining("key 62")
                            .hasMessageContaining("table rows"))
                    .verify(Stores.PATIENCE);
            LaneSession session = lane(store, 0);
            assertThatThrownBy(() -> session.get(StoreTable.ROWS, bytes("b")))
                    .isInstanceOf(CorruptValueException.class);
            put(session, StoreTable.ROWS, "b", "3");
            assertThat(rows(store)).hasSize(2);
        }
    }
}
