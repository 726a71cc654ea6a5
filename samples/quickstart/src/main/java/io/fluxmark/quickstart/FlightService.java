package io.fluxmark.quickstart;

import io.fluxmark.http.HttpEdge;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.state.StateStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpResources;
import reactor.netty.http.client.HttpClient;

/** The log, the store and the HTTP server of one data directory: opened together, closed in order. */
final class FlightService implements AutoCloseable {

    /** The stream that the file is fed into. */
    static final String STREAM = "flights";

    /** A stream for one's own flights, with the last day of the file in it. */
    static final String LIVE_STREAM = "live";

    static final int PARTITIONS = 4;

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final EventLog log;
    private final StateStore store;
    private final FlightTables tables;
    private final DisposableServer server;

    private FlightService(EventLog log, StateStore store, FlightTables tables, DisposableServer server) {
        this.log = log;
        this.store = store;
        this.tables = tables;
        this.server = server;
    }

    /** Opens what is there, or makes it; the server listens on a free port of the loopback address. */
    static FlightService open(DataDirectory directory) {
        EventLog log = Objects.requireNonNull(EventLog.open(directory.log()).block(TIMEOUT));
        try {
            log.createTopic(STREAM, PARTITIONS).block(TIMEOUT);
            log.createTopic(LIVE_STREAM, PARTITIONS).block(TIMEOUT);
            StateStore store =
                    Objects.requireNonNull(StateStore.open(directory.state()).block(TIMEOUT));
            try {
                FlightTables tables = new FlightTables(store);
                DisposableServer server = Objects.requireNonNull(HttpEdge.create(log)
                        .query("days", () -> tables.days().rows())
                        .query("hours", () -> tables.hours().changes())
                        .query("live", () -> tables.live().changes().map(LiveRow::of))
                        .bind()
                        .block(TIMEOUT));
                return new FlightService(log, store, tables, server);
            } catch (RuntimeException e) {
                store.close();
                throw e;
            }
        } catch (RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /** Where the server listens. */
    String address() {
        return "http://127.0.0.1:" + server.port();
    }

    /** A feeder of this server's stream. */
    FlightFeeder feeder(String stream, List<Flight> flights, FeedMeter meter) {
        Topic topic = log.topic(stream);
        return new FlightFeeder(
                HttpClient.create().runOn(HttpResources.get(), false).baseUrl(address()),
                stream,
                PARTITIONS,
                airport -> topic.partitionFor(airport.getBytes(StandardCharsets.UTF_8)),
                flights,
                meter);
    }

    StateStore store() {
        return store;
    }

    FlightTables tables() {
        return tables;
    }

    TypedTopic<Flight> topic(String stream) {
        return log.topic(stream, EventCodec.json(Flight.class));
    }

    /** Records in a stream. */
    long appended(String stream) {
        Topic topic = log.topic(stream);
        return topic.partitions().stream().mapToLong(Partition::endOffset).sum();
    }

    /** Stops listening, then closes the store and the log. */
    @Override
    public void close() {
        server.disposeNow(TIMEOUT);
        store.close();
        log.close();
    }
}
