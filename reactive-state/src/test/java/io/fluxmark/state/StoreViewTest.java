package io.fluxmark.state;

import static io.fluxmark.state.Stores.await;
import static io.fluxmark.state.Stores.bytes;
import static io.fluxmark.state.Stores.lane;
import static io.fluxmark.state.Stores.number;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class StoreViewTest {

    private static final int KEYS = 1000;

    @TempDir
    Path directory;

    @Test
    void readersSeeOneCommitHoweverMuchIsCommittedAndReusedMeanwhile() {
        int scans = Stores.THOROUGH ? 60 : 6;
        try (StateStore store = Stores.open(directory, StoreSpec.defaults().cacheMegabytes(1))) {
            LaneSession session = lane(store, 0);
            writeLarge(session, 0);
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger commits = new AtomicInteger();
            Mono<Void> writer = Mono.<Void>fromRunnable(() -> {
                        for (long version = 1; !stop.get(); version++) {
                            writeLarge(session, version);
                            commits.incrementAndGet();
                        }
                    })
                    .subscribeOn(Schedulers.boundedElastic());
            Mono<List<Set<Long>>> reader = Flux.range(0, scans)
                    // A different request size each time, so that pages and demand fall apart in many ways.
                    .concatMap(i -> store.read(StoreTable.ROWS, new byte[0], null)
                            .limitRate(1 + i * 37)
                            .publishOn(Schedulers.parallel(), 1 + i)
                            .concatMap(entry ->
                                    number(entry.key()) % 100 == 0 ? afterNextCommit(store, entry) : Mono.just(entry))
                            .collectList()
                            .map(entries -> {
                                assertThat(entries).hasSize(KEYS);
                                Set<Long> versions = new HashSet<>();
                                entries.forEach(entry -> versions.add(number(entry.value())));
                                return versions;
                            }))
                    .collectList()
                    .doFinally(signal -> stop.set(true));
            List<Set<Long>> seen = await(Mono.zip(reader, writer.thenReturn(true), (versions, done) -> versions));
            assertThat(seen).allMatch(versions -> versions.size() == 1);
            assertThat(await(store.info()).pinnedViews()).isEqualTo(1);
            System.out.printf("views: %d scans of %d entries beside %d commits%n", scans, KEYS, commits.get());
            assertThat(commits.get()).isGreaterThan(scans * KEYS / 100 / 2);
        }
    }

    @Test
    void laneReadsBesideItsOwnCommitsNeverMissAKey() {
        try (StateStore store = Stores.open(directory, StoreSpec.defaults().cacheMegabytes(1))) {
            LaneSession session = lane(store, 0);
            writeAll(session, 0);
            Random random = new Random(5);
            List<Mono<StoreCommit>> running = new ArrayList<>();
            for (long version = 1; version <= (Stores.THOROUGH ? 300 : 40); version++) {
                LaneTransaction transaction = session.begin();
                for (long key = 0; key < KEYS; key++) {
                    transaction.put(StoreTable.STATE, bytes(key), bytes(version));
                }
                Mono<StoreCommit> commit = session.submit(transaction).cache();
                commit.subscribe();
                running.add(commit);
                for (int i = 0; i < 500; i++) {
                    // Transaction n wrote n - 1; a read sees at least what was durable before it began.
                    long durable = session.committedTransaction() - 1;
                    byte[] value = session.get(StoreTable.STATE, bytes(random.nextInt(KEYS)));
                    assertThat(number(value)).isBetween(durable, version);
                }
                assertThat(session.scan(StoreTable.STATE, bytes(100), bytes(400), 300))
                        .hasSize(300);
            }
            await(Flux.merge(running).then(Mono.just(true)));
        }
    }

    @Test
    void onlyWhatIsRequestedIsEmittedAndCancellingLetsGoOfTheView() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneSession session = lane(store, 0);
            writeAll(session, 1);
            StepVerifier.create(store.read(StoreTable.ROWS, bytes(10), bytes(990)), 0)
                    .thenRequest(3)
                    .expectNextCount(3)
                    .then(() -> writeAll(session, 2))
                    .then(() -> assertThat(await(store.info()).pinnedViews()).isEqualTo(2))
                    .thenRequest(600)
                    .expectNextCount(600)
                    .thenCancel()
                    .verify(Stores.PATIENCE);
            assertThat(await(store.info()).pinnedViews()).isEqualTo(1);
            StepVerifier.create(store.read(StoreTable.ROWS, bytes(10), bytes(990)))
                    .expectNextCount(980)
                    .verifyComplete();
            StepVerifier.create(
                            store.read(StoreTable.ROWS, bytes(10), bytes(990)).take(5))
                    .expectNextCount(5)
                    .verifyComplete();
            assertThat(await(store.info()).pinnedViews()).isEqualTo(1);
        }
    }

    @Test
    void pageBoundariesLoseAndRepeatNothing() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneSession session = lane(store, 0);
            for (int size : new int[] {ViewScan.PAGE - 1, ViewScan.PAGE, ViewScan.PAGE + 1, 2 * ViewScan.PAGE}) {
                LaneTransaction transaction = session.begin();
                transaction.dropRange(StoreTable.LATE, bytes(0), bytes(Long.MAX_VALUE));
                transaction.dropRange(StoreTable.STATE, bytes(0), bytes(Long.MAX_VALUE));
                for (long i = 0; i < size; i++) {
                    transaction.put(StoreTable.LATE, bytes(i), bytes(i));
                    transaction.put(StoreTable.STATE, bytes(i), bytes(i));
                }
                await(session.submit(transaction));
                for (Flux<StoreEntry> entries : List.of(
                        store.read(StoreTable.LATE, new byte[0], null), store.readState("job", 0, new byte[0], null))) {
                    assertThat(await(entries.map(entry -> number(entry.key())).collectList()))
                            .hasSize(size)
                            .isSorted()
                            .doesNotHaveDuplicates();
                }
            }
        }
    }

    @Test
    void commitNumbersAreConflatedToTheNewest() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneSession session = lane(store, 0);
            long now = await(store.info()).commit();
            StepVerifier.create(store.commits(), 0)
                    .thenRequest(1)
                    .expectNext(now)
                    .then(() -> {
                        for (int i = 0; i < 5; i++) {
                            await(session.submit(session.begin()));
                        }
                    })
                    .thenRequest(1)
                    .expectNext(now + 5)
                    .thenRequest(1)
                    .then(() -> await(session.submit(session.begin())))
                    .expectNext(now + 6)
                    .then(store::close)
                    .expectError(StoreClosedException.class)
                    .verify(Stores.PATIENCE);
        }
    }

    @Test
    void commitNumbersComeOnTheScheduler() {
        try (StateStore store = Stores.open(directory)) {
            LaneSession session = lane(store, 0);
            long before = await(store.info()).commit();
            Mono<String> next = store.commits()
                    .filter(number -> number > before)
                    .map(number -> Thread.currentThread().getName())
                    .next()
                    .doOnSubscribe(
                            subscription -> session.submit(session.begin()).subscribe());
            assertThat(await(next)).startsWith("parallel");
        }
    }

    @Test
    void operatorsCanBeScanned() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            writeAll(lane(store, 0), 1);
            for (Flux<?> flux : List.of(store.read(StoreTable.ROWS, new byte[0], null), store.commits())) {
                AtomicBoolean seen = new AtomicBoolean();
                flux.doOnSubscribe(subscription -> {
                            Scannable scannable = Scannable.from(subscription);
                            assertThat(scannable.scan(Scannable.Attr.ACTUAL)).isNotNull();
                            assertThat(scannable.scan(Scannable.Attr.CANCELLED)).isFalse();
                            seen.set(true);
                        })
                        .take(1)
                        .blockLast(Stores.PATIENCE);
                assertThat(seen).isTrue();
            }
        }
    }

    /** More than the page cache holds, so that a view has to be read from the file. */
    private static void writeLarge(LaneSession session, long version) {
        LaneTransaction transaction = session.begin();
        for (long key = 0; key < KEYS; key++) {
            transaction.put(StoreTable.ROWS, bytes(key), Arrays.copyOf(bytes(version), 2048));
        }
        await(session.submit(transaction));
    }

    private static Mono<StoreEntry> afterNextCommit(StateStore store, StoreEntry entry) {
        return store.commits().skip(1).next().thenReturn(entry);
    }

    private static void writeAll(LaneSession session, long version) {
        LaneTransaction transaction = session.begin();
        for (long key = 0; key < KEYS; key++) {
            transaction.put(StoreTable.ROWS, bytes(key), bytes(version));
            transaction.put(StoreTable.STATE, bytes(key), bytes(version));
        }
        await(session.submit(transaction));
    }
}
