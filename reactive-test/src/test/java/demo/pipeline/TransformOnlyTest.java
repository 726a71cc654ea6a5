package demo.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventTime;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import io.fluxmark.windows.Windows;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A pipeline as an outsider writes it, with nothing but a log's Flux and {@code flux.transform(...)}. */
class TransformOnlyTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A reading: a place, and milliseconds since the epoch. */
    record Reading(String place, long at) {
        static Reading parse(String text) {
            int comma = text.indexOf(',');
            return new Reading(text.substring(0, comma), Long.parseLong(text.substring(comma + 1)));
        }
    }

    @TempDir
    Path directory;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private EventLog log;
    private Topic topic;

    @BeforeEach
    void open() {
        clock.advanceTimeTo(Instant.ofEpochMilli(1_000));
        log = EventLog.open(directory, LogSpec.defaults()).block(PATIENCE);
        topic = log.createTopic("readings", 1).block(PATIENCE);
    }

    @AfterEach
    void close() {
        log.close();
    }

    private void append(String... readings) {
        List<AppendRecord> records = Stream.of(readings)
                .map(text -> AppendRecord.to(0, text.getBytes(StandardCharsets.UTF_8)))
                .toList();
        topic.append(records).block(PATIENCE);
    }

    private Flux<StreamElement<WindowResult<String, Long>>> counts(Flux<LogRecord> records) {
        LaneContext lane = LaneContext.local(clock);
        WatermarkSpec bound =
                WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(5)).maxAhead(Duration.ofMillis(60));
        return records.map(record -> Reading.parse(new String(record.value(), StandardCharsets.UTF_8)))
                .transform(EventTime.runs(4))
                .transform(EventTime.assign(Reading::at, bound, invalid -> {}, lane))
                .transform(Windows.aggregate(
                        Reading::place,
                        WindowSpec.tumbling(Duration.ofMillis(10)),
                        Aggregations.counting(),
                        null,
                        lane));
    }

    private static String text(WindowResult<String, Long> result) {
        return result.key() + "[" + result.window().start() + ","
                + result.window().end() + "):" + result.value();
    }

    @Test
    void aLogsFluxIsWindowedUnderDemand() {
        append("a,3", "a,12", "b,8", "a,14", "b,15", "a,9");
        Flux<String> results = counts(topic.partition(0).readTo(0, 6))
                .transform(EventTime.values())
                .map(TransformOnlyTest::text);
        StepVerifier.create(results, 0)
                .expectSubscription()
                .thenRequest(1)
                .expectNext("a[0,10):1")
                .thenRequest(1)
                .expectNext("b[0,10):1")
                .thenRequest(2)
                .expectNext("a[10,20):2", "b[10,20):1")
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void theTailOfALogFiresWhenTheWatermarkPassesAndItsClockGuardsTheFuture() {
        append("a,1", "a,2");
        Flux<String> results =
                counts(topic.partition(0).read(0)).transform(EventTime.values()).map(TransformOnlyTest::text);
        StepVerifier.create(results)
                .expectSubscription()
                .then(() -> append("a,1061", "a,3")) // 61 ms ahead of the clock: rejected
                .then(() -> append("a,15"))
                .expectNext("a[0,10):3")
                .then(() -> clock.advanceTimeBy(Duration.ofMillis(1)))
                .then(() -> append("a,1061"))
                .expectNext("a[10,20):1")
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void watermarksFollowTheResultsTheyCaused() {
        append("a,3", "a,15", "a,40");
        List<StreamElement<WindowResult<String, Long>>> elements =
                counts(topic.partition(0).readTo(0, 3)).collectList().block(PATIENCE);
        long results = 0;
        long watermark = Watermark.NONE;
        for (StreamElement<WindowResult<String, Long>> element : elements) {
            if (element instanceof EventBatch<WindowResult<String, Long>> run) {
                assertThat(run.timestamp(0)).isGreaterThan(watermark).isLessThanOrEqualTo(run.watermarkAfter());
                results += run.size();
                watermark = run.watermarkAfter();
            } else if (element instanceof Watermark<?> given) {
                watermark = given.timestamp();
            }
        }
        assertThat(results).isEqualTo(3);
        assertThat(watermark).isEqualTo(Watermark.END);
    }
}
