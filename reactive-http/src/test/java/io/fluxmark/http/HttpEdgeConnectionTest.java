package io.fluxmark.http;

import static io.fluxmark.http.RunningEdge.PATIENCE;
import static io.fluxmark.http.RunningEdge.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.http.RunningEdge.Answer;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class HttpEdgeConnectionTest {

    private static final int MIB = 1 << 20;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void aClientThatGoesAwayInTheMiddleOfItsBodyStoresNothing(boolean chunked, boolean reset) throws IOException {
        try (RunningEdge edge = small(1)) {
            String lines = event("a") + "\n" + event("b") + "\n";
            Socket socket = edge.socket();
            socket.setSoLinger(reset, 0);
            try (RawExchange gone = new RawExchange(socket)) {
                if (chunked) {
                    gone.begin(
                            "Transfer-Encoding: chunked\r\n",
                            Integer.toHexString(lines.length()) + "\r\n" + lines + "\r\n");
                } else {
                    gone.begin("Content-Length: " + (lines.length() + 1) + "\r\n", lines);
                }
                // It holds the only permit: whoever comes next is refused.
                awaitStatus(edge, 503);
            }

            // The permit comes back only when the server has seen the end.
            awaitStatus(edge, 200);
            assertThat(edge.stored())
                    .noneMatch(record -> new String(Objects.requireNonNull(record.key()), StandardCharsets.UTF_8)
                            .matches("/t/[ab]"));
        }
    }

    @Test
    void aLargeBodyRightBehindAnotherRequestIsReadToItsEnd() throws IOException {
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 5_000; i++) {
            many.append(event("e" + i, ",\"data\":\"" + "x".repeat(150) + "\"")).append('\n');
        }
        try (RunningEdge edge = RunningEdge.start(directory);
                RawExchange both = new RawExchange(edge.socket())) {
            String one = event("first");
            both.post("Content-Length: " + one.length() + "\r\n", one);
            both.post("Content-Length: " + many.length() + "\r\n", many.toString());

            assertThat(both.answer()).startsWith("HTTP/1.1 200 ");
            assertThat(both.answer()).startsWith("HTTP/1.1 200 ");
            assertThat(edge.storedCount()).isEqualTo(5_001);
        }
    }

    @Test
    void moreBodiesAtOnceThanAllowedAreRefusedWithRetryAfter() throws IOException {
        try (RunningEdge edge = small(2);
                RawExchange first = new RawExchange(edge.socket());
                RawExchange second = new RawExchange(edge.socket())) {
            String line = event("a");
            first.begin("Content-Length: " + line.length() + "\r\n", "{");
            second.begin("Content-Length: " + line.length() + "\r\n", "{");

            Answer refused = awaitStatus(edge, 503);

            HttpEdgeAppendTest.assertProblem(refused, 503, 0, "2 request bodies are arriving");
            assertThat(refused.headers().get("retry-after")).isEqualTo("1");
            assertThat(first.write(line.substring(1)).answer()).startsWith("HTTP/1.1 200 ");
            assertThat(second.write(line.substring(1)).answer()).startsWith("HTTP/1.1 200 ");
            awaitStatus(edge, 200);
        }
    }

    @Test
    void aBodyThatDoesNotArriveInTimeIsRefusedAndTheConnectionClosed() throws IOException {
        VirtualTimeScheduler timer = VirtualTimeScheduler.create();
        try (RunningEdge edge = RunningEdge.start(directory, spec -> spec, e -> e.timer(timer)
                        .limits(HttpLimits.defaults()
                                .withBodyTimeout(Duration.ofSeconds(10))
                                .withMaxBodies(1)));
                RawExchange slow = new RawExchange(edge.socket())) {
            slow.begin("Content-Length: 100\r\n", "{");
            awaitStatus(edge, 503);

            timer.advanceTimeBy(Duration.ofSeconds(11));

            assertThat(slow.answer())
                    .startsWith("HTTP/1.1 408 ")
                    .containsIgnoringCase("connection: close")
                    .contains("PT10S");
            assertThat(slow.ended()).isTrue();
            awaitStatus(edge, 200);
        }
    }

    @Test
    void anAnnouncedBodyOverTheLimitIsRefusedBeforeItIsSent() throws IOException {
        try (RunningEdge edge = small(64);
                RawExchange client = new RawExchange(edge.socket())) {
            client.post("Content-Length: " + 5 * MIB + "\r\nExpect: 100-continue\r\n", "");

            assertThat(client.answer())
                    .startsWith("HTTP/1.1 413 ")
                    .contains("5242880 bytes")
                    .contains("1048576 allowed")
                    .containsIgnoringCase("connection: close");
            assertThat(client.ended()).isTrue();
        }
    }

    @Test
    void aClientThatWritesItsWholeTooLargeBodyBeforeReadingStillSeesTheAnswer() throws IOException {
        try (RunningEdge edge = small(64);
                RawExchange announced = new RawExchange(edge.socket());
                RawExchange chunked = new RawExchange(edge.socket())) {
            String padding = " ".repeat(12 * MIB);
            announced.post("Content-Length: " + padding.length() + "\r\n", padding);
            assertThat(announced.answer()).startsWith("HTTP/1.1 413 ");

            String chunk = "100000\r\n" + " ".repeat(MIB) + "\r\n";
            chunked.post("Transfer-Encoding: chunked\r\n", chunk.repeat(12) + "0\r\n\r\n");
            assertThat(chunked.answer()).startsWith("HTTP/1.1 413 ").contains("1048576 allowed");
            assertThat(edge.storedCount()).isZero();
        }
    }

    @Test
    void anAnswerBeforeTheBodyIsReadIsNotLostWhenTheClientAskedForTheClose() throws IOException {
        try (RunningEdge edge = small(64);
                RawExchange client = new RawExchange(edge.socket())) {
            String body = " ".repeat(MIB);
            client.write("POST /v1/streams/nope/events HTTP/1.1\r\nHost: t\r\nConnection: close\r\nContent-Length: "
                    + MIB + "\r\n\r\n" + body);
            assertThat(client.answer()).startsWith("HTTP/1.1 404 ");
            assertThat(client.ended()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"99999999999999999999", "-1", "1x", "''"})
    void aLengthThatIsNoNumberIsABadRequest(String length) throws IOException {
        try (RunningEdge edge = small(64);
                RawExchange client = new RawExchange(edge.socket())) {
            client.post("Content-Length: " + length + "\r\n", "");
            assertThat(client.answer()).startsWith("HTTP/1.1 400 ");
            assertThat(edge.storedCount()).isZero();
        }
    }

    @Test
    void aBodyOfExactlyTheLimitIsAccepted() {
        try (RunningEdge edge = small(64)) {
            String line = event("a");
            assertThat(edge.post(line + "\n".repeat(MIB - line.length())).status())
                    .isEqualTo(200);
            assertThat(edge.post(line + "\n".repeat(MIB + 1 - line.length())).status())
                    .isEqualTo(413);
            assertThat(edge.storedCount()).isEqualTo(1);
        }
    }

    @Test
    void aRefusedShortBodyLeavesTheConnectionUsable() throws IOException {
        try (RunningEdge edge = small(64);
                RawExchange client = new RawExchange(edge.socket())) {
            String line = event("a");
            String length = "Content-Length: " + line.length() + "\r\n";
            client.write("POST /v1/streams/nope/events HTTP/1.1\r\nHost: t\r\n" + length + "\r\n" + line);
            assertThat(client.answer()).startsWith("HTTP/1.1 404 ");

            client.post(length, "x".repeat(line.length()));
            assertThat(client.answer()).startsWith("HTTP/1.1 400 ");

            client.post(length, line);
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
            assertThat(edge.storedCount()).isEqualTo(1);
        }
    }

    @Test
    void aClientThatExpectsContinueGetsIt() throws IOException {
        try (RunningEdge edge = small(64);
                RawExchange client = new RawExchange(edge.socket())) {
            String line = event("a");
            client.post("Expect: 100-continue\r\nContent-Length: " + line.length() + "\r\n", "");
            assertThat(client.answer()).startsWith("HTTP/1.1 100 ");
            assertThat(client.write(line).answer()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void brokenChunkFramingStoresNothing() throws IOException {
        try (RunningEdge edge = small(1)) {
            String line = event("a") + "\n";
            try (RawExchange client = new RawExchange(edge.socket())) {
                client.post(
                        "Transfer-Encoding: chunked\r\n",
                        Integer.toHexString(line.length()) + "\r\n" + line + "\r\nnot hex\r\n");
                assertThat(client.ended()).isTrue();
            }
            assertThat(edge.storedCount()).isZero();
            awaitStatus(edge, 200);
        }
    }

    @Test
    void aBodyInManySmallPiecesIsOneBody() throws IOException {
        try (RunningEdge edge = small(64);
                RawExchange client = new RawExchange(edge.socket())) {
            String lines = event("a", ",\"data\":\"\u00e9\u6f22\ud83d\ude00\"") + "\n" + event("b");
            byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
            client.post("Content-Length: " + bytes.length + "\r\n", "");
            for (byte b : bytes) {
                client.write(new byte[] {b});
            }
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
            assertThat(edge.stored()).anyMatch(record -> new String(record.value(), StandardCharsets.UTF_8)
                    .equals("\"\u00e9\u6f22\ud83d\ude00\""));
        }
    }

    private RunningEdge small(int bodies) {
        return RunningEdge.start(
                directory,
                spec -> spec,
                edge -> edge.limits(HttpLimits.defaults().withMaxBodyBytes(MIB).withMaxBodies(bodies)));
    }

    /** Posts an event until it is answered so. */
    private static Answer awaitStatus(RunningEdge edge, int status) {
        return Objects.requireNonNull(
                Mono.defer(() -> edge.posting("/v1/streams/orders/events", RunningEdge.LINES, event("probe")))
                        .filter(answer -> answer.status() == status)
                        .repeatWhenEmpty(1_000, rounds -> rounds.delayElements(Duration.ofMillis(10)))
                        .block(PATIENCE));
    }
}
