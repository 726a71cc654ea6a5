package io.fluxmark.state;

import static io.fluxmark.state.Stores.await;
import static io.fluxmark.state.Stores.bytes;
import static io.fluxmark.state.Stores.lane;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class StoreSnapshotTest {

    @TempDir
    Path directory;

    private StateStore store;
    private LaneSession session;

    @BeforeEach
    void open() {
        store = Stores.open(directory, Stores.synchronous());
        session = lane(store, 0);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void write(long version) {
        LaneTransaction transaction = session.begin();
        transaction.put(StoreTable.ROWS, bytes("row"), bytes(version));
        transaction.put(StoreTable.LATE, bytes("late"), bytes(version));
        transaction.put(StoreTable.STATE, bytes("state"), bytes(version));
        transaction.longs("operator", "longs", new long[] {version});
        transaction.lane("name", bytes(version));
        await(session.submit(transaction));
    }

    private void assertNothingHeld() {
        assertThat(await(store.info()).pinnedViews()).isEqualTo(1);
    }

    @Test
    void everythingReadFromItIsOfOneCommitHoweverManyFollow() {
        write(1);
        long commit = await(store.info()).commit();
        List<Long> seen = await(store.snapshot(snapshot -> Flux.concat(
                        snapshot.read(StoreTable.ROWS, new byte[0], null).map(e -> Stores.number(e.value())),
                        after(() -> write(2)),
                        snapshot.read(StoreTable.LATE, new byte[0], null).map(e -> Stores.number(e.value())),
                        snapshot.readState("job", 0, bytes("state"), null).map(e -> Stores.number(e.value())),
                        after(() -> lane(store, 1)),
                        snapshot.longs("job", 0).map(longs -> longs.values()[0]),
                        Flux.fromIterable(snapshot.lanes())
                                .map(lane -> Stores.number(
                                        Objects.requireNonNull(lane.record().value("name")))),
                        Flux.defer(() -> Flux.fromIterable(snapshot.scan(StoreTable.ROWS, new byte[0], null, 10)))
                                .map(e -> Stores.number(e.value())),
                        Mono.fromSupplier(() -> snapshot.commit() - commit + 1)))
                .collectList());
        assertThat(seen).hasSize(7).containsOnly(1L);
        assertThat(await(store.info()).commit()).isGreaterThan(commit + 1);
        assertThat(Stores.number(Stores.rows(store).get(0).value())).isEqualTo(2);
        assertNothingHeld();
    }

    private static Mono<Long> after(Runnable what) {
        return Mono.fromRunnable(what);
    }

    @Test
    void itIsLetGoOfWhateverEndsTheReading() {
        write(1);
        assertThatThrownBy(() -> store.snapshot(snapshot -> {
                            throw new IllegalStateException("boom");
                        })
                        .blockLast(Stores.PATIENCE))
                .hasMessage("boom");
        assertNothingHeld();
        assertThatThrownBy(() -> store.snapshot(snapshot -> Flux.error(new IllegalStateException("boom")))
                        .blockLast(Stores.PATIENCE))
                .hasMessage("boom");
        assertNothingHeld();
        StepVerifier.create(store.snapshot(snapshot -> Flux.never()))
                .expectSubscription()
                .then(() -> write(2))
                .then(() -> assertThat(await(store.info()).pinnedViews()).isEqualTo(2))
                .thenCancel()
                .verify(Stores.PATIENCE);
        assertNothingHeld();
    }

    @Test
    void whoKeepsItIsToldAndCannotRead() {
        write(1);
        AtomicReference<StoreSnapshot> kept = new AtomicReference<>();
        store.snapshot(snapshot -> {
                    kept.set(snapshot);
                    return Mono.just(true);
                })
                .blockLast(Stores.PATIENCE);
        StoreSnapshot snapshot = kept.get();
        for (Mono<?> reading : List.<Mono<?>>of(
                snapshot.read(StoreTable.ROWS, new byte[0], null).next(),
                snapshot.longs("job", 0).next(),
                Mono.fromSupplier(snapshot::lanes),
                Mono.fromSupplier(snapshot::counts),
                Mono.fromSupplier(() -> snapshot.scan(StoreTable.ROWS, new byte[0], null, 1)))) {
            assertThatThrownBy(() -> reading.block(Stores.PATIENCE))
                    .isInstanceOf(StateStoreException.class)
                    .hasMessageContaining("is not held any more");
        }
        assertNothingHeld();
        assertThatThrownBy(() -> snapshot.scan(StoreTable.ROWS, new byte[0], null, 0))
                .hasMessageContaining("was 0");
        assertThatThrownBy(() -> snapshot.read(StoreTable.STATE, new byte[0], null))
                .hasMessageContaining("readState");
    }

    @Test
    void entriesAreCountedWithoutReadingThem() {
        LaneTransaction transaction = session.begin();
        for (long i = 0; i < 1_000; i++) {
            transaction.put(StoreTable.ROWS, bytes(i), bytes(i));
        }
        transaction.put(StoreTable.STATE, bytes("one"), bytes(1));
        await(session.submit(transaction));
        List<Long> counts = await(store.snapshot(snapshot -> Flux.just(
                        snapshot.count(StoreTable.ROWS, new byte[0], null),
                        snapshot.count(StoreTable.ROWS, bytes(10), bytes(20)),
                        snapshot.count(StoreTable.ROWS, KeyBytes.successor(bytes(10)), bytes(20)),
                        snapshot.count(StoreTable.ROWS, bytes(990), null),
                        snapshot.count(StoreTable.LATE, new byte[0], null),
                        snapshot.countState("job", 0),
                        snapshot.countState("job", 1)))
                .collectList());
        assertThat(counts).containsExactly(1_000L, 10L, 9L, 10L, 0L, 1L, 0L);
    }
}
