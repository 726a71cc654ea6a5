package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryMetadata;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcRollbackException;
import io.r2dbc.spi.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Results as rows of a database: H2, in memory. */
class DatabaseSinkTest {

    private static final DatabaseTable<String, Long> LATEST =
            DatabaseTable.latest("counts").key("tick", String.class).value("amount", Long.class);
    private static final DatabaseTable<String, Long> CHANGES = DatabaseTable.changes("changes")
            .key("tick", String.class)
            .value("amount", Long.class)
            .column("late", Long.class, WindowResult::late);

    @TempDir
    Path directory;

    private JobPlace place;
    private ConnectionFactory database;
    private Connection keepsItOpen;

    @BeforeEach
    void open() {
        place = JobPlace.open(directory);
        database = connect();
        keepsItOpen = Mono.from(database.create()).block(Ticks.PATIENCE);
    }

    /** An empty database. */
    ConnectionFactory connect() {
        return new H2ConnectionFactory(H2ConnectionConfiguration.builder()
                .inMemory("t" + UUID.randomUUID())
                .build());
    }

    /** What it says of a table that is not there. */
    String missing() {
        return "not found";
    }

    @AfterEach
    void close() {
        Mono.from(keepsItOpen.close()).block(Ticks.PATIENCE);
        place.close();
    }

    private DatabaseSink<String, Long> sink(ConnectionFactory connections, DatabaseTable<String, Long> table) {
        DatabaseSink<String, Long> sink = DatabaseSink.of(place.store(), table.name(), connections, table);
        sink.createTable().block(Ticks.PATIENCE);
        return sink;
    }

    private List<Map<String, Object>> select(String sql) {
        return Flux.from(keepsItOpen.createStatement(sql).execute())
                .concatMap(result -> result.map((row, metadata) -> {
                    Map<String, Object> columns = new HashMap<>();
                    metadata.getColumnMetadatas()
                            .forEach(c -> columns.put(c.getName().toLowerCase(Locale.ROOT), row.get(c.getName())));
                    return columns;
                }))
                .collectList()
                .block(Ticks.PATIENCE);
    }

    private static PlainBatch.Slot<String> slot(Map<String, Object> row) {
        return new PlainBatch.Slot<>(
                (String) row.get("tick"), new TimeWindow((Long) row.get("window_start"), (Long) row.get("window_end")));
    }

    private Map<PlainBatch.Slot<String>, Long> latest() {
        Map<PlainBatch.Slot<String>, Long> rows = new HashMap<>();
        select("SELECT * FROM counts WHERE kind <> 'RETRACT'")
                .forEach(row -> assertThat(rows.put(slot(row), (Long) row.get("amount")))
                        .isNull());
        return rows;
    }

    private long outboxRows() {
        return place.store().read(StoreTable.OUTBOX, new byte[0], null).count().block(Ticks.PATIENCE);
    }

    @Test
    void aDrainedJobLeavesTheLatestRowOfEachWindowAndKeyAndEveryChangeInTheDatabase() {
        TypedTopic<Ticks.Tick> topic = place.topic();
        List<Ticks.Tick> ticks = Ticks.random(8_000, 1);
        Ticks.append(topic, ticks);
        ChangelogSink<String, Long> own = TransactionalSink.changelog(place.store(), "own");
        place.job(
                        own.and(sink(database, LATEST)).and(sink(database, CHANGES)),
                        CheckpointSpec.everyEvents(150).drainWhen(Mono.empty()))
                .blockLast(Ticks.PATIENCE);
        assertThat(latest()).isEqualTo(Ticks.batch(topic, ticks)).isNotEmpty();
        List<WindowResult<String, Long>> expected = own.changes().collectList().block(Ticks.PATIENCE);
        assertThat(select("SELECT * FROM changes"))
                .extracting(row -> slot(row) + " " + row.get("revision") + row.get("kind") + row.get("amount")
                        + row.get("late") + row.get("job"))
                .containsExactlyInAnyOrderElementsOf(expected.stream()
                        .map(r -> new PlainBatch.Slot<>(r.key(), r.window()) + " " + r.revision() + r.kind() + r.value()
                                + r.late() + "job")
                        .toList());
        assertThat(outboxRows()).isZero();
    }

    @Test
    void aJobThatIsCancelledAgainAndAgainEndsWithTheRowsOfBatch() {
        TypedTopic<Ticks.Tick> topic = place.topic();
        List<Ticks.Tick> ticks = Ticks.random(20_000, 2);
        Ticks.append(topic, ticks);
        DatabaseSink<String, Long> sink = sink(database, LATEST);
        for (int i = 0; i < 5; i++) {
            place.job(sink, CheckpointSpec.everyEvents(150)).take(3).blockLast(Ticks.PATIENCE);
        }
        place.job(sink, CheckpointSpec.everyEvents(150).drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);
        assertThat(latest()).isEqualTo(Ticks.batch(topic, ticks));
    }

    @Test
    void anOlderRowThatComesLateDoesNotReplaceANewerOne() {
        sink(database, LATEST).createTable().block(Ticks.PATIENCE);
        DatabaseStatements<String, Long> statements = new DatabaseStatements<>(LATEST);
        WindowResult<String, Long> old =
                new WindowResult<>("k", new TimeWindow(0, 100), 1L, WindowResult.Kind.ON_TIME, 0, 0, 99);
        WindowResult<String, Long> back =
                new WindowResult<>("k", new TimeWindow(0, 100), 1L, WindowResult.Kind.RETRACT, 0, 0, 120);
        WindowResult<String, Long> corrected =
                new WindowResult<>("k", new TimeWindow(0, 100), 2L, WindowResult.Kind.LATE, 1, 1, 120);
        write(statements, 5, old);
        write(statements, 6, back);
        assertThat(latest()).isEmpty();
        write(statements, 5, old);
        assertThat(latest()).as("taken back").isEmpty();
        write(statements, 7, corrected);
        write(statements, 5, old);
        write(statements, 6, back);
        write(statements, 7, corrected);
        assertThat(latest().values()).containsExactly(2L);
    }

