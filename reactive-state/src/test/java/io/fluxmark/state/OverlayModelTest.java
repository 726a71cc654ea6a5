package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.Pane;
import io.fluxmark.windows.PaneEntry;
import io.fluxmark.windows.PaneStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.h2.store.fs.FilePath;

/** Drives the overlay and a tree map through the same steps, with a budget that evicts nearly everything. */
class OverlayModelTest {

    enum Kind {
        UPDATE,
        REMOVE,
        FIND,
        BARRIER,
        APPLY,
        WALK,
        CHANGE_DURING_WALK,
        DROP,
        LIST,
        CRASH,
        RESTART
    }

    record Step(Kind kind, int pane, int key, int number) {}

    private static final HeldExecutor EXECUTOR = new HeldExecutor();
    private static Path directory = Path.of(".");
    private static StateStore store;
    private static int runs;

    @BeforeContainer
    static void openStore() throws IOException {
        FilePath.register(new FaultyFileSystem());
        FaultyFileSystem.heal();
        directory = Files.createTempDirectory("overlay");
        store = Stores.open(
                directory,
                Stores.synchronous()
                        .executor(EXECUTOR)
                        .dropSlice(3)
                        .filePrefix(StoreFileSystem.SAFE + ":" + FaultyFileSystem.SCHEME + ":" + StoreFileSystem.ASYNC
                                + ":"));
    }

