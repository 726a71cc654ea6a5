package io.fluxmark.state;

import static io.fluxmark.state.Stores.await;
import static io.fluxmark.state.Stores.bytes;
import static io.fluxmark.state.Stores.lane;
import static io.fluxmark.state.Stores.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class SavepointTest {

    private static final int KEYS = 600;

    @TempDir
    Path directory;

    private Path savepoints() {
        return directory.resolve("savepoints");
    }

    private StateStore open(String name) {
        return Stores.open(directory.resolve(name), StoreSpec.defaults().cacheMegabytes(1));
    }

    /** Every key of rows and state with the same version. */
    private static Mono<StoreCommit> write(LaneSession session, long version) {
        LaneTransaction transaction = session.begin();
        for (long key = 0; key < KEYS; key++) {
            byte[] value = Arrays.copyOf(bytes(version), 300);
            transaction.put(StoreTable.ROWS, bytes(key), value);
            transaction.put(StoreTable.STATE, bytes(key), value);
        }
        transaction.lane("version", bytes(version));
        return session.submit(transaction);
    }

    private static Set<Long> versions(Flux<StoreEntry> entries) {
        List<StoreEntry> all = await(entries.collectList());
        assertThat(all).hasSize(KEYS);
        Set<Long> versions = new HashSet<>();
        all.forEach(entry -> versions.add(number(entry.value())));
        return versions;
    }

    @Test
    void takenWhileCommitsGoOnItHoldsOneCommitAndRestoresUnderAnotherName() {
        int rounds = Stores.THOROUGH ? 40 : 5;
        List<Savepoint> taken = new ArrayList<>();
        long written;
        try (StateStore store = open("live")) {
            LaneSession session = lane(store, 0);
            await(write(session, 1));
            AtomicBoolean stop = new AtomicBoolean();
            Mono<Long> writer = Mono.fromCallable(() -> {
                        long version = 1;
                        while (!stop.get()) {
                            await(write(session, ++version));
                        }
                        return version;
                    })
                    .subscribeOn(Schedulers.boundedElastic());
            Mono<List<Savepoint>> all = Flux.range(0, rounds)
                    .concatMap(i -> Savepoints.take(
                                    store,
                                    savepoints(),
                                    SavepointSpec.named("s" + i)
                                            .noting(snapshot -> Mono.just(Map.of("commit", "" + snapshot.commit()))))
                            .delayUntil(savepoint -> store.commits()
                                    .filter(commit -> commit > savepoint.commit() + 1)
                                    .next()))
                    .collectList()
                    .doFinally(signal -> stop.set(true));
            written = await(Mono.zip(all.doOnNext(taken::addAll), writer, (list, version) -> version));
        }
        Set<Long> seen = new HashSet<>();
        for (Savepoint savepoint : taken) {
            assertThat(savepoint.notes()).containsEntry("commit", Long.toString(savepoint.commit()));
            Path restored = directory.resolve("restored-" + savepoint.name());
            Savepoints.restore(
                            Savepoints.read(savepoint.directory()),
                            restored,
                            RestoreSpec.defaults().rename("job", "copy"))
                    .block(Stores.PATIENCE);
            try (StateStore store = Stores.open(restored)) {
                assertThat(await(store.info()).commit()).isEqualTo(savepoint.commit());
                Set<Long> rows = versions(store.read(StoreTable.ROWS, new byte[0], null));
                assertThat(versions(store.readState("copy", 0, new byte[0], null)))
                        .isEqualTo(rows)
                        .hasSize(1);
                LaneSession session = await(store.openLane("copy", 0));
                assertThat(rows).containsExactly(number(session.restored().value("version")));
                assertThat(session.restored().transaction())
                        .isEqualTo(savepoint.lanes().get(0).transaction());
                assertThat(await(store.snapshot(snapshot -> Flux.fromIterable(snapshot.lanes()))
                                .collectList()))
                        .extracting(StoredLane::job)
                        .containsExactly("copy");
                // The restored store is a store like any other.
                await(write(session, -1));
                assertThat(versions(store.read(StoreTable.ROWS, new byte[0], null)))
                        .containsExactly(-1L);
                seen.addAll(rows);
            }
            assertThat(OfflineStore.verify(restored, read -> {}).damages()).isEmpty();
        }
        assertThat(seen).hasSize(rounds);
        assertThat(Savepoints.newest(savepoints())).contains(taken.get(rounds - 1));
        assertThat(Savepoints.list(savepoints())).isEqualTo(taken);
        System.out.printf("savepoints: %d taken beside %d commits, each of one of them%n", rounds, written);
    }

    @Test
    void droppedEntriesStayBehindAndTheFileIsSmall() throws IOException {
        try (StateStore store = open("live")) {
            LaneSession session = lane(store, 0);
            for (int version = 0; version < 20; version++) {
                await(write(session, version));
            }
            LaneTransaction drop = session.begin();
            drop.dropRange(StoreTable.ROWS, bytes(10), bytes(KEYS));
            await(session.submit(drop));
            Savepoint savepoint = await(Savepoints.take(store, savepoints(), SavepointSpec.named("small")));
            assertThat(savepoint.entries()).containsEntry("rows", 10L).containsEntry("state", (long) KEYS);
            assertThat(Files.size(savepoint.directory().resolve("state.mv")))
                    .isLessThan(await(store.info()).fileBytes());
        }
    }

    @Test
    void cancellingAtAnyMomentLeavesNothingAndTheStoreAlive() throws Exception {
        Random random = new Random(7);
        int rounds = Stores.THOROUGH ? 300 : 30;
        int complete = 0;
        try (StateStore store = open("live")) {
            LaneSession session = lane(store, 0);
            for (int version = 1; version <= rounds; version++) {
                await(write(session, version));
                CountDownLatch ended = new CountDownLatch(1);
                SavepointSpec spec = SavepointSpec.named("s" + version).noting(snapshot -> {
                    ended.countDown();
                    return Mono.just(Map.of());
                });
                Disposable taking = Savepoints.take(store, savepoints(), spec).subscribe();
                assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
                for (int spin = random.nextInt(2_000); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                taking.dispose();
            }
            // Writers that were cancelled clean up after themselves; the last of them has the same queue to go through.
            long deadline = System.nanoTime() + Stores.PATIENCE.toNanos();
            while (names().stream().anyMatch(name -> name.endsWith(Savepoints.UNFINISHED))
                    && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(names()).noneMatch(name -> name.endsWith(Savepoints.UNFINISHED));
            complete = Savepoints.list(savepoints()).size();
            await(write(session, -1));
            assertThat(versions(store.read(StoreTable.ROWS, new byte[0], null))).containsExactly(-1L);
            assertThat(await(store.info()).reopenings()).isZero();
        }
        System.out.printf("savepoints: %d cancelled, of which %d were complete%n", rounds, complete);
    }

    private List<String> names() throws IOException {
        if (!Files.exists(savepoints())) {
            return List.of();
        }
        try (Stream<Path> names = Files.list(savepoints())) {
            return names.map(name -> name.getFileName().toString()).toList();
        }
    }

    @Test
    void whatIsNotCompleteOrDamagedIsRefusedAndNoStoreComesOfIt() throws IOException {
        Savepoint savepoint;
        try (StateStore store = open("live")) {
            await(write(lane(store, 0), 1));
            savepoint = await(Savepoints.take(store, savepoints(), SavepointSpec.named("whole")));
            assertThatThrownBy(() -> await(Savepoints.take(store, savepoints(), SavepointSpec.named("whole"))))
                    .isInstanceOf(StateStoreException.class)
                    .hasMessageContaining("already");
            assertThatThrownBy(() -> Savepoints.restore(savepoint, directory.resolve("live"))
                            .block())
                    .isInstanceOf(StoreLockedException.class);
        }
        assertThatThrownBy(() ->
                        Savepoints.restore(savepoint, directory.resolve("live")).block())
                .hasMessageContaining("a store in")
                .hasMessageContaining("already");

        Path half = copy(savepoint, "half");
        Files.delete(half.resolve("MANIFEST"));
        assertThatThrownBy(() -> Savepoints.read(half)).hasMessageContaining("no complete savepoint");
        copy(savepoint, "other" + Savepoints.UNFINISHED);
        assertThat(Savepoints.list(savepoints())).containsExactly(savepoint);

        Path file = copy(savepoint, "no-file");
        Files.delete(file.resolve("state.mv"));
        refused(Savepoints.read(file), "lost its store file");

        // The last page of values lies well before the end of the file.
        Random random = new Random(11);
        Map<String, Integer> reasons = new TreeMap<>();
        int noticed = 0;
        byte[] intact = Files.readAllBytes(savepoint.directory().resolve("state.mv"));
        for (int i = 0; i < 40; i++) {
            Path damaged = copy(savepoint, "damaged-" + i);
            byte[] bytes = intact.clone();
            if (i % 3 == 1) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            } else if (i % 3 == 2) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            Files.write(damaged.resolve("state.mv"), bytes);
            Path target = directory.resolve("from-damaged-" + i);
            try {
                Savepoints.restore(Savepoints.read(damaged), target).block(Stores.PATIENCE);
                // Not every bit of a file means something.
                try (StateStore store = Stores.open(target)) {
                    assertThat(versions(store.read(StoreTable.ROWS, new byte[0], null)))
                            .containsExactly(1L);
                }
            } catch (StateStoreException e) {
                noticed++;
                assertThat(i % 3).as("an intact copy is not refused").isNotZero();
                reasons.merge(
                        e.getMessage().replaceAll(".*(cannot be read|checksum|damaged-).*", "$1"), 1, Integer::sum);
                assertThat(OfflineStore.exists(target)).isFalse();
            }
        }
        System.out.printf(
                "savepoints: %d of 26 damaged copies refused %s, the others restored whole%n", noticed, reasons);
        assertThat(noticed).isGreaterThan(13);
    }

    private void refused(Savepoint savepoint, String why) {
        Path target = directory.resolve("target");
        assertThatThrownBy(() -> Savepoints.restore(savepoint, target).block(Stores.PATIENCE))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(why);
        assertThat(OfflineStore.exists(target)).isFalse();
    }

    private Path copy(Savepoint savepoint, String name) throws IOException {
        Path copy = Files.createDirectories(savepoints().resolve(name));
        for (String file : List.of("MANIFEST", "state.mv")) {
            Files.copy(savepoint.directory().resolve(file), copy.resolve(file));
        }
        return copy;
    }

    @Test
    void restoringLeavesTheSavepointAsItIsAndNamesAreChecked() throws IOException {
        Savepoint savepoint;
        try (StateStore store = open("live")) {
            await(write(lane(store, 0), 1));
            await(write(await(store.openLane("other", 0)), 1));
            savepoint = await(Savepoints.take(store, savepoints(), SavepointSpec.named("whole")));
        }
        byte[] before = Files.readAllBytes(savepoint.directory().resolve("state.mv"));
        refuse(savepoint, RestoreSpec.defaults().rename("jop", "x"), "no job 'jop'");
        refuse(savepoint, RestoreSpec.defaults().rename("job", "other"), "another job");
        assertThatThrownBy(() -> RestoreSpec.defaults().rename("job", "x").rename("other", "x"))
                .isInstanceOf(IllegalArgumentException.class);
        RestoreSpec swapped = RestoreSpec.defaults().rename("job", "other").rename("other", "job");
        Savepoints.restore(savepoint, directory.resolve("swapped"), swapped).block(Stores.PATIENCE);
        assertThat(Files.readAllBytes(savepoint.directory().resolve("state.mv")))
                .isEqualTo(before);
        assertThatThrownBy(() -> SavepointSpec.named("../x")).hasMessageContaining("'../x'");
        assertThatThrownBy(() -> SavepointSpec.named("a" + Savepoints.UNFINISHED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Savepoints.newest(directory.resolve("nowhere"))).isEmpty();
    }

    private void refuse(Savepoint savepoint, RestoreSpec spec, String why) {
        assertThatThrownBy(() -> Savepoints.restore(savepoint, directory.resolve("target"), spec)
                        .block(Stores.PATIENCE))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(why);
    }

    @Test
    void whatAnInterruptedOneHasLeftIsTakenAwayByTheNextOfItsName() throws IOException {
        Path left = Files.createDirectories(savepoints().resolve("again" + Savepoints.UNFINISHED));
        for (String file : List.of("LOCK", "MANIFEST", "state.mv", "state.mv.new")) {
            Files.write(left.resolve(file), new byte[] {1, 2, 3});
        }
        Path target = Files.createDirectories(directory.resolve("target"));
        Files.write(target.resolve("state.mv.new"), new byte[] {1, 2, 3});
        try (StateStore store = open("live")) {
            await(write(lane(store, 0), 1));
            Savepoint savepoint = await(Savepoints.take(store, savepoints(), SavepointSpec.named("again")));
            assertThat(names()).containsExactly("again");
            Savepoints.restore(savepoint, target).block(Stores.PATIENCE);
        }
        try (StateStore store = Stores.open(target)) {
            assertThat(versions(store.read(StoreTable.ROWS, new byte[0], null))).containsExactly(1L);
        }
    }

    @Test
    void aStoreThatClosesMeanwhileLeavesNoSavepoint() {
        StateStore store = open("live");
        await(write(lane(store, 0), 1));
        SavepointSpec spec = SavepointSpec.named("late")
                .noting(snapshot -> Mono.fromCallable(() -> {
                    store.close();
                    return Map.of();
                }));
        assertThatThrownBy(() -> await(Savepoints.take(store, savepoints(), spec)))
                .isInstanceOf(StoreClosedException.class);
        assertThat(Savepoints.list(savepoints())).isEmpty();
    }
}