    private void write(DatabaseStatements<String, Long> statements, long number, WindowResult<String, Long> result) {
        var statement = keepsItOpen.createStatement(statements.upsert(
                DatabaseStatements.Dialect.of(database.getMetadata().getName())));
        statements.bind(statement, new DatabaseStatements.Row<>("job", number, result));
        Flux.from(statement.execute()).concatMap(Result::getRowsUpdated).blockLast(Ticks.PATIENCE);
    }

    /** A database to which every so many-th connection fails, each time in another way. */
    private record Faulty(ConnectionFactory real, AtomicInteger count) implements ConnectionFactory {

        @Override
        public Publisher<? extends Connection> create() {
            int n = count.incrementAndGet();
            if (n % 5 == 1) {
                return Mono.error(new R2dbcNonTransientResourceException("no connection"));
            }
            return n % 7 == 2 ? Mono.error(new R2dbcRollbackException("rolled back")) : real.create();
        }

        @Override
        public ConnectionFactoryMetadata getMetadata() {
            return real.getMetadata();
        }
    }

    @Test
    void lostConnectionsAndRollbacksAreRepeated() {
        TypedTopic<Ticks.Tick> topic = place.topic();
        List<Ticks.Tick> ticks = Ticks.random(8_000, 3);
        Ticks.append(topic, ticks);
        sink(database, LATEST);
        Faulty faulty = new Faulty(database, new AtomicInteger());
        DatabaseSink<String, Long> sink = DatabaseSink.of(place.store(), "counts", faulty, LATEST)
                .delivery(DeliverySpec.defaults().attempts(20, Duration.ofMillis(1), Duration.ofMillis(4)));
        place.job(sink, CheckpointSpec.everyEvents(150).drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);
        assertThat(latest()).isEqualTo(Ticks.batch(topic, ticks));
        assertThat(faulty.count().get()).isGreaterThan(10);
    }

    @Test
    void c62AnOutageOfTheDatabaseEndsTheJobAndTheNextRunDeliversWhatWaited() {
        TypedTopic<Ticks.Tick> topic = place.topic();
        List<Ticks.Tick> ticks = Ticks.random(8_000, 4);
        Ticks.append(topic, ticks);
        DatabaseSink<String, Long> sink = DatabaseSink.of(place.store(), "counts", database, LATEST);
        CheckpointSpec spec = CheckpointSpec.everyEvents(150).drainWhen(Mono.empty());
        assertThatThrownBy(() -> place.job(sink, spec).blockLast(Ticks.PATIENCE))
                .hasMessageContaining(missing());
        assertThat(outboxRows()).isPositive();
        sink.createTable().block(Ticks.PATIENCE);
        place.job(sink, spec).blockLast(Ticks.PATIENCE);
        assertThat(latest()).isEqualTo(Ticks.batch(topic, ticks));
    }

    @Test
    void theStatementsOfATable() {
        DatabaseTable<List<String>, Double> table = DatabaseTable.latest("s.means")
                .key("city", String.class, (List<String> key) -> key.get(0))
                .andKey("street", String.class, key -> key.get(1))
                .value("mean", Double.class);
        DatabaseStatements<List<String>, Double> statements = new DatabaseStatements<>(table);
        assertThat(statements.ddl())
                .isEqualTo(
                        "CREATE TABLE IF NOT EXISTS s.means (job VARCHAR(100) NOT NULL, window_start BIGINT NOT NULL,"
                                + " window_end BIGINT NOT NULL, city VARCHAR(1000) NOT NULL, street VARCHAR(1000) NOT NULL,"
                                + " revision INTEGER NOT NULL, kind VARCHAR(10) NOT NULL, change_number BIGINT NOT NULL,"
                                + " mean DOUBLE PRECISION, PRIMARY KEY (job, window_start, window_end, city, street))");
        assertThat(statements.upsert(DatabaseStatements.Dialect.of("PostgreSQL")))
                .isEqualTo("INSERT INTO s.means AS t (job, window_start, window_end, city, street, revision, kind,"
                        + " change_number, mean) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
                        + " ON CONFLICT (job, window_start, window_end, city, street) DO UPDATE SET"
                        + " revision = EXCLUDED.revision, kind = EXCLUDED.kind, change_number = EXCLUDED.change_number,"
                        + " mean = EXCLUDED.mean WHERE EXCLUDED.change_number >= t.change_number");
    }

    @Test
    void namesAndTypesThatCannotBeColumnsAreRefused() {
        assertThatThrownBy(() -> DatabaseTable.latest("x; DROP TABLE y")).hasMessageContaining("x; DROP TABLE y");
        DatabaseTable.Named named = DatabaseTable.latest("t");
        assertThatThrownBy(() -> named.key("a b", String.class)).hasMessageContaining("a b");
        assertThatThrownBy(() -> named.key("a", Object.class))
                .hasMessageContaining("java.lang.Object")
                .hasMessageContaining("OffsetDateTime");
    }
}
