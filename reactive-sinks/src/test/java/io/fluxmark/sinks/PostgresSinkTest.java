package io.fluxmark.sinks;

import static io.r2dbc.spi.ConnectionFactoryOptions.DATABASE;
import static io.r2dbc.spi.ConnectionFactoryOptions.DRIVER;
import static io.r2dbc.spi.ConnectionFactoryOptions.HOST;
import static io.r2dbc.spi.ConnectionFactoryOptions.PASSWORD;
import static io.r2dbc.spi.ConnectionFactoryOptions.PORT;
import static io.r2dbc.spi.ConnectionFactoryOptions.USER;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Result;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import reactor.core.publisher.Flux;

/** The same against a real PostgreSQL, which the profile {@code postgresql} downloads and this starts. */
@EnabledIf("isThere")
class PostgresSinkTest extends DatabaseSinkTest {

    private static final String SERVER = "io.zonky.test.db.postgres.embedded.EmbeddedPostgres";

    private static AutoCloseable server;
    private static int port;

    static boolean isThere() {
        try {
            Class.forName(SERVER);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @BeforeAll
    static void start() throws ReflectiveOperationException {
        // By name, because the library is there in one profile only.
        Class<?> type = Class.forName(SERVER);
        server = (AutoCloseable) type.getMethod("start").invoke(null);
        port = (Integer) type.getMethod("getPort").invoke(server);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Override
    ConnectionFactory connect() {
        ConnectionFactory factory = ConnectionFactories.get(ConnectionFactoryOptions.builder()
                .option(DRIVER, "postgresql")
                .option(HOST, "localhost")
                .option(PORT, port)
                .option(USER, "postgres")
                .option(PASSWORD, "postgres")
                .option(DATABASE, "postgres")
                .build());
        Flux.usingWhen(
                        factory.create(),
                        connection -> Flux.from(connection
                                        .createStatement("DROP TABLE IF EXISTS counts, changes")
                                        .execute())
                                .concatMap(Result::getRowsUpdated),
                        connection -> connection.close())
                .blockLast(Ticks.PATIENCE);
        return factory;
    }

    @Override
    String missing() {
        return "does not exist";
    }
}
