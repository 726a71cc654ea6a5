package io.fluxmark.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.sinks.CheckpointCosts;
import io.fluxmark.sinks.JobMonitor;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A job's figures as meters. */
class JobMetersTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final List<String> OUTCOMES =
            List.of("on_time", "refired", "dropped", "side", "rejected", "unassigned", "duplicates", "failed", "late");

    @TempDir
    Path directory;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private CountingJob job;

    @BeforeEach
    void open() {
        job = CountingJob.open(directory, clock);
    }

    @AfterEach
    void close() {
        job.close();
    }

    private double value(String name, String... tags) {
        Meter meter = registry.get("fluxmark.job." + name)
                .tag("job", CountingJob.NAME)
                .tags(tags)
                .meter();
        return meter.measure().iterator().next().getValue();
    }

    private void refresh() {
        // Whatever the look has to wait for is there at a later one.
        clock.advanceTimeBy(SECOND);
    }

    @Test
    void theMetersShowWhatAJobHasCommittedAndWhatNotAndGoWhenDisposedOf() {
        Disposable running = job.run().subscribe();
        Disposable meters = JobMeters.bind(registry, job.monitor(), SECOND, clock, Duration.ofHours(1));
        job.append("a@1000", "b@2000", "a@500", "broken");
        CountingJob.until("all is committed", () -> {
            refresh();
            return value("events", "outcome", "rejected") == 1 && value("rows") == 1;
        });
        assertThat(value("running")).isOne();
        assertThat(value("health")).isEqualTo(2);
        assertThat(value("restarts")).isZero();
        assertThat(value("lag", "lane", "0")).isZero();
        assertThat(value("unread", "lane", "0")).isZero();
        assertThat(value("events", "outcome", "on_time")).isEqualTo(2);
        assertThat(value("events", "outcome", "dropped")).isOne();
        assertThat(OUTCOMES.stream()
                        .mapToDouble(outcome -> value("events", "outcome", outcome))
                        .sum())
                .isEqualTo(value("counts", "count", "ingested"))
                .isEqualTo(4);
        assertThat(value("counts", "count", "accepted_assignments")).isEqualTo(2);
        assertThat(value("counts", "count", "fires_on_time")).isOne();
        assertThat(value("checkpoints", "result", "completed")).isPositive();
        assertThat(value("checkpoints", "result", "failed")).isZero();
        assertThat(value("rows")).isOne();
        assertThat(value("checkpoint.size")).isPositive();
        assertThat(value("checkpoint.duration")).isNotNegative();
        CheckpointCosts costs = job.monitor().costs();
        assertThat(costs.checkpoints()).isPositive();
        assertThat((Double) value("checkpoint.cost"))
                .isEqualTo(
                        costs.perCheckpoint().isZero()
                                ? Double.NaN
                                : costs.perCheckpoint().toNanos() / 1e9);
        assertThat((Double) value("checkpoint.advised"))
                .isEqualTo(
                        costs.perCheckpoint().isZero()
                                ? Double.NaN
                                : costs.advice(Duration.ofHours(1)).interval().toNanos() / 1e9);
        assertThat(value("checkpoint.age")).isNotNegative();
        assertThat(value("watermark", "lane", "0")).isEqualTo(1.999);
        assertThat(value("watermark.lag"))
                .isLessThanOrEqualTo(clock.now(TimeUnit.MILLISECONDS) / 1e3)
                .isNotNegative();
        assertThat(value("state.entries", "lane", "0")).isOne();
        assertThat(value("windows.open", "lane", "0")).isOne();
        assertThat(value("state.size", "lane", "0")).isPositive();
        assertThat(value("store.size")).isPositive();
        assertThat(value("store.reopenings")).isZero();

        running.dispose();
        job.append("a@3000");
        CountingJob.until("the meters say that it was cancelled", () -> {
            refresh();
            return value("running") == 0;
        });
        assertThat(value("health")).isZero();
        assertThat(value("lag", "lane", "0")).isOne();
        assertThat(value("unread", "lane", "0")).isNaN();
        meters.dispose();
        assertThat(registry.getMeters()).isEmpty();
        refresh();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void thereAreAsManyMetersAsJobsAndLanesMakeWhateverIsCounted() {
        Disposable meters = JobMeters.bind(registry, job.monitor(), SECOND, clock);
        CountingJob.until("the lane is known", () -> {
            refresh();
            return registry.find("fluxmark.job.lag").meter() != null;
        });
        int count = registry.getMeters().size();
        for (int key = 0; key < 100; key++) {
            job.append("key" + key + "@" + key);
        }
        refresh();
        assertThat(registry.getMeters()).hasSize(count).allSatisfy(meter -> assertThat(
                        meter.getId().getTags())
                .extracting(tag -> tag.getKey())
                .isSubsetOf(List.of("job", "lane", "result", "outcome", "count")));
        meters.dispose();
    }

    /** What is registered is what the enum says, and the enum is what the documentation says. */
    @Test
    void theListOfMetersIsWhole() throws IOException {
        Disposable meters = JobMeters.bind(registry, job.monitor(), SECOND, clock, Duration.ofHours(1));
        CountingJob.until("the lane is known", () -> {
            refresh();
            return registry.find("fluxmark.job.lag").meter() != null;
        });
        for (JobMeter each : JobMeter.values()) {
            assertThat(registry.get(each.getName()).meters()).isNotEmpty().allSatisfy(meter -> {
                assertThat(meter.getId().getType()).isEqualTo(each.getType());
                assertThat(meter.getId().getDescription()).isEqualTo(each.says());
                assertThat(Objects.requireNonNullElse(meter.getId().getBaseUnit(), ""))
                        .isEqualTo(each.getBaseUnit());
                assertThat(meter.getId().getTags())
                        .extracting(Tag::getKey)
                        .containsExactlyInAnyOrderElementsOf(keys(each));
            });
        }
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .isSubsetOf(Stream.of(JobMeter.values()).map(JobMeter::getName).toList());
        meters.dispose();

        List<String> documented = Files.readAllLines(Path.of("..", "docs", "operations.md")).stream()
                .filter(line -> line.startsWith("| `fluxmark.job."))
                .toList();
        assertThat(documented)
                .isEqualTo(Stream.of(JobMeter.values()).map(JobMetersTest::row).toList());
    }

    private static List<String> keys(JobMeter meter) {
        return Stream.concat(Stream.of("job"), Stream.of(meter.getKeyNames()).map(KeyName::asString))
                .toList();
    }

    private static String row(JobMeter meter) {
        String tags = Stream.of(meter.getKeyNames())
                .map(key -> "`" + key.asString() + "`")
                .collect(Collectors.joining(", "));
        return Stream.of(
                        "`" + meter.getName() + "`",
                        meter.getType().name().toLowerCase(Locale.ROOT),
                        meter.getBaseUnit(),
                        tags,
                        meter.says())
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    @Test
    void aPeriodOfNothingIsRefused() {
        JobMonitor monitor = job.monitor();
        assertThatThrownBy(() -> JobMeters.bind(registry, monitor, Duration.ZERO, clock))
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> JobMeters.bind(registry, monitor, SECOND, clock, Duration.ofSeconds(-1)))
                .hasMessageContaining("PT-1S");
        assertThat(registry.getMeters()).isEmpty();
    }
}
