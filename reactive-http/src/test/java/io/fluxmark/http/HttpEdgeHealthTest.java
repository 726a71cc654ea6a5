package io.fluxmark.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fluxmark.http.RunningEdge.Answer;
import io.fluxmark.sinks.HealthRules;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What the edge says of jobs: health, words, metrics. */
class HttpEdgeHealthTest {

    @TempDir
    Path directory;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private CountingJob job;
    private RunningEdge edge;

    @BeforeEach
    void open() {
        job = CountingJob.open(directory.resolve("job"), clock);
        edge = RunningEdge.start(directory.resolve("edge"), spec -> spec, http -> http.job(
                        job.monitor(), HealthRules.defaults().withMaxLag(2))
                .metrics(() -> "fluxmark_job_running 1\n"));
    }

    @AfterEach
    void close() {
        edge.close();
        job.close();
    }

    @Test
    void healthIsThatOfTheJobsAndADownOneIs503() {
        Answer down = edge.get("/health");
        assertThat(down.status()).isEqualTo(503);
        assertThat(down.json().get("status").asText()).isEqualTo("down");
        JsonNode counting = down.json().get("jobs").get("counting");
        assertThat(counting.get("status").asText()).isEqualTo("down");
        assertThat(counting.get("state").asText()).isEqualTo("not_run");
        assertThat(counting.get("reasons").get(0).asText()).isEqualTo("it has not been run");
        assertThat(edge.get("/health/live").status()).isEqualTo(200);
        assertThat(edge.get("/health/ready").status()).isEqualTo(503);

        Disposable running = job.run().subscribe();
        Answer up = edge.get("/health");
        assertThat(up.status()).isEqualTo(200);
        assertThat(up.json().get("status").asText()).isEqualTo("up");
        assertThat(up.json().get("jobs").get("counting").get("reasons")).isEmpty();

        job.append("a@1", "a@2", "a@3");
        Answer degraded = edge.get("/health/ready");
        assertThat(degraded.status()).isEqualTo(200);
        assertThat(degraded.json().get("status").asText()).isEqualTo("degraded");
        assertThat(degraded.json().get("jobs").get("counting").get("lag").asLong())
                .isEqualTo(3);
        running.dispose();
    }

    @Test
    void aJobIsToldInWords() {
        Answer words = edge.get("/v1/jobs/counting");
        assertThat(words.status()).isEqualTo(200);
        assertThat(words.headers().get("content-type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(words.body())
                .isEqualTo(
                        """
                        job counting: has not been run since its store was opened
                          no checkpoint yet
                          lane 0: nothing committed up to offset 0 of 0; a restart reads 0 records
                        """);
        Answer unknown = edge.get("/v1/jobs/other");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.json().get("detail").asText())
                .contains("unknown job 'other'")
                .contains("[counting]");
    }

    @Test
    void metricsAreWhatTheRegistryScrapes() {
        Answer metrics = edge.get("/metrics");
        assertThat(metrics.status()).isEqualTo(200);
        assertThat(metrics.headers().get("content-type")).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
        assertThat(metrics.body()).isEqualTo("fluxmark_job_running 1\n");
        assertThat(edge.call("POST", "/metrics").status()).isEqualTo(405);
    }

    @Test
    void anEdgeWithoutJobsIsUpAndHasNoMetrics() {
        try (RunningEdge plain = RunningEdge.start(directory.resolve("plain"))) {
            assertThat(plain.get("/health").body()).isEqualTo("{\"status\":\"up\"}");
            assertThat(plain.get("/health/ready").status()).isEqualTo(200);
            assertThat(plain.get("/metrics").status()).isEqualTo(404);
        }
    }

    @Test
    void aJobIsRegisteredOnce() {
        HttpEdge one = HttpEdge.create(job.log).job(job.monitor(), HealthRules.defaults());
        assertThatThrownBy(() -> one.job(job.monitor(), HealthRules.defaults()))
                .hasMessageContaining("job 'counting' is registered already");
    }
}
