package io.fluxmark.sinks;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Writes the rows of one lane into a database, each batch in one transaction of its own.
 *
 * @param <K> the keys of results
 * @param <V> their values
 */
final class DatabaseSender<K, V> implements RowSender {

    private final ConnectionFactory database;
    private final DatabaseStatements<K, V> statements;
    private final ResultCodec<K, V> codec;
    private final String job;
    private final DeliverySpec spec;
    private final Scheduler clock;
    private final String upsert;

    DatabaseSender(
            ConnectionFactory database,
            DatabaseStatements<K, V> statements,
            ResultCodec<K, V> codec,
            JobLane lane,
            DeliverySpec spec) {
        this.database = database;
        this.statements = statements;
        this.codec = codec;
        this.job = lane.job().name();
        this.spec = spec;
        this.clock = lane.clock();
        this.upsert = statements.upsert(
                DatabaseStatements.Dialect.of(database.getMetadata().getName()));
    }

    @Override
    public Mono<List<byte[]>> send(List<OutboxRow> rows) {
        return Mono.usingWhen(
                        Mono.defer(() -> Mono.<Connection>from(database.create())),
                        connection -> write(connection, rows),
                        Connection::close,
                        (connection, failure) -> giveBack(connection),
                        DatabaseSender::giveBack)
                .retryWhen(spec.retry(clock).filter(DatabaseSender::mayPass))
                .thenReturn(List.of());
    }

    private Mono<Void> write(Connection connection, List<OutboxRow> rows) {
        return Mono.from(connection.beginTransaction())
                .thenMany(Flux.defer(() -> {
                    Statement statement = connection.createStatement(upsert);
                    for (int i = 0; i < rows.size(); i++) {
                        OutboxRow row = rows.get(i);
                        if (i > 0) {
                            statement.add();
                        }
                        statements.bind(
                                statement, new DatabaseStatements.Row<>(job, row.number(), codec.decode(row.bytes())));
                    }
                    return statement.execute();
                }))
                .concatMap(Result::getRowsUpdated)
                .then(Mono.from(connection.commitTransaction()));
    }

    private static Mono<Void> giveBack(Connection connection) {
        return Mono.from(connection.rollbackTransaction()).onErrorComplete().then(Mono.from(connection.close()));
    }

    /** A rollback, a time-out or a lost connection; not a row or a statement that the database refuses. */
    private static boolean mayPass(Throwable failure) {
        return failure instanceof R2dbcTransientException || failure instanceof R2dbcNonTransientResourceException;
    }
}
