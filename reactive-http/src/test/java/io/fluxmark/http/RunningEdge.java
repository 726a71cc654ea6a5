package io.fluxmark.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpResources;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** A log with the topic {@code orders} of two partitions, an edge before it on a real socket, and a client. */
final class RunningEdge implements AutoCloseable {

    static final String LINES = "application/x-ndjson";
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final ObjectMapper MAPPER = new ObjectMapper();

    final GatedStorage storage;
    final EventLog log;
    final Topic topic;
    private final DisposableServer server;
    private final ConnectionProvider connections = ConnectionProvider.create("edge-test", 64);
    private final HttpClient client;

    private RunningEdge(GatedStorage storage, EventLog log, UnaryOperator<HttpEdge> edge) {
        this.storage = storage;
        this.log = log;
        this.topic = Objects.requireNonNull(log.createTopic("orders", 2).block(PATIENCE));
        this.server =
                Objects.requireNonNull(edge.apply(HttpEdge.create(log)).bind().block(PATIENCE));
        this.client = HttpClient.create(connections)
                .runOn(HttpResources.get(), false)
                .host("127.0.0.1")
                .port(server.port());
    }

    static RunningEdge start(Path directory) {
        return start(directory, spec -> spec, edge -> edge);
    }

    static RunningEdge start(Path directory, UnaryOperator<LogSpec> spec, UnaryOperator<HttpEdge> edge) {
        GatedStorage storage = new GatedStorage();
        LogSpec changed = spec.apply(LogSpec.defaults().storage(storage));
        EventLog log = Objects.requireNonNull(EventLog.open(directory, changed).block(PATIENCE));
        return new RunningEdge(storage, log, edge);
    }

    Answer post(String body) {
        return post("/v1/streams/orders/events", LINES, body);
    }

    Answer post(String path, String contentType, String body) {
        return block(posting(path, contentType, body));
    }

    Mono<Answer> posting(String path, String contentType, String body) {
        return answer(client.headers(h -> h.set("content-type", contentType)
                        .set("content-length", body.getBytes(StandardCharsets.UTF_8).length))
                .post()
                .uri(path)
                .send(ByteBufFlux.fromString(Mono.just(body))));
    }

    Answer get(String path) {
        return block(answer(client.get().uri(path)));
    }

    Answer call(String method, String path) {
        return block(answer(client.request(io.netty.handler.codec.http.HttpMethod.valueOf(method))
                .uri(path)));
    }

    HttpClient client() {
        return client;
    }

    Socket socket() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    /** All that is stored, partition by partition. */
    List<LogRecord> stored() {
        return topic.partitions().stream()
                .flatMap(
                        partition -> Objects.requireNonNull(partition
                                        .readTo(0, partition.endOffset())
                                        .collectList()
                                        .block(PATIENCE))
                                .stream())
                .toList();
    }

    long storedCount() {
        return topic.partitions().stream().mapToLong(Partition::endOffset).sum();
    }

    @Override
    public void close() {
        storage.open();
        server.disposeNow(PATIENCE);
        connections.dispose();
        log.close();
    }

    static String event(String id, String more) {
        return "{\"specversion\":\"1.0\",\"source\":\"/t\",\"type\":\"order\",\"id\":\"" + id + "\"" + more + "}";
    }

    static String event(String id) {
        return event(id, "");
    }

    static String numbered(String key, long sequence) {
        return event(
                "n" + sequence,
                ",\"partitionkey\":\"" + key + "\",\"producerid\":\"feeder\",\"sequence\":\"" + sequence
                        + "\",\"data\":{\"n\":" + sequence + "}");
    }

    private static Mono<Answer> answer(HttpClient.ResponseReceiver<?> receiver) {
        return receiver.responseSingle((response, body) -> body.asString()
                .defaultIfEmpty("")
                .map(text -> new Answer(response.status().code(), response.responseHeaders(), text)));
    }

    private static Answer block(Mono<Answer> answer) {
        return Objects.requireNonNull(answer.block(PATIENCE));
    }

    /** A whole answer. */
    record Answer(int status, HttpHeaders headers, String body) {
        JsonNode json() {
            try {
                return MAPPER.readTree(body);
            } catch (JsonProcessingException e) {
                throw new AssertionError("no JSON: " + body, e);
            }
        }

        JsonNode results() {
            return json().get("results");
        }
    }
}
