package io.fluxmark.http;

import static io.fluxmark.http.RunningEdge.LINES;
import static io.fluxmark.http.RunningEdge.PATIENCE;
import static io.fluxmark.http.RunningEdge.event;
import static io.fluxmark.http.RunningEdge.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fluxmark.http.RunningEdge.Answer;
import io.fluxmark.log.Header;
import io.fluxmark.log.LogRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpEdgeAppendTest {

    private static final String PATH = "/v1/streams/orders/events";

    @TempDir
    Path directory;

    @Test
    void eventsAreStoredWithTheirBytesAndAnsweredInRequestOrder() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            List<String> keys = IntStream.range(0, 40).mapToObj(i -> "key-" + i).toList();
            String body = keys.stream()
                    .map(key -> event(key, ",\"partitionkey\":\"" + key + "\",\"data\":{\"k\": \"" + key + "\"}"))
                    .collect(Collectors.joining("\n"));

            Answer answer = edge.post(body);

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.headers().get("content-type")).isEqualTo("application/json");
            assertThat(answer.results()).hasSize(40);
            long[] next = new long[2];
            for (int i = 0; i < 40; i++) {
                JsonNode result = answer.results().get(i);
                int partition = result.get("partition").intValue();
                assertThat(partition).isEqualTo(edge.topic.partitionFor(bytes(keys.get(i))));
                assertThat(result.get("offset").isTextual()).isTrue();
                assertThat(result.get("offset").asLong()).isEqualTo(next[partition]++);
                assertThat(result.get("duplicate").booleanValue()).isFalse();
                LogRecord record = Objects.requireNonNull(edge.topic
                        .partition(partition)
                        .readTo(next[partition] - 1, next[partition])
                        .blockFirst(PATIENCE));
                assertThat(new String(record.value(), StandardCharsets.UTF_8))
                        .isEqualTo("{\"k\": \"" + keys.get(i) + "\"}");
                assertThat(record.key()).isEqualTo(bytes(keys.get(i)));
                assertThat(record.headers()).contains(new Header("ce_id", bytes(keys.get(i))));
            }
        }
    }

    @Test
    void oneStructuredEventMaySpanLines() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            Answer answer =
                    edge.post(PATH, "Application/CloudEvents+JSON; charset=UTF-8", event("a", ",\n\"data\":[1,\n2]"));

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.results()).hasSize(1);
            assertThat(edge.stored()).singleElement().satisfies(record -> assertThat(record.value())
                    .isEqualTo(bytes("[1,\n2]")));
        }
    }

    @Test
    void aBodyWithoutEventsIsAnsweredWithNoResults() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            assertThat(edge.post("").results()).isEmpty();
            assertThat(edge.post("\n \n").results()).isEmpty();
        }
    }

    @Test
    void theAnswerWaitsForTheFsync() throws Exception {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            edge.storage.shut();
            CompletableFuture<Answer> answer =
                    edge.posting(PATH, LINES, event("a")).toFuture();

            edge.storage.awaitWaiting();
            // The server answers other requests meanwhile, so a premature answer would have had its chance.
            assertThat(edge.get("/health").status()).isEqualTo(200);
            assertThat(edge.get("/v1/streams/orders").status()).isEqualTo(200);
            assertThat(answer).isNotDone();
            assertThat(edge.storedCount()).isZero();

            edge.storage.open();
            assertThat(answer.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
            assertThat(edge.storedCount()).isEqualTo(1);
        }
    }

    @Test
    void theSameBodyTwiceIsAnsweredWithTheFirstOffsets() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            String body = IntStream.range(0, 100)
                    .mapToObj(i -> numbered("k" + i % 7, i))
                    .collect(Collectors.joining("\n"));

            JsonNode first = edge.post(body).results();
            JsonNode second = edge.post(body).results();

            assertThat(second).hasSize(100);
            for (int i = 0; i < 100; i++) {
                assertThat(first.get(i).get("duplicate").booleanValue()).isFalse();
                assertThat(second.get(i).get("duplicate").booleanValue()).isTrue();
                assertThat(second.get(i).get("offset")).isEqualTo(first.get(i).get("offset"));
                assertThat(second.get(i).get("partition"))
                        .isEqualTo(first.get(i).get("partition"));
            }
            assertThat(edge.storedCount()).isEqualTo(100);
        }
    }

    @Test
    void aSequenceThatWasSkippedIsAConflictNamingTheLine() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            assertThat(edge.post(numbered("k", 3) + "\n" + numbered("k", 9)).status())
                    .isEqualTo(200);

            Answer answer = edge.post(numbered("k", 10) + "\n\n" + numbered("k", 3) + "\n" + numbered("k", 7));

            assertProblem(answer, 409, 4, "sequence 7 of producer 'feeder'");
            assertThat(edge.storedCount()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"specversion\":\"1.0\"",
                "{\"specversion\":\"1.0\",\"source\":\"/t\",\"type\":\"order\"}",
                "{\"specversion\":\"0.3\",\"source\":\"/t\",\"type\":\"order\",\"id\":\"1\"}",
                "not json",
                "[]",
            })
    void oneBadLineInTheMiddleStoresNothing(String bad) {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            Answer answer = edge.post(event("a") + "\n" + event("b") + "\n" + bad + "\n" + event("c") + "\n");

            assertProblem(answer, 400, 3, "line 3: ");
            assertThat(edge.storedCount()).isZero();
            assertThat(edge.post(event("a")).results().get(0).get("offset").asText())
                    .isEqualTo("0");
        }
    }

    @Test
    void aLineOverTheLimitIsNamedWithTheLimit() {
        try (RunningEdge edge = RunningEdge.start(
                directory, spec -> spec, e -> e.limits(HttpLimits.defaults().withMaxLineBytes(1_000)))) {
            Answer answer = edge.post(event("a") + "\n" + event("b", ",\"data\":\"" + "x".repeat(1_000) + "\""));

            assertProblem(answer, 413, 2, "1000 allowed");
            assertThat(edge.storedCount()).isZero();
        }
    }

    @Test
    void aRecordTooLargeForTheLogIsNamed() {
        try (RunningEdge edge = RunningEdge.start(directory, spec -> spec.maxRecordBytes(500), e -> e)) {
            Answer answer = edge.post("\n" + event("a") + "\n" + event("b", ",\"data\":\"" + "x".repeat(500) + "\""));

            assertProblem(answer, 413, 3, "maxRecordBytes 500");
            assertThat(edge.storedCount()).isZero();
        }
    }

    @Test
    void moreEventsThanAllowedAreRefused() {
        try (RunningEdge edge = RunningEdge.start(
                directory, spec -> spec, e -> e.limits(HttpLimits.defaults().withMaxEvents(2)))) {
            assertProblem(edge.post(event("a") + "\n" + event("b") + "\n" + event("c")), 413, 3, "2 allowed");
            assertThat(edge.storedCount()).isZero();
        }
    }

    @Test
    void anUnknownStreamIsNotFound() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            assertProblem(edge.post("/v1/streams/nope/events", LINES, event("a")), 404, 0, "unknown topic 'nope'");
            assertProblem(edge.post("/v1/streams/%2e%2e%2f/events", LINES, event("a")), 404, 0, "");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "text/plain",
                "application/cloudevents-batch+json",
                "application/x-ndjson; charset=latin1",
                ""
            })
    void otherContentTypesAreRefusedNamingTheAcceptedOnes(String contentType) {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            Answer answer = edge.post(PATH, contentType, event("a"));

            assertProblem(answer, 415, 0, "send ");
            assertThat(edge.storedCount()).isZero();
        }
    }

    @Test
    void aFullAppendQueueIsServiceUnavailableAndStoresNothing() throws Exception {
        try (RunningEdge edge = RunningEdge.start(directory, spec -> spec.queueRecords(3), e -> e)) {
            edge.storage.shut();
            List<CompletableFuture<Answer>> accepted = new ArrayList<>();
            accepted.add(edge.posting(PATH, LINES, event("a")).toFuture());
            edge.storage.awaitWaiting();
            // While the fsync of the first waits, requests of two events fill the queue, whatever the writer has taken
            // already.
            Answer refused = null;
            int sent = 0;
            while (refused == null) {
                assertThat(sent).isLessThan(10);
                CompletableFuture<Answer> next = edge.posting(PATH, LINES, event("b" + sent) + "\n" + event("c" + sent))
                        .toFuture();
                sent++;
                // Answered only if it was refused: behind the shut gate nothing else completes.
                Answer health = edge.get("/health");
                assertThat(health.status()).isEqualTo(200);
                try {
                    refused = next.get(500, TimeUnit.MILLISECONDS);
                } catch (java.util.concurrent.TimeoutException e) {
                    accepted.add(next);
                }
            }

            assertProblem(refused, 503, 0, "the log is overloaded");
            assertThat(Integer.parseInt(refused.headers().get("retry-after"))).isPositive();

            edge.storage.open();
            for (CompletableFuture<Answer> answer : accepted) {
                assertThat(answer.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
            }
            assertThat(edge.storedCount()).isEqualTo(1 + 2L * (accepted.size() - 1));
        }
    }

    @Test
    void aRequestLargerThanTheWholeQueueIsTooLarge() {
        try (RunningEdge edge = RunningEdge.start(directory, spec -> spec.queueRecords(2), e -> e)) {
            assertProblem(edge.post(event("a") + "\n" + event("b") + "\n" + event("c")), 413, 0, "");
            assertThat(edge.storedCount()).isZero();
            assertThat(edge.post(event("a") + "\n" + event("b")).status()).isEqualTo(200);
        }
    }

    @Test
    void aClosedLogIsServiceUnavailable() {
        try (RunningEdge edge = RunningEdge.start(directory)) {
            edge.log.close();

            Answer answer = edge.post(event("a"));

            assertProblem(answer, 503, 0, "the log is closed");
            assertThat(answer.headers().get("retry-after")).isEqualTo("1");
        }
    }

    static void assertProblem(Answer answer, int status, int line, String detail) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().get("content-type")).isEqualTo("application/problem+json");
        assertThat(answer.json().get("status").intValue()).isEqualTo(status);
        assertThat(answer.json().get("title").asText()).isNotBlank();
        assertThat(answer.json().get("detail").asText()).contains(detail);
        assertThat(answer.json().path("line").asInt(0)).isEqualTo(line);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
