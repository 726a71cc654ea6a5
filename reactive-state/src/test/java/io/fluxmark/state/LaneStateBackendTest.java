package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.Pane;
import io.fluxmark.windows.PaneEntry;
import io.fluxmark.windows.PaneStore;
import io.fluxmark.windows.StateTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaneStateBackendTest {

    private static final int ENTRIES = 3000;

    @TempDir
    Path directory;

    private StateStore store;
    private LaneSession session;

    @BeforeEach
    void open() {
        store = Stores.open(directory, Stores.synchronous());
        session = Stores.lane(store, 0);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void panesLargerThanTheBudgetKeepEveryEntryInOrder() {
        long limit = 50_000;
        LaneStateBackend backend = LaneStateBackend.of(session, limit);
        PaneStore<Long, Long> panes = panes(backend);
        Pane<Long, Long> pane = panes.open(60_000);
        for (int round = 0; round < 3; round++) {
            for (long key = 0; key < ENTRIES; key++) {
                PaneEntry<Long, Long> entry = pane.update(key * 7919 % ENTRIES);
                entry.accumulator = (entry.accumulator == null ? 0 : entry.accumulator) + 1;
                if (key % 100 == 99) {
                    barrier(panes);
                    assertThat(backend.heapBytes()).isLessThanOrEqualTo(limit);
                }
            }
        }
        assertThat(pane.size()).isEqualTo(ENTRIES);
        pane.remove(17L);
        pane.update(-3L).accumulator = 99L;
        for (int limitOfRun : new int[] {1, 7, 256, 100_000}) {
            List<PaneEntry<Long, Long>> entries = walk(pane, limitOfRun);
            assertThat(entries).hasSize(ENTRIES);
            assertThat(entries.get(0).accumulator).isEqualTo(99);
            assertThat(entries.subList(1, ENTRIES)).allMatch(entry -> entry.accumulator == 3L && entry.key != 17);
            assertThat(entries).extracting(entry -> entry.key).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void moreDirtyStateThanBudgetIsKeptAndAsksForABarrier() {
        LaneStateBackend backend = LaneStateBackend.of(session, 20_000);
        PaneStore<Long, Long> panes = panes(backend);
        Pane<Long, Long> pane = panes.open(0);
        assertThat(backend.pressured()).isFalse();
        for (long key = 0; key < 1000; key++) {
            pane.update(key).accumulator = key;
        }
        assertThat(backend.pressured()).isTrue();
        assertThat(pane.size()).isEqualTo(1000);
        barrier(panes);
        assertThat(pane.find(5L)).isNotNull();
        pane.update(1000L).accumulator = 1L;
        assertThat(backend.pressured()).isFalse();
        assertThat(walk(pane, 100)).hasSize(1001);
    }

    @Test
    void changesThatLieFarApartAskForABarrierThoughThoseBeforeLaySideBySide() {
        int limit = 1 << 20;
        LaneStateBackend backend = LaneStateBackend.of(session, limit);
        PaneStore<Long, Long> panes = panes(backend);
        Pane<Long, Long> pane = panes.open(0);
        for (long key = 0; key < 40_000; key++) {
            pane.update(key).accumulator = key;
            if (key % 500 == 499) {
                assertThat(backend.pressured()).as("at key %d", key).isFalse();
                barrier(panes);
            }
        }
        int changed = 0;
        while (!backend.pressured()) {
            pane.update(changed * 37L % 40_000).accumulator = -1L;
            changed++;
        }
        assertThat(changed).isBetween(limit / 4096, 2 * limit / 2048 + 1);
    }

    @Test
    void paneBornAndDroppedBetweenBarriersNeverReachesTheStore() {
        PaneStore<Long, Long> panes = panes(LaneStateBackend.of(session, 1 << 20));
        barrier(panes);
        long before = stateEntries();
        Pane<Long, Long> pane = panes.open(5);
        pane.update(1L).accumulator = 1L;
        panes.drop(pane);
        LaneTransaction transaction = session.begin();
        long empty = transaction.bytes();
        panes.flush(transaction);
        assertThat(transaction.bytes()).isEqualTo(empty);
        Stores.await(session.submit(transaction));
        assertThat(stateEntries()).isEqualTo(before);
    }

    @Test
    void entryBornAndRemovedBetweenBarriersNeverReachesTheStore() {
        PaneStore<Long, Long> panes = panes(LaneStateBackend.of(session, 1 << 20));
        Pane<Long, Long> pane = panes.open(5);
        barrier(panes);
        pane.update(1L).accumulator = 1L;
        pane.remove(1L);
        LaneTransaction transaction = session.begin();
        long empty = transaction.bytes();
        panes.flush(transaction);
        assertThat(transaction.bytes()).isEqualTo(empty);
    }

    @Test
    void droppedPaneCostsOneRecordHoweverLargeItIs() {
        PaneStore<Long, Long> panes = panes(LaneStateBackend.of(session, 1 << 20));
        Pane<Long, Long> pane = panes.open(5);
        for (long key = 0; key < ENTRIES; key++) {
            pane.update(key).accumulator = key;
        }
        Pane<Long, Long> other = panes.open(6);
        other.update(1L).accumulator = 1L;
        barrier(panes);
        panes.drop(pane);
        LaneTransaction transaction = session.begin();
        panes.flush(transaction);
        assertThat(transaction.bytes()).isLessThan(1000);
        Stores.await(session.submit(transaction));
        assertThat(panes.first()).isSameAs(other);
        assertThat(panes.find(5)).isNull();
        // The other pane's record and entry, and the codecs.
        assertThat(stateEntries()).isEqualTo(3);
    }

    @Test
    void everythingEmptyAfterAllPanesAreDroppedAlsoAfterARestart() {
        PaneStore<Long, Long> panes = panes(LaneStateBackend.of(session, 4000));
        for (long start = 0; start < 20; start++) {
            Pane<Long, Long> pane = panes.open(start);
            for (long key = 0; key < 50; key++) {
                pane.update(key).accumulator = key;
            }
            barrier(panes);
        }
        LaneStateBackend restarted = restart(4000);
        panes = panes(restarted);
        assertThat(panes.entryCount()).isEqualTo(1000);
        for (Pane<Long, Long> pane = panes.first(); pane != null; pane = panes.first()) {
            assertThat(walk(pane, 13)).hasSize(50);
            panes.drop(pane);
        }
        barrier(panes);
        assertThat(panes.entryCount()).isZero();
        assertThat(restarted.heapBytes()).isZero();
        assertThat(stateEntries()).isEqualTo(1);
        assertThat(panes(restart(4000)).paneCount()).isZero();
    }

    @Test
    void longsAreThoseOfTheLastCommittedTransaction() {
        LaneStateBackend backend = LaneStateBackend.of(session, 1 << 20);
        assertThat(backend.longs("op", "deadlines")).isNull();
        LaneTransaction transaction = session.begin();
        long[] values = {1, Long.MIN_VALUE, Long.MAX_VALUE};
        transaction.longs("op", "deadlines", values);
        transaction.longs("op", "empty", new long[0]);
        values[0] = 7;
        assertThat(backend.longs("op", "deadlines")).isNull();
        Stores.await(session.submit(transaction));
        LaneStateBackend restarted = restart(1 << 20);
        assertThat(restarted.longs("op", "deadlines")).containsExactly(1, Long.MIN_VALUE, Long.MAX_VALUE);
        assertThat(restarted.longs("op", "empty")).isEmpty();
        assertThat(restarted.longs("other", "deadlines")).isNull();
    }

    @Test
    void stateWrittenWithAnotherCodecIsRefusedByName() {
        PaneStore<Long, Long> panes = panes(LaneStateBackend.of(session, 1 << 20));
        panes.open(0).update(1L).accumulator = 1L;
        barrier(panes);
        LaneStateBackend restarted = restart(1 << 20);
        assertThatThrownBy(() -> restarted.panes("op", KeyCodec.<Long>tagged(), Codec.strings()))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("operator op")
                .hasMessageContaining("long")
                .hasMessageContaining("string");
    }

    @Test
    void misuseIsRefused() {
        LaneStateBackend backend = LaneStateBackend.of(session, 1 << 20);
        assertThatThrownBy(() -> LaneStateBackend.of(session, 1)).hasMessageContaining("but was 1");
        assertThatThrownBy(() -> backend.panes("op", KeyCodec.<Long>tagged(), (Codec<Long>) null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Operator op");
        PaneStore<Long, Long> panes = panes(backend);
        assertThatThrownBy(() -> panes(backend)).hasMessageContaining("two operators named op");
        Pane<Long, Long> pane = panes.open(0);
        panes.drop(pane);
        assertThatThrownBy(() -> panes.drop(pane)).isInstanceOf(IllegalArgumentException.class);
        StateTransaction foreign = Stores.lane(store, 1).begin();
        assertThatThrownBy(() -> panes.flush(foreign)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void operatorsOfALaneShareTheBudgetAndNothingElse() {
        LaneStateBackend backend = LaneStateBackend.of(session, 10_000);
        PaneStore<Long, Long> one = backend.panes("one", KeyCodec.tagged(), Codec.longs());
        PaneStore<Long, Long> two = backend.panes("two", KeyCodec.tagged(), Codec.longs());
        for (long key = 0; key < 200; key++) {
            one.open(0).update(key).accumulator = 1L;
            two.open(0).update(key).accumulator = 2L;
            LaneTransaction transaction = session.begin();
            one.flush(transaction);
            two.flush(transaction);
            Stores.await(session.submit(transaction));
        }
        assertThat(backend.heapBytes()).isLessThanOrEqualTo(10_000);
        assertThat(walk(one.open(0), 10)).hasSize(200).allMatch(entry -> entry.accumulator == 1L);
        assertThat(walk(two.open(0), 10)).hasSize(200).allMatch(entry -> entry.accumulator == 2L);
    }

    @Test
    void restoreStaysWithinTheBudgetAndFindsEverything() {
        PaneStore<Long, Long> panes = panes(LaneStateBackend.of(session, 1 << 20));
        for (long start = 0; start < 3; start++) {
            for (long key = 0; key < 400; key++) {
                panes.open(start).update(key).accumulator = start * 1000 + key;
            }
        }
        barrier(panes);
        for (long budget : new long[] {1024, 30_000, 1 << 20}) {
            LaneStateBackend restarted = restart(budget);
            panes = panes(restarted);
            assertThat(restarted.heapBytes()).isLessThanOrEqualTo(budget);
            for (long start = 0; start < 3; start++) {
                Pane<Long, Long> pane = panes.open(start);
                assertThat(pane.size()).isEqualTo(400);
                for (long key = 0; key < 400; key += 7) {
                    assertThat(pane.update(key).accumulator).isEqualTo(start * 1000 + key);
                }
                assertThat(pane.find(400L)).isNull();
                assertThat(walk(pane, 33)).hasSize(400);
            }
        }
    }

    @Test
    void filterNeverDeniesAKeyAndSeldomErrs() {
        KeyFilter filter = new KeyFilter();
        int keys = 20_000;
        for (long key = 0; key < keys; key++) {
            filter.add(Stores.bytes(key));
        }
        int wrong = 0;
        for (long key = 0; key < keys; key++) {
            assertThat(filter.mightContain(Stores.bytes(key))).isTrue();
            wrong += filter.mightContain(Stores.bytes(-1 - key)) ? 1 : 0;
        }
        assertThat(wrong).isLessThan(keys / 10);
        assertThat(filter.bytes()).isLessThan(keys * 4L);
    }

    private LaneStateBackend restart(long budget) {
        session = Stores.lane(store, 0);
        return LaneStateBackend.of(session, budget);
    }

    private static PaneStore<Long, Long> panes(LaneStateBackend backend) {
        return backend.panes("op", KeyCodec.tagged(), Codec.longs());
    }

    private void barrier(PaneStore<Long, Long> panes) {
        LaneTransaction transaction = session.begin();
        panes.flush(transaction);
        Stores.await(session.submit(transaction));
    }

    private long stateEntries() {
        return Stores.await(store.readState("job", 0, new byte[0], null).count());
    }

    private static List<PaneEntry<Long, Long>> walk(Pane<Long, Long> pane, int limit) {
        List<PaneEntry<Long, Long>> entries = new ArrayList<>();
        Pane.Walk<Long, Long> walk = pane.walk();
        boolean more = true;
        while (more) {
            more = walk.next(entries, limit);
        }
        return entries;
    }
}