    @AfterContainer
    static void closeStore() throws IOException {
        // A failed run may have left the executor held, and closing waits for it.
        EXECUTOR.release();
        store.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Kind> kinds = Arbitraries.frequency(
                Tuple.of(10, Kind.UPDATE),
                Tuple.of(6, Kind.REMOVE),
                Tuple.of(5, Kind.FIND),
                Tuple.of(6, Kind.BARRIER),
                Tuple.of(3, Kind.APPLY),
                Tuple.of(2, Kind.WALK),
                Tuple.of(2, Kind.CHANGE_DURING_WALK),
                Tuple.of(1, Kind.DROP),
                Tuple.of(1, Kind.LIST),
                Tuple.of(1, Kind.CRASH),
                Tuple.of(1, Kind.RESTART));
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(-1, 0),
                        Arbitraries.integers().between(0, 8),
                        Arbitraries.integers().between(1, 9))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(200);
    }

    @Property
    void overlayAnswersLikeATreeMap(@ForAll("steps") List<Step> steps) {
        Run run = new Run("job" + runs++);
        for (Step step : steps) {
            run.take(step);
        }
        run.list();
        run.restart();
        run.list();
        for (int pane = -1; pane <= 0; pane++) {
            run.walk(pane, 3);
        }
    }

    private static final class Run {

        private final String job;
        private final Map<Long, NavigableMap<Long, NavigableMap<String, Long>>> committed = new HashMap<>();
        private NavigableMap<Long, NavigableMap<String, Long>> model = new TreeMap<>();
        private LaneSession session;
        private PaneStore<String, Long> panes;
        private boolean pending;

        Run(String job) {
            this.job = job;
            // A failed run must not bring down those that follow it.
            FaultyFileSystem.heal();
            EXECUTOR.release();
            committed.put(0L, new TreeMap<>());
            open();
        }

        void take(Step step) {
            String key = "key" + step.key;
            switch (step.kind) {
                case UPDATE -> update(step.pane, key, step.number);
                case REMOVE -> remove(step.pane, key);
                case FIND -> find(step.pane, key);
                case BARRIER -> barrier();
                case APPLY -> apply();
                case WALK -> walk(step.pane, step.number);
                case CHANGE_DURING_WALK -> changeDuringWalk(step.pane, step.key, step.number);
                case DROP -> drop(step.pane);
                case LIST -> list();
                case CRASH -> crash();
                case RESTART -> restart();
            }
        }

        private void open() {
            session = Stores.await(store.openLane(job, 0));
            panes = LaneStateBackend.of(session, LaneStateBackend.MIN_BUDGET)
                    .panes("op", KeyCodec.tagged(), Codec.longs());
            model = copy(committed.get(session.restored().transaction()));
            pending = false;
        }

        private void update(long start, String key, long number) {
            PaneEntry<String, Long> entry = panes.open(start).update(key);
            NavigableMap<String, Long> expected = model.computeIfAbsent(start, missing -> new TreeMap<>());
            assertThat(entry.key).isEqualTo(key);
            assertThat(entry.accumulator).isEqualTo(expected.get(key));
            long sum = (entry.accumulator == null ? 0 : entry.accumulator) + number;
            entry.accumulator = sum;
            entry.count = sum + 1;
            entry.late = sum + 2;
            entry.revision = (int) sum + 3;
            expected.put(key, sum);
        }

        private void remove(long start, String key) {
            Pane<String, Long> pane = panes.find(start);
            if (pane != null) {
                pane.remove(key);
                model.get(start).remove(key);
            }
        }

        private void find(long start, String key) {
            Pane<String, Long> pane = panes.find(start);
            if (pane != null) {
                check(key, pane.find(key), model.get(start).get(key));
            }
        }

        void walk(long start, int limit) {
            Pane<String, Long> pane = panes.find(start);
            assertThat(pane != null).isEqualTo(model.containsKey(start));
            if (pane == null) {
                return;
            }
            NavigableMap<String, Long> expected = model.get(start);
            List<PaneEntry<String, Long>> entries = new ArrayList<>();
            Pane.Walk<String, Long> walk = pane.walk();
            int before = 0;
            while (walk.next(entries, limit)) {
                assertThat(entries.size() - before).isBetween(1, limit);
                before = entries.size();
            }
            assertThat(entries).extracting(entry -> entry.key).containsExactlyElementsOf(expected.keySet());
            entries.forEach(entry -> check(entry.key, entry, expected.get(entry.key)));
        }

        /** What is there all the time is shown, in order; what comes or goes may be. */
        private void changeDuringWalk(long start, int key, int limit) {
            Pane<String, Long> pane = panes.find(start);
            if (pane == null) {
                return;
            }
            TreeSet<String> always = new TreeSet<>(model.get(start).keySet());
            TreeSet<String> ever = new TreeSet<>(always);
            List<PaneEntry<String, Long>> entries = new ArrayList<>();
            Pane.Walk<String, Long> walk = pane.walk();
            for (int i = 1; walk.next(entries, limit); i++) {
                String changed = "key" + (key + i) % 9;
                if (i % 2 == 0) {
                    update(start, changed, 1);
                    ever.add(changed);
                } else {
                    remove(start, changed);
                    always.remove(changed);
                }
                if (i % 3 == 0) {
                    barrier();
                }
            }
            List<String> shown = entries.stream().map(entry -> entry.key).toList();
            assertThat(shown)
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .containsAll(always)
                    .isSubsetOf(ever);
        }

        private void drop(long start) {
            Pane<String, Long> pane = panes.find(start);
            if (pane != null) {
                panes.drop(pane);
                model.remove(start);
            }
        }

        void list() {
            List<Long> starts = new ArrayList<>();
            long entries = 0;
            for (Pane<String, Long> pane = panes.first(); pane != null; pane = panes.after(pane.start())) {
                starts.add(pane.start());
                assertThat(pane.size()).isEqualTo(model.get(pane.start()).size());
                entries += pane.size();
            }
            assertThat(starts).containsExactlyElementsOf(model.keySet());
            assertThat(panes.paneCount()).isEqualTo(starts.size());
            assertThat(panes.entryCount()).isEqualTo(entries);
        }

        private void barrier() {
            LaneTransaction transaction = session.begin();
            panes.flush(transaction);
            committed.put(transaction.id(), copy(model));
            EXECUTOR.hold();
            session.submit(transaction).subscribe(commit -> {}, error -> {});
            pending = true;
        }

        private void apply() {
            EXECUTOR.release();
            pending = false;
        }

        /** What has been handed over and not applied is lost. */
        private void crash() {
            if (pending) {
                FaultyFileSystem.failAfter(0, false, false);
                EXECUTOR.release();
                assertThat(FaultyFileSystem.failures()).isEqualTo(1);
                AtomicReference<Throwable> reason = new AtomicReference<>();
                session.submit(session.begin()).subscribe(commit -> {}, reason::set);
                assertThat(reason.get()).isInstanceOf(StoreReopenedException.class);
            }
            open();
        }

        void restart() {
            EXECUTOR.release();
            open();
        }

        private static void check(String key, PaneEntry<String, Long> entry, Long expected) {
            assertThat(entry == null).isEqualTo(expected == null);
            if (entry != null) {
                assertThat(entry.key).isEqualTo(key);
                assertThat(entry.accumulator).isEqualTo(expected);
                assertThat(entry.count).isEqualTo(expected + 1);
                assertThat(entry.late).isEqualTo(expected + 2);
                assertThat(entry.revision).isEqualTo((int) (expected + 3));
            }
        }

        private static NavigableMap<Long, NavigableMap<String, Long>> copy(
                NavigableMap<Long, NavigableMap<String, Long>> from) {
            NavigableMap<Long, NavigableMap<String, Long>> copy = new TreeMap<>();
            from.forEach((start, entries) -> copy.put(start, new TreeMap<>(entries)));
            return copy;
        }
    }
}
