package io.fluxmark.proof;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.DatabaseSink;
import io.fluxmark.sinks.DatabaseTable;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TableSink;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The job whose results go into a database, a file of H2 beside its log and store, as it is killed. */
record DatabaseJob(EventLog log, StateStore store, ConnectionFactory database) implements AutoCloseable {

    private static final int BATCH = 50;

    static DatabaseJob open(Path directory) {
        H2ConnectionConfiguration file = H2ConnectionConfiguration.builder()
                .file(directory.resolve("h2").resolve("counts").toAbsolutePath().toString())
                // What the database acknowledges has to survive the kill.
                .property("WRITE_DELAY", "0")
                .property("DB_CLOSE_DELAY", "-1")
                .build();
        return new DatabaseJob(
                EventLog.open(directory.resolve("log")).block(ProofJob.PATIENCE),
                StateStore.open(directory.resolve("state")).block(ProofJob.PATIENCE),
                new H2ConnectionFactory(file));
    }

    Topic source() {
        return log.createTopic(ProofJob.TOPIC, ProofJob.PARTITIONS).block(ProofJob.PATIENCE);
    }

    TableSink<String, Long> table() {
        return TransactionalSink.table(store, "table", KeyCodec.tagged(), Codec.longs());
    }

    DatabaseSink<String, Long> sink() {
        return DatabaseSink.of(
                store,
                "database",
                database,
                DatabaseTable.latest("sums").key("tick", String.class).value("amount", Long.class));
    }

    Flux<Checkpoint> run(CheckpointSpec spec) {
        TransactionalSink<WindowResult<String, Long>> both = table().and(sink());
        return LogSource.of(new TypedTopic<>(source(), record -> Tick.CODEC.decode(record.requireValue())))
                .watermarksMillis(Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(ProofJob.DELAY)))
                .keyByRecordKey(Tick::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(ProofJob.SIZE))
                        .allowedLateness(Duration.ofMillis(ProofJob.LATENESS)))
                .aggregate(Aggregations.summingLong(Tick::amount))
                .writeTo(both, spec.named("database-job"));
    }

    void append(List<Tick> ticks) {
        for (int from = 0; from < ticks.size(); from += BATCH) {
            List<Tick> some = ticks.subList(from, Math.min(ticks.size(), from + BATCH));
            source().append(some.stream().map(Tick::record).toList()).block(ProofJob.PATIENCE);
        }
    }

    /** The rows of the database, those that were taken back left out. */
    Map<String, String> rows() {
        return Flux.usingWhen(
                        database.create(),
                        connection -> Flux.from(connection
                                        .createStatement("SELECT * FROM sums WHERE kind <> 'RETRACT'")
                                        .execute())
                                .concatMap(result -> result.map((row, metadata) -> Map.entry(
                                        row.get("tick") + " " + row.get("window_start"),
                                        row.get("revision") + " " + row.get("kind") + " " + row.get("amount")))),
                        connection -> connection.close())
                .<Map<String, String>>collect(TreeMap::new, (all, row) -> all.put(row.getKey(), row.getValue()))
                .block(ProofJob.PATIENCE);
    }

    /** The rows of the store, in the same words. */
    Map<String, String> storedRows() {
        Map<String, String> rows = new TreeMap<>();
        table().rows()
                .toIterable()
                .forEach(row -> rows.put(
                        row.key() + " " + row.window().start(), row.revision() + " " + row.kind() + " " + row.value()));
        return rows;
    }

    @Override
    public void close() {
        Mono.usingWhen(
                        database.create(),
                        connection -> Flux.from(
                                        connection.createStatement("SHUTDOWN").execute())
                                .then(),
                        connection -> Mono.from(connection.close()).onErrorComplete())
                .onErrorComplete()
                .block(ProofJob.PATIENCE);
        store.close();
        log.close();
    }
}
