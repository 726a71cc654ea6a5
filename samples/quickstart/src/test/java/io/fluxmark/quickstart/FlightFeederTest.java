package io.fluxmark.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.PlainPartitions;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpResources;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

class FlightFeederTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PlainPartitions PARTITIONS = new PlainPartitions(2);
    private static final List<String> AIRPORTS = List.of("ORD", "DFW", "ATL", "LAX", "PHX");

    private final FeedMeter meter = new FeedMeter();
    private final Map<Integer, List<Long>> rows = new ConcurrentHashMap<>();
    private final Map<Integer, AtomicInteger> inFlight = new ConcurrentHashMap<>();
    private final AtomicInteger mostInFlight = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private String standing =
            "{\"partitions\":[{\"id\":0,\"highestSequence\":null},{\"id\":1,\"highestSequence\":null}]}";
    private int busyEvery = Integer.MAX_VALUE;
    private int failEvery = Integer.MAX_VALUE;

    private final DisposableServer server = HttpServer.create()
            .runOn(HttpResources.get(), false)
            .host("127.0.0.1")
            .route(routes -> routes.get(
                            "/v1/streams/flights",
                            (request, response) -> response.sendString(Mono.fromSupplier(() -> standing)))
                    .post("/v1/streams/flights/events", this::take))
            .bindNow(TIMEOUT);

    @AfterEach
    void stop() {
        server.disposeNow(TIMEOUT);
    }

    @Test
    void everyPartitionGetsItsFlightsInFileOrderWithOneRequestInFlight() {
        List<Flight> flights = flights(5_000);

        feed(flights);

        assertThat(rows).isEqualTo(expected(flights, 0, 0));
        assertThat(mostInFlight).hasValue(1);
        assertThat(meter.acknowledged()).isEqualTo(5_000);
        assertThat(meter.newestArrivalMillis()).isEqualTo(5_000);
    }

    @Test
    void aBusyServerGetsTheSameFlightsAgain() {
        busyEvery = 3;
        List<Flight> flights = flights(5_000);

        feed(flights);

        assertThat(rows).isEqualTo(expected(flights, 0, 0));
        assertThat(meter.busyAnswers()).isPositive();
    }

    @Test
    void aNewFeederGoesOnWhereEachPartitionStands() {
        standing = "{\"partitions\":[{\"id\":0,\"highestSequence\":\"700\"},{\"id\":1,\"highestSequence\":\"2345\"}]}";
        List<Flight> flights = flights(5_000);

        feed(flights);

        assertThat(rows).isEqualTo(expected(flights, 700, 2_345));
    }

    @Test
    void anotherAnswerEndsTheFeedAndIsQuoted() {
        failEvery = 2;

        assertThatThrownBy(() -> feed(flights(5_000)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("409")
                .hasMessageContaining("sequence");
    }

    @Test
    void anotherNumberOfPartitionsIsRefused() {
        standing = "{\"partitions\":[{\"id\":0}]}";

        assertThatThrownBy(() -> feed(flights(10))).hasMessageContaining("has 1 partitions, not 2");
    }

    private void feed(List<Flight> flights) {
        HttpClient client =
                HttpClient.create().runOn(HttpResources.get(), false).baseUrl("http://127.0.0.1:" + server.port());
        new FlightFeeder(client, "flights", 2, PARTITIONS::of, flights, meter)
                .feed()
                .block(TIMEOUT);
    }

    private static List<Flight> flights(int count) {
        List<Flight> flights = new ArrayList<>();
        for (int row = 1; row <= count; row++) {
            flights.add(new Flight(row, row, row, 0, 0, AIRPORTS.get(row * 7 % AIRPORTS.size()), "ZZZ"));
        }
        return flights;
    }

    private static Map<Integer, List<Long>> expected(List<Flight> flights, long... after) {
        Map<Integer, List<Long>> expected = new TreeMap<>();
        for (Flight flight : flights) {
            int partition = PARTITIONS.of(flight.origin());
            if (flight.row() > after[partition]) {
                expected.computeIfAbsent(partition, p -> new ArrayList<>()).add(flight.row());
            }
        }
        return expected;
    }

    private Publisher<Void> take(HttpServerRequest request, HttpServerResponse response) {
        int number = requests.incrementAndGet();
        return request.receive().aggregate().asString().flatMap(body -> {
            List<JsonNode> events = body.lines().map(FlightFeederTest::json).toList();
            int partition = PARTITIONS.of(events.get(0).path("partitionkey").asText());
            AtomicInteger here = inFlight.computeIfAbsent(partition, p -> new AtomicInteger());
            mostInFlight.accumulateAndGet(here.incrementAndGet(), Math::max);
            if (number % busyEvery == 0) {
                here.decrementAndGet();
                return response.status(503)
                        .header(HttpHeaderNames.RETRY_AFTER, "1")
                        .send()
                        .then();
            }
            if (number % failEvery == 0) {
                return response.status(409)
                        .sendString(Mono.just("sequence 7 is out of order"))
                        .then();
            }
            for (JsonNode event : events) {
                assertThat(event.path("id").asText())
                        .isEqualTo(event.path("sequence").asText());
                rows.computeIfAbsent(partition, p -> new ArrayList<>())
                        .add(event.path("data").path("row").asLong());
            }
            return Mono.delay(Duration.ofMillis(5)).flatMap(tick -> {
                here.decrementAndGet();
                return response.sendString(Mono.just("{}")).then();
            });
        });
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
