package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.WindowResult;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Results as rows of a relational database, through R2DBC: delivered at least once, and written so that a repetition changes
 * nothing. Each result has its effect exactly once, in the sense of idempotence, provided that the database keeps what it
 * has committed, and that nobody else writes to the job's rows.
 *
 * <p>Results are committed with the state that they follow from, and sent only when that commit is durable: what is in the
 * database has happened. The store forgets them only after the database's own commit. A row carries the number of its
 * result, so one that is sent late, by a run that has ended meanwhile, never replaces a newer one.
 *
 * <p>Each lane writes one batch at a time, as one transaction; the bounds are {@link DeliverySpec}'s. Rollbacks, time-outs and
 * lost connections are repeated; what the database refuses otherwise ends the job. A job that is stopped or drained
 * completes when the database has all rows. H2 and PostgreSQL are known to work; other databases need the MERGE of
 * the SQL standard.
 *
 * <p>A driver that blocks, as H2's does, blocks a worker of the job's scheduler. {@code io.r2dbc:r2dbc-spi} is a dependency that
 * users of this class add.
 *
 * @param <K> the keys of results
 * @param <V> their values
 */
public final class DatabaseSink<K, V> extends TransactionalSink<WindowResult<K, V>> {

    private final StateStore store;
    private final String name;
    private final ConnectionFactory database;
    private final DatabaseTable<K, V> table;
    private final DeliverySpec spec;
    private final RowCodec<K, V> codec;

    private DatabaseSink(
            StateStore store, String name, ConnectionFactory database, DatabaseTable<K, V> table, DeliverySpec spec) {
        this.store = Objects.requireNonNull(store, "store");
        this.name = name;
        this.database = Objects.requireNonNull(database, "database");
        this.table = Objects.requireNonNull(table, "table");
        this.spec = spec;
        this.codec = new RowCodec<>("database table " + table.name(), null, null);
    }

    /**
     * A sink into a table.
     *
     * @param store the job's store, where rows wait
     * @param name the sink's name in the store; it belongs to one job
     * @param database where connections come from; each lane takes one at a time, so a pool is of use
     */
    public static <K, V> DatabaseSink<K, V> of(
            StateStore store, String name, ConnectionFactory database, DatabaseTable<K, V> table) {
        return new DatabaseSink<>(store, RowNames.checked(name), database, table, DeliverySpec.defaults());
    }

    /** The same with other bounds. */
    public DatabaseSink<K, V> delivery(DeliverySpec delivery) {
        return new DatabaseSink<>(store, name, database, table, Objects.requireNonNull(delivery, "delivery"));
    }

    /** The statement that creates the table where it is missing. */
    public String ddl() {
        return new DatabaseStatements<>(table).ddl();
    }

    /** Executes {@link #ddl} when subscribed. */
    public Mono<Void> createTable() {
        return Mono.usingWhen(
                database.create(),
                connection -> Flux.from(connection.createStatement(ddl()).execute())
                        .concatMap(Result::getRowsUpdated)
                        .then(),
                Connection::close);
    }

    /** How many committed rows wait, as of the newest commit: some may have arrived and are not removed yet. */
    public Mono<Long> unsent() {
        return OutboxQueue.count(store, name);
    }

    @Override
    StateStore store() {
        return store;
    }

    @Override
    List<JobDescription.Output> outputs(JobDefinition<?> definition) {
        return List.of(new JobDescription.Output("database", name, identity(definition)));
    }

    @Override
    String identity(JobDefinition<?> definition) {
        return codec.identity(definition);
    }

    @Override
    RowWriter<WindowResult<K, V>> open(JobDefinition<?> definition, JobLane lane) {
        ResultCodec<K, V> results = codec.of(definition);
        OutboxQueue queue = new OutboxQueue(store, name, lane);
        DatabaseSender<K, V> sender =
                new DatabaseSender<>(database, new DatabaseStatements<>(table), results, lane, spec);
        Delivery delivery = new Delivery(queue, sender, lane, spec);
        return new RowWriter<>() {
            @Override
            public void write(WindowResult<K, V> result) {
                queue.add(results.encode(result));
            }

            @Override
            public void flush(LaneTransaction transaction) {
                delivery.flush(transaction);
            }

            @Override
            public List<Delivery> deliveries() {
                return List.of(delivery);
            }
        };
    }
}
