package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class TableQueryTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final String TABLE = "counts";
    private static final ResultCodec<String, Long> CODEC = new ResultCodec<>(KeyCodec.tagged(), Codec.longs());
    private static final int KEYS = 40;

    @TempDir
    Path directory;

    private StateStore store;
    private TableQuery<String, Long> query;
    private LaneSession session;
    private StoredSink.Keeper keeper;

    @BeforeEach
    void open() {
        // Everything happens within the calls, unless a test moves it elsewhere; pages come from the file.
        open(StoreSpec.defaults().executor(Runnable::run).scheduler(Schedulers.immediate()));
    }

    private void open(StoreSpec spec) {
        store = StateStore.open(directory, spec.cacheMegabytes(1)).block(PATIENCE);
        query = TransactionalSink.table(store, TABLE, KeyCodec.<String>tagged(), Codec.longs())
                .query();
        session = store.openLane("job", 0).block(PATIENCE);
        keeper = new StoredSink.Keeper(CODEC.of(StoreTable.ROWS, TABLE), session.restored());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static WindowResult<String, Long> result(String key, long start, long end, long value) {
        return new WindowResult<>(key, new TimeWindow(start, end), value, WindowResult.Kind.ON_TIME, 0, 0, end);
    }

    private Mono<?> put(List<WindowResult<String, Long>> results, long position) {
        LaneTransaction transaction = session.begin();
        keeper.keep(transaction);
        for (WindowResult<String, Long> result : results) {
            byte[] key = TableRows.key(TABLE, result.window(), CODEC.keys().encode(result.key()));
            transaction.put(StoreTable.ROWS, key, CODEC.encode(result));
        }
        transaction.longs("window", Watermark.STATE_NAME, new long[] {position * 10});
        new LanePosition(List.of(new LanePosition.Offsets(position, 0)), false, transaction.id()).save(transaction);
        return session.submit(transaction);
    }

    @Test
    void everySelectionGivesWhatALoopOverAllRowsGives() {
        Random random = new Random(41);
        // Tumbling windows of many keys, and spans of single keys between them as sessions have; neighbours of the
        // table too.
        List<WindowResult<String, Long>> rows = new ArrayList<>();
        for (long start = -300; start < 300; start += 10) {
            for (int key = 0; key < 30; key++) {
                if (random.nextInt(3) > 0) {
                    rows.add(result("k" + key, start, start + 10, random.nextLong()));
                }
            }
        }
        for (int i = 0; i < 300; i++) {
            long start = random.nextInt(600) - 300L;
            rows.add(result("k" + random.nextInt(30), start, start + 1 + random.nextInt(50), random.nextLong()));
        }
        put(rows, 1).block(PATIENCE);
        LaneTransaction others = session.begin();
        for (String other : List.of("count", "counts2", "countsa")) {
            others.put(StoreTable.ROWS, TableRows.key(other, new TimeWindow(0, 10), new byte[] {1}), new byte[] {1});
        }
        session.submit(others).block(PATIENCE);
        List<WindowResult<String, Long>> all = list(RowSelection.all());
        assertThat(all).hasSizeGreaterThan(1_000).hasSizeLessThan(rows.size() + 1);

        int queries = THOROUGH ? 20_000 : 1_000;
        for (int i = 0; i < queries; i++) {
            RowSelection<String> selection;
            Predicate<WindowResult<String, Long>> filter;
            WindowResult<String, Long> some = all.get(random.nextInt(all.size()));
            String key = random.nextInt(10) == 0 ? "absent" : some.key();
            switch (random.nextInt(4)) {
                case 0 -> {
                    selection = RowSelection.key(key);
                    filter = row -> row.key().equals(key);
                }
                case 1 -> {
                    selection = RowSelection.window(some.window());
                    filter = row -> row.window().equals(some.window());
                }
                case 2 -> {
                    selection = RowSelection.row(key, some.window());
                    filter = row -> row.key().equals(key) && row.window().equals(some.window());
                }
                default -> {
                    selection = RowSelection.all();
                    filter = row -> true;
                }
            }
            if (random.nextBoolean()) {
                long from = random.nextInt(700) - 350L;
                long to = from + 1 + random.nextInt(200);
                selection = selection.within(Instant.ofEpochMilli(from), Instant.ofEpochMilli(to));
                filter = filter.and(
                        row -> row.window().start() >= from && row.window().end() <= to);
            }
            assertThat(list(selection)).isEqualTo(all.stream().filter(filter).toList());
        }
        System.out.printf("queries: %d selections over %d rows, each as a plain loop (seed 41)%n", queries, all.size());
    }

    private List<WindowResult<String, Long>> list(RowSelection<String> selection) {
        QueryAnswer<String, Long> answer = query.list(selection).block(PATIENCE);
        assertThat(answer.complete()).isTrue();
        return answer.rows();
    }

    /** All rows of three windows with the same value, which the positions of the commit have too. */
    private static List<WindowResult<String, Long>> generation(long version) {
        List<WindowResult<String, Long>> rows = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            for (long start = 0; start < 30; start += 10) {
                rows.add(result("k" + key, start, start + 10, version));
            }
        }
        return rows;
    }

    private RowSelection<String> random(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> RowSelection.all();
            case 1 -> RowSelection.key("k" + random.nextInt(KEYS));
            case 2 -> RowSelection.window(new TimeWindow(10, 20));
            default -> RowSelection.<String>all().within(Instant.ofEpochMilli(5), Instant.ofEpochMilli(30));
        };
    }

    private static long checked(QueryMoment moment, List<WindowResult<String, Long>> rows) {
        Set<Long> generations = new HashSet<>();
        rows.forEach(row -> generations.add(row.value()));
        long position = moment.lanes().get(0).offsets().get(0);
        assertThat(generations).containsExactly(position);
        assertThat(moment.watermark()).isEqualTo(position * 10);
        return position;
    }

    @Test
    void aQueryDuringCommitsReturnsOneGenerationWithItsWatermarkOnRealThreads() {
        close();
        open(StoreSpec.defaults());
        int queries = THOROUGH ? 20_000 : 2_000;
        put(generation(1), 1).block(PATIENCE);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong version = new AtomicLong(1);
        Mono<Void> writer = Mono.<Void>fromRunnable(() -> {
                    while (!stop.get()) {
                        long next = version.incrementAndGet();
                        put(generation(next), next).block(PATIENCE);
                    }
                })
                .subscribeOn(Schedulers.boundedElastic());
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        // Beside a disk that is slow some more queries, until there have been enough commits.
        Flux<Integer> seeds = Flux.generate(() -> 0, (i, sink) -> {
            if (i >= queries && version.get() > 25) {
                sink.complete();
            } else {
                sink.next(i);
            }
            return i + 1;
        });
        AtomicLong asked = new AtomicLong();
        Mono<Long> readers = seeds.flatMap(
                        i -> {
                            Random random = new Random(i);
                            return query.answer(random(random), (moment, rows) -> rows.limitRate(1 + random.nextInt(40))
                                            .publishOn(Schedulers.parallel(), 1 + random.nextInt(20))
                                            .collectList()
                                            .map(list -> checked(moment, list)))
                                    .subscribeOn(Schedulers.boundedElastic());
                        },
                        4)
                .doOnNext(seen::add)
                .doOnNext(generation -> asked.incrementAndGet())
                .count()
                .doFinally(signal -> stop.set(true));
        assertThat(Mono.zip(readers, writer.thenReturn(true), (count, done) -> count)
                        .block(PATIENCE))
                .isEqualTo(asked.get())
                .isGreaterThanOrEqualTo(queries);
        assertThat(store.info().block(PATIENCE).pinnedViews()).isEqualTo(1);
        System.out.printf(
                "queries: %d beside %d commits, of %d different ones, each of one commit%n",
                asked.get(), version.get(), seen.size());
        assertThat(seen).hasSizeGreaterThan(5);
    }

    @Test
    void aQueryDuringCommitsReturnsOneGenerationWhateverIsRequestedInBetween() {
        Random random = new Random(43);
        int queries = THOROUGH ? 5_000 : 200;
        put(generation(1), 1).block(PATIENCE);
        AtomicLong version = new AtomicLong(1);
        for (int i = 0; i < queries; i++) {
            List<WindowResult<String, Long>> rows = new ArrayList<>();
            List<QueryMoment> moments = new ArrayList<>();
            boolean cancelled = random.nextInt(5) == 0;
            long expected = version.get();
            Flux<WindowResult<String, Long>> answer = query.answer(random(random), (moment, found) -> {
                moments.add(moment);
                return found;
            });
            StepVerifier.Step<WindowResult<String, Long>> steps =
                    StepVerifier.create(answer, 0).thenRequest(1).consumeNextWith(rows::add);
            steps = steps.then(() ->
                    put(generation(version.incrementAndGet()), version.get()).block(PATIENCE));
            if (cancelled) {
                steps.thenCancel().verify(PATIENCE);
            } else {
                steps.thenRequest(Long.MAX_VALUE)
                        .thenConsumeWhile(row -> true, rows::add)
                        .verifyComplete();
            }
            assertThat(checked(moments.get(0), rows)).isEqualTo(expected);
            assertThat(store.info().block(PATIENCE).pinnedViews()).isEqualTo(1);
        }
        System.out.printf("queries: %d with a commit in the middle, each as of its beginning (seed 43)%n", queries);
    }

    @Test
    void listsSayWhetherTheyAreWhole() {
        put(generation(7), 3).block(PATIENCE);
        QueryAnswer<String, Long> part = query.list(RowSelection.all(), 100).block(PATIENCE);
        assertThat(part.rows()).hasSize(100);
        assertThat(part.complete()).isFalse();
        QueryAnswer<String, Long> whole =
                query.list(RowSelection.all(), 3 * KEYS).block(PATIENCE);
        assertThat(whole.rows()).hasSize(3 * KEYS);
        assertThat(whole.complete()).isTrue();
        assertThat(whole.moment().commit())
                .isEqualTo(store.info().block(PATIENCE).commit());
        assertThat(whole.moment().hasFired(new TimeWindow(20, 31))).isTrue();
        assertThat(whole.moment().hasFired(new TimeWindow(20, 32))).isFalse();
        assertThatThrownBy(() -> query.list(RowSelection.all(), 0)).hasMessageContaining("was 0");
        assertThatThrownBy(() -> RowSelection.all().within(Instant.EPOCH, Instant.EPOCH))
                .hasMessageContaining("is empty");
    }

    @Test
    void anEmptyTableHasNoWatermarkAndUnknownCodecsAreSaid() {
        QueryAnswer<String, Long> answer = query.list(RowSelection.key("k")).block(PATIENCE);
        assertThat(answer.rows()).isEmpty();
        assertThat(answer.moment().lanes()).isEmpty();
        assertThat(answer.moment().watermark()).isEqualTo(Watermark.NONE);
        assertThatThrownBy(() -> TransactionalSink.<String, Long>table(store, TABLE)
                        .query()
                        .list(RowSelection.all())
                        .block(PATIENCE))
                .hasMessageContaining("the codecs of table counts are not known yet");
        assertThat(store.info().block(PATIENCE).pinnedViews()).isEqualTo(1);
    }

    @Test
    void theWindowsOfAKeyAreSoughtAndNotScanned() {
        int windows = THOROUGH ? 1_000 : 50;
        int keys = THOROUGH ? 1_000 : 400;
        for (int window = 0; window < windows; window++) {
            List<WindowResult<String, Long>> rows = new ArrayList<>();
            for (int key = 0; key < keys; key++) {
                rows.add(result("k" + key, window * 10L, window * 10L + 10, window));
            }
            put(rows, 1).block(PATIENCE);
        }
        long[] nanos = new long[2];
        for (int round = 0; round < 5; round++) {
            long start = System.nanoTime();
            assertThat(list(RowSelection.key("k" + (keys / 2 + round)))).hasSize(windows);
            nanos[0] = System.nanoTime() - start;
            start = System.nanoTime();
            int of = round;
            Long found = query.answer(RowSelection.all(), (moment, rows) -> rows.filter(
                                    row -> row.key().equals("k" + (keys / 2 + of)))
                            .count())
                    .blockLast(PATIENCE);
            nanos[1] = System.nanoTime() - start;
            assertThat(found).isEqualTo(windows);
        }
        System.out.printf(
                "queries: the %d windows of a key among %d rows in %.1f ms, by a scan in %.1f ms%n",
                windows, windows * keys, nanos[0] / 1e6, nanos[1] / 1e6);
    }
}
