package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.StepVerifier;

@ExtendWith(FaultyFileSystem.Reset.class)
class StoreFailureTest {

    @TempDir
    Path directory;

    @Test
    void storeReopensItselfAfterAFailureAtAnyChangeOfTheFile() throws Exception {
        int failed = 0;
        int kept = 0;
        int retried = 0;
        int points = Stores.THOROUGH ? 400 : 60;
        for (int point = 0; point < points; point++) {
            Path place = Files.createDirectory(directory.resolve("at" + point));
            CrashModel model = new CrashModel(point);
            try (StateStore store = Stores.open(
                    place,
                    Stores.synchronous().filePrefix(FaultyFileSystem.PREFIX).dropSlice(5))) {
                LaneSession session = Stores.lane(store, 0);
                long acknowledged = 0;
                FaultyFileSystem.failAfter(point, false, point % 2 == 0);
                Throwable error = null;
                int since = 0;
                while (error == null && since < 20) {
                    since += FaultyFileSystem.failures() == 0 ? 0 : 1;
                    AtomicReference<Throwable> outcome = new AtomicReference<>();
                    model.submit(session).subscribe(commit -> {}, outcome::set);
                    error = outcome.get();
                    acknowledged += error == null ? 1 : 0;
                }
                assertThat(FaultyFileSystem.failures()).isEqualTo(1);
                if (error == null) {
                    // H2 tries a failed truncation again by itself.
                    retried++;
                    model.verify(store, Stores.lane(store, 0));
                    assertThat(Stores.await(store.info()).reopenings()).isZero();
                    continue;
                }
                assertThat(error).isInstanceOf(StoreReopenedException.class).hasRootCauseMessage(rootMessage(error));
                LaneSession old = session;
                assertThatThrownBy(() -> old.get(StoreTable.ROWS, new byte[1]))
                        .isInstanceOf(StoreReopenedException.class);
                session = Stores.lane(store, 0);
                assertThat(session.restored().transaction()).isBetween(acknowledged, acknowledged + 1);
                kept += session.restored().transaction() > acknowledged ? 1 : 0;
                failed++;
                model.verify(store, session);
                for (int i = 0; i < 10; i++) {
                    Stores.await(model.submit(session));
                }
                assertThat(Stores.await(store.info()).reopenings()).isEqualTo(1);
            }
            try (StateStore store = Stores.open(place)) {
                model.verify(store, Stores.lane(store, 0));
            }
        }
        System.out.printf(
                "injected failures: %d points, %d reopened, %d kept the transaction, %d truncations tried again%n",
                points, failed, kept, retried);
        assertThat(failed + retried).isEqualTo(points);
        assertThat(retried).isLessThan(points / 10);
    }

    private static String rootMessage(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        assertThat(root.getMessage()).endsWith("(injected)");
        return root.getMessage();
    }

    @Test
    void everythingThatWaitedEndsWithTheRetryableReason() {
        HeldExecutor executor = new HeldExecutor();
        StoreSpec spec = Stores.synchronous()
                .executor(executor)
                .filePrefix(FaultyFileSystem.PREFIX)
                .commitBytes(1);
        try (StateStore store = Stores.open(directory, spec)) {
            LaneSession one = Stores.lane(store, 1);
            LaneSession two = Stores.lane(store, 2);
            AtomicReference<Throwable> first = new AtomicReference<>();
            AtomicReference<Throwable> second = new AtomicReference<>();
            AtomicReference<Throwable> fence = new AtomicReference<>();
            AtomicReference<Throwable> tail = new AtomicReference<>();
            store.commits().subscribe(number -> {}, tail::set);
            executor.hold();
            one.submit(one.begin()).subscribe(commit -> {}, first::set);
            two.submit(two.begin()).subscribe(commit -> {}, second::set);
            store.openLane("job", 3).subscribe(session -> {}, fence::set);
            FaultyFileSystem.failAfter(0, false, false);
            executor.release();
            assertThat(first.get()).isInstanceOf(StoreReopenedException.class);
            assertThat(second.get()).isSameAs(first.get());
            assertThat(fence.get()).isSameAs(first.get());
            assertThat(tail.get()).isSameAs(first.get());
            StepVerifier.create(two.submit(two.begin()))
                    .expectError(StoreReopenedException.class)
                    .verify(Stores.PATIENCE);
            assertThat(Stores.put(Stores.lane(store, 2), StoreTable.ROWS, "a", "1")
                            .number())
                    .isPositive();
        }
    }

