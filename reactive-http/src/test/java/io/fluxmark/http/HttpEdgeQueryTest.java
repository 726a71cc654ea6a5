package io.fluxmark.http;

import static io.fluxmark.http.HttpEdgeAppendTest.assertProblem;
import static io.fluxmark.http.RunningEdge.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.http.RunningEdge.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class HttpEdgeQueryTest {

    private static final String PATH = "/v1/queries/totals/results";

    @TempDir
    Path directory;

    record Total(String key, long value) {}

    @Test
    void eachRowIsOneLine() {
        try (RunningEdge edge = serving(() -> Flux.just(new Total("a\nb", 1), Map.of("k", "é"), "text"))) {
            Answer answer = edge.get(PATH);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers().get("content-type")).isEqualTo("application/x-ndjson");
            assertThat(answer.body()).isEqualTo("{\"key\":\"a\\nb\",\"value\":1}\n{\"k\":\"é\"}\n\"text\"\n");
        }
    }

    @Test
    void noRowsAreAnEmptyAnswer() {
        try (RunningEdge edge = serving(Flux::empty)) {
            assertThat(edge.get(PATH).status()).isEqualTo(200);
            assertThat(edge.get(PATH).body()).isEmpty();
        }
    }

    @Test
    void eachRequestAsksForItsOwnRows() {
        AtomicInteger asked = new AtomicInteger();
        try (RunningEdge edge = serving(() -> Mono.just(asked.incrementAndGet()))) {
            assertThat(edge.get(PATH).body()).isEqualTo("1\n");
            assertThat(edge.get(PATH).body()).isEqualTo("2\n");
        }
    }

    @Test
    void rowsAreSentWhenTheyCome() throws IOException {
        Sinks.Many<String> rows = Sinks.many().unicast().onBackpressureBuffer();
        try (RunningEdge edge = serving(rows::asFlux);
                RawExchange client = new RawExchange(edge.socket())) {
            client.write("GET " + PATH + " HTTP/1.1\r\nHost: t\r\n\r\n");
            rows.tryEmitNext("first").orThrow();
            BufferedReader lines = new BufferedReader(new InputStreamReader(client.in(), StandardCharsets.UTF_8));
            assertThat(lines.lines().anyMatch("\"first\""::equals)).isTrue();
            rows.tryEmitNext("second").orThrow();
            assertThat(lines.lines().anyMatch("\"second\""::equals)).isTrue();
        }
    }

    @Test
    void anUnknownQueryIsNotFoundNamingTheKnownOnes() {
        try (RunningEdge edge = serving(Flux::empty)) {
            assertProblem(edge.get("/v1/queries/nope/results"), 404, 0, "[totals]");
        }
    }

    @Test
    void anErrorBeforeTheFirstRowIsAProblemThatKeepsItsReasonInside() {
        try (RunningEdge edge = serving(() -> Flux.error(new IllegalStateException("secret path")))) {
            Answer answer = edge.get(PATH);

            assertProblem(answer, 500, 0, "");
            assertThat(answer.body()).doesNotContain("secret");
        }
        try (RunningEdge edge = serving(() -> {
            throw new IllegalStateException("secret path");
        })) {
            assertProblem(edge.get(PATH), 500, 0, "");
        }
        try (RunningEdge edge = serving(() -> null)) {
            assertProblem(edge.get(PATH), 500, 0, "");
        }
        try (RunningEdge edge = serving(() -> Flux.just(new Object()))) {
            assertProblem(edge.get(PATH), 500, 0, "");
        }
    }

    @Test
    void anErrorAfterTheFirstRowCutsTheConnectionSoThatAPartIsNotTakenForTheWhole() {
        try (RunningEdge edge =
                serving(() -> Flux.concat(Flux.range(0, 1_000), Flux.error(new IllegalStateException("broken"))))) {
            assertThatThrownBy(() -> edge.get(PATH)).hasMessageContaining("prematurely");
        }
    }

    @Test
    void aClientThatGoesAwayCancelsTheRows() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        try (RunningEdge edge =
                serving(() -> Flux.just("row").concatWith(Mono.never()).doOnCancel(cancelled::countDown))) {
            try (RawExchange client = new RawExchange(edge.socket())) {
                client.write("GET " + PATH + " HTTP/1.1\r\nHost: t\r\n\r\n");
                assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
            }
            assertThat(cancelled.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aSlowReaderHoldsTheRowsBack() throws IOException {
        int rowBytes = 16 << 10;
        String row = "x".repeat(rowBytes);
        AtomicLong requested = new AtomicLong();
        AtomicLong produced = new AtomicLong();
        AtomicLong largest = new AtomicLong();
        Supplier<Publisher<?>> rows = () -> Flux.<String>generate(sink -> {
                    produced.incrementAndGet();
                    sink.next(row);
                })
                .hide()
                .doOnRequest(n -> {
                    requested.addAndGet(n);
                    largest.accumulateAndGet(n, Math::max);
                });
        try (RunningEdge edge = serving(rows);
                Socket socket = edge.socket()) {
            socket.setReceiveBufferSize(64 << 10);
            RawExchange client = new RawExchange(socket);
            client.write("GET " + PATH + " HTTP/1.1\r\nHost: t\r\n\r\n");

            long stalledAt = awaitStall(produced);
            // What the sockets' buffers take (some MiB at most), the 128 rows ahead, and nothing like the endless rest.
            assertThat(stalledAt * rowBytes).isLessThan(32L << 20);
            assertThat(largest.get()).isLessThanOrEqualTo(128);
            assertThat(requested.get() - produced.get()).isLessThanOrEqualTo(128);

            long wanted = 4 * stalledAt * rowBytes;
            client.in().skipNBytes(wanted);
            assertThat(produced.get() * rowBytes).isGreaterThan(wanted / 2);
            assertThat((awaitStall(produced) * rowBytes) - wanted).isLessThan(32L << 20);
        }
    }

    /** The count when it has not moved for half a second. */
    private static long awaitStall(AtomicLong count) {
        AtomicLong last = new AtomicLong(-1);
        AtomicInteger still = new AtomicInteger();
        Flux.interval(Duration.ofMillis(50))
                .takeUntil(tick -> {
                    long now = count.get();
                    boolean moved = last.getAndSet(now) != now || now == 0;
                    return (moved ? still.updateAndGet(n -> 0) : still.incrementAndGet()) == 10;
                })
                .blockLast(PATIENCE);
        return last.get();
    }

    private RunningEdge serving(Supplier<? extends Publisher<?>> rows) {
        return RunningEdge.start(directory, spec -> spec, edge -> edge.query("totals", rows));
    }
}
