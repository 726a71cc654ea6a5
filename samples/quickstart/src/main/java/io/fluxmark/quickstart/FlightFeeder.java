package io.fluxmark.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fluxmark.quickstart.plain.Flight;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.retry.Retry;

/**
 * Sends the flights to the server: partitions side by side, each in file order with one request in flight.
 *
 * <p>It first asks where each partition stands and goes on after that row, so a run that was killed at any moment is
 * continued without a gap and without a repetition. A busy server is asked again after the time it names.
 */
final class FlightFeeder {

    /** About 200 KB: a server that has not quite ended one request can hold the whole of the next. */
    private static final int FLIGHTS_PER_REQUEST = 600;

    private static final int BUSY_ANSWERS_IN_A_ROW = 600;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client;
    private final String stream;
    private final List<List<Flight>> partitions;
    private final FeedMeter meter;

    /**
     * A feeder for one stream.
     *
     * @param client with the server as its base URL
     * @param partitionOf where the log puts an airport
     */
    FlightFeeder(
            HttpClient client,
            String stream,
            int partitionCount,
            ToIntFunction<String> partitionOf,
            List<Flight> flights,
            FeedMeter meter) {
        this.client = client;
        this.stream = stream;
        this.meter = meter;
        this.partitions = new ArrayList<>(partitionCount);
        for (int p = 0; p < partitionCount; p++) {
            partitions.add(new ArrayList<>());
        }
        for (Flight flight : flights) {
            partitions.get(partitionOf.applyAsInt(flight.origin())).add(flight);
        }
    }

    /** Completes when every flight is durable in the log. */
    Mono<Void> feed() {
        return standing().flatMap(highest -> Flux.range(0, partitions.size())
                .flatMap(p -> feed(rest(partitions.get(p), highest[p])), partitions.size())
                .then());
    }

    private Mono<Void> feed(List<Flight> flights) {
        int requests = (flights.size() + FLIGHTS_PER_REQUEST - 1) / FLIGHTS_PER_REQUEST;
        return Flux.range(0, requests)
                .map(i -> flights.subList(
                        i * FLIGHTS_PER_REQUEST, Math.min(flights.size(), (i + 1) * FLIGHTS_PER_REQUEST)))
                .concatMap(this::post, 1)
                .then();
    }

    private static List<Flight> rest(List<Flight> flights, long highestRow) {
        int from = 0;
        while (from < flights.size() && flights.get(from).row() <= highestRow) {
            from++;
        }
        return flights.subList(from, flights.size());
    }

    private Mono<Void> post(List<Flight> flights) {
        byte[] body = FlightEvents.ndjson(flights);
        return client.headers(headers -> headers.set(HttpHeaderNames.CONTENT_TYPE, FlightEvents.MEDIA_TYPE)
                        .setInt(HttpHeaderNames.CONTENT_LENGTH, body.length))
                .post()
                .uri("/v1/streams/" + stream + "/events")
                .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
                .responseSingle((response, content) ->
                        content.asString().defaultIfEmpty("").flatMap(text -> answer(response, text)))
                .retryWhen(Retry.from(signals -> signals.concatMap(signal -> {
                    if (signal.failure() instanceof ServerBusyException busy
                            && signal.totalRetriesInARow() < BUSY_ANSWERS_IN_A_ROW) {
                        meter.busy();
                        return Mono.delay(busy.retryAfter());
                    }
                    return Mono.error(signal.failure());
                })))
                .doOnNext(text -> meter.acknowledged(
                        flights.size(), flights.get(flights.size() - 1).arrivalMillis()))
                .then();
    }

    /** The highest row that each partition holds; 0 where it holds none. */
    private Mono<long[]> standing() {
        return client.get()
                .uri("/v1/streams/" + stream + "?producer=" + FlightEvents.PRODUCER)
                .responseSingle((response, content) ->
                        content.asString().defaultIfEmpty("").flatMap(text -> answer(response, text)))
                .map(this::highestRows);
    }

    private long[] highestRows(String text) {
        JsonNode described;
        try {
            described = JSON.readTree(text).path("partitions");
        } catch (IOException e) {
            throw new IllegalStateException("The server's description of '" + stream + "' is no JSON: " + text, e);
        }
        if (described.size() != partitions.size()) {
            throw new IllegalStateException("Stream '" + stream + "' has " + described.size() + " partitions, not "
                    + partitions.size() + ": use another data directory.");
        }
        long[] highest = new long[partitions.size()];
        for (JsonNode partition : described) {
            highest[partition.path("id").asInt()] =
                    partition.path("highestSequence").asLong(0);
        }
        return highest;
    }

    private static Mono<String> answer(HttpClientResponse response, String text) {
        if (response.status().equals(HttpResponseStatus.OK)) {
            return Mono.just(text);
        }
        if (response.status().equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
            Integer seconds = response.responseHeaders().getInt(HttpHeaderNames.RETRY_AFTER);
            return Mono.error(new ServerBusyException(Duration.ofSeconds(seconds == null ? 1 : Math.max(1, seconds))));
        }
        return Mono.error(new IllegalStateException(
                "The server answered " + response.status() + " to " + response.path() + ": " + text));
    }
}
