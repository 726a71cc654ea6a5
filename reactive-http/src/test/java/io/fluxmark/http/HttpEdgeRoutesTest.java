package io.fluxmark.http;

import static io.fluxmark.http.HttpEdgeAppendTest.assertProblem;
import static io.fluxmark.http.RunningEdge.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.fasterxml.jackson.databind.JsonNode;
import io.fluxmark.http.RunningEdge.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

class HttpEdgeRoutesTest {

    @TempDir
    Path directory;

    @Test
    void healthIsUp() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            Answer answer = edge.get("/health");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().get("status").asText()).isEqualTo("up");
        }
    }

    @Test
    void aStreamTellsItsPartitions() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            int partition = edge.topic.partitionFor("k".getBytes(StandardCharsets.UTF_8));
            edge.post(numbered("k", 5) + "\n" + numbered("k", 7));

            Answer answer = edge.get("/v1/streams/orders");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().get("name").asText()).isEqualTo("orders");
            assertThat(answer.json().get("partitions")).hasSize(2);
            JsonNode written = answer.json().get("partitions").get(partition);
            assertThat(written.toString())
                    .isEqualTo("{\"id\":" + partition + ",\"beginOffset\":\"0\",\"nextOffset\":\"2\"}");
        }
    }

    @Test
    void aProducerCanAskHowFarItGot() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            int partition = edge.topic.partitionFor("k".getBytes(StandardCharsets.UTF_8));
            edge.post(numbered("k", 5) + "\n" + numbered("k", 7));

            JsonNode partitions =
                    edge.get("/v1/streams/orders?producer=feeder").json().get("partitions");

            assertThat(partitions.get(partition).get("highestSequence").asText())
                    .isEqualTo("7");
            assertThat(partitions.get(1 - partition).get("highestSequence").isNull())
                    .isTrue();
            assertThat(edge.get("/v1/streams/orders?producer=other").json().findValuesAsText("highestSequence"))
                    .containsOnly("null");
        }
    }

    @Test
    void anUnknownStreamIsNotFoundNamingTheKnownOnes() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            assertProblem(edge.get("/v1/streams/nope"), 404, 0, "orders");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/v1",
                "/v1/streams",
                "/v1/streams/",
                "/v1/streams/orders/",
                "/v1/streams/orders/events/1",
                "/v1/queries/q",
                "/v2/streams/orders",
                "/health/",
                "/%00"
            })
    void anUnknownPathIsNotFound(String path) {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            assertProblem(edge.get(path), 404, 0, "POST /v1/streams/{s}/events");
        }
    }

    @Test
    void anAddressThatIsNotPercentEncodedIsABadRequest() {
        try (RunningEdge edge = RunningEdge.start(directory);
                RawExchange client = new RawExchange(edge.socket())) {
            client.write("GET /v1/streams/%zz HTTP/1.1\r\nHost: t\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 400 ").contains("application/problem+json");
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/streams/orders/events, POST",
        "DELETE, /v1/streams/orders/events, POST",
        "POST, /v1/streams/orders, GET",
        "PUT, /v1/queries/q/results, GET",
        "POST, /health, GET"
    })
    void anotherMethodIsNotAllowed(String method, String path, String allowed) {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            Answer answer = edge.call(method, path);

            assertProblem(answer, 405, 0, method);
            assertThat(answer.headers().get("allow")).isEqualTo(allowed);
        }
    }

    @Test
    void settingsAreCheckedWhereTheyAreMade() {
        HttpLimits limits = HttpLimits.defaults();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.withMaxBodyBytes(1))
                .withMessageContaining("maxBodyBytes must be between 1024 and 1073741824 but was 1");
        assertThatIllegalArgumentException().isThrownBy(() -> limits.withMaxLineBytes(1));
        assertThatIllegalArgumentException().isThrownBy(() -> limits.withMaxEvents(0));
        assertThatIllegalArgumentException().isThrownBy(() -> limits.withMaxBodies(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.withBodyTimeout(Duration.ZERO))
                .withMessageContaining("PT0S");
        assertThatIllegalArgumentException().isThrownBy(() -> limits.withRetryAfter(Duration.ofSeconds(-1)));

        try (RunningEdge edge = RunningEdge.start(directory)) {
            HttpEdge fresh = HttpEdge.create(edge.log);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fresh.port(70_000))
                    .withMessageContaining("70000");
            assertThatIllegalArgumentException().isThrownBy(() -> fresh.query("a/b", Flux::empty));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fresh.query("q", Flux::empty).query("q", Flux::empty))
                    .withMessageContaining("'q'");
            assertThatNullPointerException()
                    .isThrownBy(() -> fresh.query("q", null))
                    .withMessage("rows");
        }
    }
}
