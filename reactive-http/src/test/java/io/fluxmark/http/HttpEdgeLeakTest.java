package io.fluxmark.http;

import static io.fluxmark.http.RunningEdge.LINES;
import static io.fluxmark.http.RunningEdge.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs with every buffer tracked; what Netty's leak detector reports is what it logs. */
class HttpEdgeLeakTest {

    private static final Logger DETECTOR = Logger.getLogger(ResourceLeakDetector.class.getName());
    private static final int ROUNDS = 25;

    @TempDir
    Path directory;

    private final Queue<String> reports = new ConcurrentLinkedQueue<>();
    private final Handler capture = new Handler() {
        @Override
        public void publish(LogRecord record) {
            if (record.getMessage().startsWith("LEAK")) {
                reports.add(record.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() throws InterruptedException {
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
        provokeReports();
        DETECTOR.addHandler(capture);
        DETECTOR.setUseParentHandlers(false);
    }

    @AfterEach
    void stopListening() {
        DETECTOR.setUseParentHandlers(true);
        DETECTOR.removeHandler(capture);
    }

    @Test
    void refusedRequestsLeakNoBuffers() throws Exception {
        HttpLimits limits = HttpLimits.defaults().withMaxBodyBytes(64 << 10).withMaxLineBytes(1_000);
        int requests = 0;
        try (RunningEdge edge = RunningEdge.start(directory, spec -> spec, e -> e.limits(limits))) {
            String path = "/v1/streams/orders/events";
            String large = " ".repeat(200 << 10);
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(edge.post("/v1/streams/nope/events", LINES, event("a"))
                                .status())
                        .isEqualTo(404);
                assertThat(edge.post("/nowhere", LINES, event("a")).status()).isEqualTo(404);
                assertThat(edge.post("/health", LINES, event("a")).status()).isEqualTo(405);
                assertThat(edge.post(path, "text/plain", event("a")).status()).isEqualTo(415);
                assertThat(edge.post(event("a") + "\n{").status()).isEqualTo(400);
                assertThat(edge.post(event("a", ",\"data\":\"" + "x".repeat(1_000) + "\""))
                                .status())
                        .isEqualTo(413);
                assertThat(raw(edge, "Content-Length: " + large.length() + "\r\n", large))
                        .startsWith("HTTP/1.1 413 ");
                assertThat(raw(edge, "Transfer-Encoding: chunked\r\n", "32000\r\n" + large + "\r\n0\r\n\r\n"))
                        .startsWith("HTTP/1.1 413 ");
                try (RawExchange gone = new RawExchange(edge.socket())) {
                    gone.post("Content-Length: 1000\r\n", event("a"));
                }
                requests += 9;
            }
            assertThat(edge.storedCount()).isZero();
        }
        provokeReports();

        System.out.println("leak test: " + requests + " refused requests");
        assertThat(requests).isGreaterThanOrEqualTo(200);
        assertThat(reports).isEmpty();
    }

    @Test
    void aLeakWouldBeReported() throws InterruptedException {
        leak();
        provokeReports();

        assertThat(reports).isNotEmpty();
    }

    private static void leak() {
        ByteBuf lost = ByteBufAllocator.DEFAULT.buffer(10);
        lost.writeByte(1);
    }

    private static String raw(RunningEdge edge, String headers, String body) throws IOException {
        try (RawExchange client = new RawExchange(edge.socket())) {
            return client.post(headers, body).answer();
        }
    }

    /** Collects garbage until references of this age are cleared, then lets the detector look. */
    private static void provokeReports() throws InterruptedException {
        ReferenceQueue<Object> cleared = new ReferenceQueue<>();
        List<PhantomReference<Object>> markers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            markers.add(new PhantomReference<>(new Object(), cleared));
            System.gc();
            cleared.remove(10_000);
        }
        for (int i = 0; i < 100; i++) {
            ByteBufAllocator.DEFAULT.buffer(1).release();
        }
        assertThat(markers).hasSize(3);
    }
}
