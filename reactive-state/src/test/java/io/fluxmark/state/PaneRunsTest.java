package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.Pane;
import io.fluxmark.windows.PaneEntry;
import io.fluxmark.windows.PaneStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PaneRunsTest {

    private static final int KEYS = 2_000;
    private static final RunPolicy POLICY = new RunPolicy(16, 4, 6, 4);

    @TempDir
    Path directory;

    private final NavigableMap<Long, Long> model = new TreeMap<>();
    private StateStore store;
    private LaneSession session;
    private PaneStore<Long, Long> panes;
    private Pane<Long, Long> pane;

    @Test
    void sparseChangesBecomeRunsThatAreFoldedDroppedAndFoundAgainAfterARestart() {
        int barriers = Stores.THOROUGH ? 400 : 80;
        Random random = new Random(12);
        open();
        for (long key = 0; key < KEYS; key++) {
            set(key, key);
        }
        barrier();
        assertThat(runs()).isZero();
        int most = 0;
        int folded = 0;
        int restarts = 0;
        for (int i = 0; i < barriers; i++) {
            for (int change = 0; change < 40; change++) {
                long key = random.nextInt(KEYS);
                if (random.nextInt(5) == 0) {
                    pane.remove(key);
                    model.remove(key);
                } else {
                    set(key, random.nextInt(1000));
                }
            }
            int before = runs();
            barrier();
            folded += runs() < before ? 1 : 0;
            most = Math.max(most, runs());
            if (i % 11 == 0) {
                check(random);
            }
            if (i % 17 == 0) {
                store.close();
                open();
                restarts++;
                check(random);
            }
        }
        check(random);
        System.out.printf(
                "pane runs: %d barriers, %d restarts, %d runs at most, folded %d times, seed 12%n",
                barriers, restarts, most, folded);
        assertThat(most).isBetween(POLICY.mostRuns(), 4 * POLICY.mostRuns());
        assertThat(folded).isGreaterThan(2);
        panes.drop(pane);
        barrier();
        assertThat(session.scan(StoreTable.STATE, PaneKeys.runEntries("op", 0), PaneKeys.runHead("op", 1, 0), 10))
                .isEmpty();
        assertThat(Stores.await(store.info()).pendingRanges()).isZero();
        store.close();
    }

    private void open() {
        store = Stores.open(directory, Stores.synchronous());
        session = Stores.lane(store, 0);
        // Too little heap for the pane, so that most is read from the store.
        panes = LaneStateBackend.of(session, 20_000, POLICY).panes("op", KeyCodec.tagged(), Codec.longs());
        pane = panes.open(0);
    }

    private void set(long key, long value) {
        PaneEntry<Long, Long> entry = pane.update(key);
        assertThat(entry.accumulator).as("key %d", key).isEqualTo(model.get(key));
        entry.accumulator = value;
        entry.count = 1;
        model.put(key, value);
    }

    private void barrier() {
        LaneTransaction transaction = session.begin();
        panes.flush(transaction);
        Stores.await(session.submit(transaction));
    }

    private int runs() {
        byte[] heads = PaneKeys.runs("op", 0);
        return session.scan(StoreTable.STATE, heads, KeyBytes.endOfPrefix(heads), 1000)
                .size();
    }

    private void check(Random random) {
        List<PaneEntry<Long, Long>> entries = new ArrayList<>();
        Pane.Walk<Long, Long> walk = pane.walk();
        while (walk.next(entries, 100)) {
            // appends
        }
        NavigableMap<Long, Long> walked = new TreeMap<>();
        entries.forEach(entry -> walked.put(entry.key, entry.accumulator));
        assertThat(entries).hasSize(walked.size());
        assertThat(walked).isEqualTo(model);
        assertThat(pane.size()).isEqualTo(model.size());
        for (int i = 0; i < 50; i++) {
            long key = random.nextInt(KEYS);
            PaneEntry<Long, Long> entry = pane.find(key);
            assertThat(entry == null ? null : entry.accumulator).isEqualTo(model.get(key));
        }
    }

    @Test
    void filterKnowsEveryKeyAndSeldomErrsAlsoWhenItIsReadAgain() {
        int keys = 20_000;
        RunFilter filter = RunFilter.forKeys(keys);
        for (long key = 0; key < keys; key++) {
            filter.add(Stores.bytes(key));
        }
        ByteBuffer stored = ByteBuffer.allocate(filter.bytes());
        filter.writeTo(stored);
        RunFilter again = RunFilter.of(stored.flip());
        int errors = 0;
        for (long key = 0; key < keys; key++) {
            assertThat(again.mightContain(KeyFilter.hash(Stores.bytes(key)))).isTrue();
            errors += again.mightContain(KeyFilter.hash(Stores.bytes(keys + key))) ? 1 : 0;
        }
        assertThat(errors).isLessThan(keys / 40);
    }
}