    @Test
    void diskThatStaysFullKeepsTheStoreClosedWithTheCause() {
        StoreSpec spec = Stores.synchronous().filePrefix(FaultyFileSystem.PREFIX);
        StateStore store = Stores.open(directory, spec);
        LaneSession session = Stores.lane(store, 0);
        Stores.put(session, StoreTable.ROWS, "a", "1");
        FaultyFileSystem.failAfter(0, true, true);
        for (int i = 0; i < 3; i++) {
            LaneSession current = session;
            StepVerifier.create(current.submit(current.begin()))
                    .expectErrorSatisfies(error -> assertThat(error)
                            .isInstanceOf(DiskFullException.class)
                            .hasMessageContaining("full")
                            .hasMessageContaining("make room"))
                    .verify(Stores.PATIENCE);
            // Opening needs no write, so the store may well come back; the fence then meets the full disk.
            StepVerifier.create(store.openLane("job", 0))
                    .expectError(StateStoreException.class)
                    .verify(Stores.PATIENCE);
        }
        FaultyFileSystem.heal();
        session = Stores.lane(store, 0);
        assertThat(session.restored().transaction()).isEqualTo(1);
        Stores.put(session, StoreTable.ROWS, "b", "2");
        assertThat(Stores.rows(store)).hasSize(2);
        store.close();
    }

    @Test
    void aStoreThatCannotBeOpenedAgainCanBeClosedAndGivesItsDirectoryBack() throws Exception {
        StateStore store = Stores.open(directory, Stores.synchronous().filePrefix(FaultyFileSystem.PREFIX));
        LaneSession session = Stores.lane(store, 0);
        Stores.put(session, StoreTable.ROWS, "a", "1");
        Path file = directory.resolve("state.mv");
        byte[] good = Files.readAllBytes(file);
        Files.write(file, new byte[good.length]);
        FaultyFileSystem.failAfter(0, false, false);
        StepVerifier.create(session.submit(session.begin()))
                .expectError(StoreReopenedException.class)
                .verify(Stores.PATIENCE);
        StepVerifier.create(store.openLane("job", 0))
                .expectError(StoreClosedException.class)
                .verify(Stores.PATIENCE);
        assertTimeoutPreemptively(Stores.PATIENCE, store::close);
        Files.write(file, good);
        try (StateStore again = Stores.open(directory, Stores.synchronous())) {
            assertThat(Stores.rows(again)).hasSize(1);
        }
    }

    @Test
    void readOfAViewEndsWhenTheStoreFails() {
        StoreSpec spec =
                Stores.synchronous().filePrefix(FaultyFileSystem.PREFIX).cacheMegabytes(1);
        try (StateStore store = Stores.open(directory, spec)) {
            LaneSession session = Stores.lane(store, 0);
            LaneTransaction transaction = session.begin();
            for (long i = 0; i < 5000; i++) {
                transaction.put(StoreTable.ROWS, Stores.bytes(i), new byte[100]);
            }
            Stores.await(session.submit(transaction));
            StepVerifier.create(store.read(StoreTable.ROWS, new byte[0], null), 10)
                    .expectNextCount(10)
                    .then(() -> {
                        FaultyFileSystem.failAfter(0, false, false);
                        session.submit(session.begin()).subscribe(commit -> {}, error -> {});
                    })
                    .thenRequest(Long.MAX_VALUE)
                    .thenConsumeWhile(entry -> true)
                    .expectError(StoreReopenedException.class)
                    .verify(Stores.PATIENCE);
            assertThat(Stores.rows(store)).hasSize(5000);
            assertThat(Stores.await(store.info()).pinnedViews()).isEqualTo(1);
        }
    }
}
