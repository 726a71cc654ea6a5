package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.LogRecord;
import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.KeyReader;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.EventPosition;
import io.fluxmark.windows.FunctionFailure;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreDigestTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ResultCodec<String, Long> CODEC = new ResultCodec<>(KeyCodec.tagged(), Codec.longs());
    private static final WindowResult<String, Long> BASE =
            new WindowResult<>("k", new TimeWindow(0, 10), 5L, WindowResult.Kind.ON_TIME, 1, 0, 9);

    @TempDir
    Path directory;

    /** One row to put. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Piece(String job, int lane, StoreTable table, byte[] key, byte[] value) {}

    private static Piece row(String job, int lane, String sink, WindowResult<String, Long> result) {
        byte[] key = KeyBytes.key()
                .add(sink)
                .add(result.window().end())
                .add(result.window().start())
                .addRaw(CODEC.keys().encode(result.key()))
                .toBytes();
        return new Piece(job, lane, StoreTable.ROWS, key, CODEC.encode(result));
    }

    private static Piece change(String job, int lane, long number, WindowResult<String, Long> result) {
        return new Piece(
                job, lane, StoreTable.CHANGELOG, RowNames.numbered("changes", lane, number), CODEC.encode(result));
    }

    private static List<Piece> pieces(String job) {
        Random random = new Random(17);
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            long start = random.nextInt(20) * 10L;
            WindowResult<String, Long> result = new WindowResult<>(
                    "k" + i,
                    new TimeWindow(start, start + 10),
                    random.nextLong(),
                    WindowResult.Kind.ON_TIME,
                    0,
                    0,
                    start);
            pieces.add(row(job, i % 3, "counts", result));
            pieces.add(change(job, i % 3, i / 3, result));
        }
        return pieces;
    }

    /** Commits the pieces, a few in each transaction, and gives the digest. */
    private StoreDigest digest(String name, List<Piece> pieces, int perCommit, DigestScope scope) {
        try (StateStore store = StateStore.open(directory.resolve(name)).block(PATIENCE)) {
            Map<List<Object>, LaneSession> sessions = new HashMap<>();
            for (int from = 0; from < pieces.size(); from += perCommit) {
                Map<LaneSession, LaneTransaction> transactions = new LinkedHashMap<>();
                for (Piece piece : pieces.subList(from, Math.min(pieces.size(), from + perCommit))) {
                    LaneSession session = sessions.computeIfAbsent(
                            List.of(piece.job(), piece.lane()),
                            lane -> store.openLane(piece.job(), piece.lane()).block(PATIENCE));
                    LaneTransaction transaction = transactions.computeIfAbsent(session, LaneSession::begin);
                    transaction.put(piece.table(), piece.key(), piece.value());
                    keepKind(piece, session, transaction);
                    transaction.longs("window", LiveCounters.STATE_NAME, new long[] {piece.lane(), 7});
                }
                transactions.forEach(
                        (session, transaction) -> session.submit(transaction).block(PATIENCE));
            }
            return StoreDigest.of(store, scope).block(PATIENCE);
        }
    }

    /** In this test a table of dead letters is called what its rows are. */
    private static void keepKind(Piece piece, LaneSession session, LaneTransaction transaction) {
        if (piece.table() == StoreTable.DEAD) {
            String name = new KeyReader(piece.key()).readString();
            new StoredSink.Keeper(new StoredSink(StoreTable.DEAD, name, "", name), session.restored())
                    .keep(transaction);
        }
    }

    @Test
    void doesNotDependOnTheOrderOfCommitsAndLanes() {
        List<Piece> pieces = pieces("job");
        StoreDigest first = digest("a", pieces, 40, DigestScope.everything());
        List<Piece> shuffled = new ArrayList<>(pieces);
        Collections.shuffle(shuffled, new Random(3));
        assertThat(digest("b", shuffled, 27, DigestScope.everything())).isEqualTo(first);
        assertThat(first.rows()).isEqualTo(300);
        assertThat(first.changes()).isEqualTo(300);
        assertThat(first.hash()).hasSize(64);
    }

    @Test
    void namesOfJobsCountUnlessTheyAreLeftOut() {
        List<Piece> two = new ArrayList<>(pieces("one").subList(0, 40));
        two.addAll(pieces("two").subList(40, 90));
        // The other way round in the order of names.
        List<Piece> renamed = new ArrayList<>(pieces("y").subList(0, 40));
        renamed.addAll(pieces("x").subList(40, 90));
        assertThat(digest("a", two, 30, DigestScope.everything()))
                .isNotEqualTo(digest("b", renamed, 30, DigestScope.everything()));
        DigestScope nameless = DigestScope.everything().withoutJobNames();
        assertThat(digest("a", List.of(), 1, nameless)).isEqualTo(digest("b", List.of(), 1, nameless));
    }

    @Test
    void everyPartOfARowThatTheContractNamesChangesIt() {
        List<UnaryOperator<WindowResult<String, Long>>> counted = List.of(
                r -> new WindowResult<>("l", r.window(), r.value(), r.kind(), r.revision(), r.late(), r.watermark()),
                r -> new WindowResult<>(
                        r.key(), new TimeWindow(1, 10), r.value(), r.kind(), r.revision(), r.late(), r.watermark()),
                r -> new WindowResult<>(
                        r.key(), new TimeWindow(0, 11), r.value(), r.kind(), r.revision(), r.late(), r.watermark()),
                r -> new WindowResult<>(r.key(), r.window(), 6L, r.kind(), r.revision(), r.late(), r.watermark()),
                r -> new WindowResult<>(
                        r.key(), r.window(), r.value(), WindowResult.Kind.LATE, r.revision(), r.late(), r.watermark()),
                r -> new WindowResult<>(r.key(), r.window(), r.value(), r.kind(), 2, r.late(), r.watermark()));
        StoreDigest table = digest("t", List.of(row("job", 0, "counts", BASE)), 1, DigestScope.everything());
        StoreDigest log = digest("c", List.of(change("job", 0, 0, BASE)), 1, DigestScope.everything());
        assertThat(table.hash()).isNotEqualTo(log.hash());
        int number = 0;
        for (UnaryOperator<WindowResult<String, Long>> mutation : counted) {
            WindowResult<String, Long> other = mutation.apply(BASE);
            List<Piece> row = List.of(row("job", 0, "counts", other));
            assertThat(digest("t" + number, row, 1, DigestScope.everything())).isNotEqualTo(table);
            List<Piece> change = List.of(change("job", 0, 0, other));
            assertThat(digest("c" + number++, change, 1, DigestScope.everything()))
                    .isNotEqualTo(log);
        }
        assertThat(digest("n", List.of(row("job", 0, "other", BASE)), 1, DigestScope.everything()))
                .as("the sink's name")
                .isNotEqualTo(table);
        assertThat(digest("m", List.of(change("job", 0, 1, BASE)), 1, DigestScope.everything()))
                .as("the place among the changes")
                .isNotEqualTo(log);
        WindowResult<String, Long> watermark = new WindowResult<>("k", BASE.window(), 5L, BASE.kind(), 1, 3, 123);
        assertThat(digest("w", List.of(row("job", 0, "counts", watermark)), 1, DigestScope.everything()))
                .as("watermark and late count depend on runs and barriers")
                .isEqualTo(table);
    }

    private static Piece side(long number, String event) {
        byte[] value = new RowFields.Writer((byte) 1)
                .add(20L)
                .add(1)
                .add(Codec.strings().encode(event))
                .toBytes();
        return new Piece("job", 0, StoreTable.SIDE, RowNames.numbered("aside", 0, number), value);
    }

    @Test
    void everyRowOfASideTableCounts() {
        List<Piece> two = List.of(side(0, "a"), side(1, "b"));
        StoreDigest base = digest("a", two, 1, DigestScope.everything());
        assertThat(base.side()).isEqualTo(2);
        assertThat(digest("b", two, 2, DigestScope.everything())).isEqualTo(base);
        assertThat(digest("c", List.of(side(0, "a"), side(1, "c")), 1, DigestScope.everything()))
                .as("another event")
                .isNotEqualTo(base);
        assertThat(digest("d", List.of(side(0, "b"), side(1, "a")), 1, DigestScope.everything()))
                .as("another order")
                .isNotEqualTo(base);
        assertThat(digest("e", List.of(side(0, "a")), 1, DigestScope.everything()))
                .as("one fewer")
                .isNotEqualTo(base);
        assertThat(digest("f", two, 1, DigestScope.sink("aside")).side()).isEqualTo(2);
    }

    private static Piece dead(String table, String event) {
        return dead(table, event, "odd");
    }

    private static Piece dead(String table, String event, String message) {
        FunctionFailure failure = new FunctionFailure(
                event, "map-1", 20, new EventPosition("ticks", 0, 7), new IllegalStateException(message));
        return new Piece("job", 0, StoreTable.DEAD, RowNames.numbered(table, 0, 0), StoredFailure.encode(failure));
    }

    @Test
    void whatFunctionsFailedOnCounts() {
        StoreDigest base = digest("a", List.of(dead(FailureTable.KIND, "k@20")), 1, DigestScope.everything());
        assertThat(base.dead()).isEqualTo(1);
        assertThat(digest("b", List.of(dead(FailureTable.KIND, "k@21")), 1, DigestScope.everything()))
                .isNotEqualTo(base);
        assertThat(digest("c", List.of(dead("others", "k@20")), 1, DigestScope.everything()))
                .isNotEqualTo(base);
        assertThat(digest("e", List.of(dead(FailureTable.KIND, "k@20", "strange")), 1, DigestScope.everything()))
                .as("a JVM leaves out messages of exceptions that it throws often")
                .isEqualTo(base);
        assertThat(digest("d", List.of(dead(FailureTable.KIND, "k@20")), 1, DigestScope.job("job")))
                .as("a job's sinks are all there are")
                .isEqualTo(base);
    }

    private static Piece rejected(long offset, long appendTime, String value) {
        return rejected(offset, appendTime, value, "not decoded");
    }

    private static Piece rejected(long offset, long appendTime, String value, String reason) {
        LogRecord record =
                new LogRecord(0, offset, appendTime, null, Codec.strings().encode(value), List.of());
        byte[] row = DeadLetterTable.encode(new DeadLetter("ticks", record, reason, "a cause"));
        return new Piece("job", 0, StoreTable.DEAD, RowNames.numbered(DeadLetterTable.KIND, 0, 0), row);
    }

    @Test
    void aRejectedRecordCountsButForWhenItWasAppendedAndWhatIsSaidOfIt() {
        StoreDigest base = digest("a", List.of(rejected(4, 1_000, "x")), 1, DigestScope.everything());
        assertThat(base.dead()).isEqualTo(1);
        assertThat(digest("b", List.of(rejected(4, 2_000, "x")), 1, DigestScope.everything()))
                .isEqualTo(base);
        assertThat(digest("e", List.of(rejected(4, 1_000, "x", "why not")), 1, DigestScope.everything()))
                .isEqualTo(base);
        assertThat(digest("c", List.of(rejected(5, 1_000, "x")), 1, DigestScope.everything()))
                .isNotEqualTo(base);
        assertThat(digest("d", List.of(rejected(4, 1_000, "y")), 1, DigestScope.everything()))
                .isNotEqualTo(base);
    }

    @Test
    void whatCouldNotBeDeliveredDoesNotCount() {
        StoreDigest none = digest("a", List.of(row("job", 0, "counts", BASE)), 1, DigestScope.everything());
        StoreDigest one = digest(
                "b",
                List.of(row("job", 0, "counts", BASE), dead(OutboxQueue.UNDELIVERED, "row")),
                2,
                DigestScope.everything());
        assertThat(one).isEqualTo(none);
    }

    @Test
    void countersAndLanesCount() {
        StoreDigest base = digest("a", List.of(row("job", 0, "counts", BASE)), 1, DigestScope.everything());
        assertThat(digest("b", List.of(row("job", 1, "counts", BASE)), 1, DigestScope.everything()))
                .isNotEqualTo(base);
        assertThat(digest("c", List.of(row("job", 1, "counts", BASE)), 1, DigestScope.sink("counts")))
                .as("a sink's rows have no counters")
                .isEqualTo(digest("d", List.of(row("job", 0, "counts", BASE)), 1, DigestScope.sink("counts")));
    }
}
