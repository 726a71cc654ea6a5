package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** The rules of time, windows and lateness, with the numbers of docs/semantics.md. */
class TumblingWindowTest {

    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));

    private final AtomicReference<LiveCounters> counters = new AtomicReference<>();
    private final List<Long> side = new ArrayList<>();

    /** A script of events (numbers) and watermarks ("W12"), one key; emissions as "+[0,10):2". */
    private List<String> run(WindowSpec windows, boolean sideOutput, Object... script) {
        List<StreamElement<Long>> elements = new ArrayList<>();
        long watermark = Watermark.NONE;
        for (Object step : script) {
            if (step instanceof Integer timestamp) {
                elements.add(EventBatch.<Long>builder()
                        .add(timestamp.longValue(), timestamp, watermark)
                        .build(watermark));
            } else {
                watermark = Long.parseLong(step.toString().substring(1));
                elements.add(new Watermark<>(watermark));
            }
        }
        return emissions(windows, sideOutput, Flux.fromIterable(elements));
    }

    private List<String> emissions(WindowSpec windows, boolean sideOutput, Flux<StreamElement<Long>> elements) {
        WindowedFlux<String, Long> windowed = EventFlux.fromElements(elements)
                .keyBy(event -> "k")
                .window(windows)
                .countersTo(counters::set);
        if (sideOutput) {
            windowed = windowed.lateTo(late -> side.add(late.timestamp()));
        }
        return windowed.aggregate(Aggregations.counting())
                .toFlux()
                .map(TumblingWindowTest::text)
                .collectList()
                .block(Duration.ofSeconds(10));
    }

    private static String text(WindowResult<String, Long> r) {
        return (r.isRetraction() ? "-" : "+") + "[" + r.window().start() + ","
                + r.window().end() + "):" + r.value();
    }

    private long count(Counter counter) {
        return counters.get().snapshot().get(counter);
    }

    private List<String> runBounded(long bound, boolean end, long... timestamps) {
        Flux<Long> source = Flux.fromStream(java.util.Arrays.stream(timestamps).boxed());
        EventFlux<Long> events = EventFlux.from(end ? source : source.concatWith(Flux.never()), 1)
                .watermarksMillis(Long::longValue, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(bound)));
        return events.keyBy(event -> "k")
                .window(TEN)
                .countersTo(counters::set)
                .aggregate(Aggregations.counting())
                .toFlux()
                .map(TumblingWindowTest::text)
                .take(end ? Long.MAX_VALUE : 1)
                .collectList()
                .block(Duration.ofSeconds(10));
    }

    @Test
    void s02AnEventAtTheStartIsInAndOneAtTheEndIsOut() {
        assertThat(run(TEN, false, 0, 9, 10, "W19")).containsExactly("+[0,10):2", "+[10,20):1");
    }

    @Test
    void s03AWindowFiresAtTheFirstWatermarkOfItsEndLessOne() {
        assertThat(run(TEN, false, 0, 9, "W8")).isEmpty();
        assertThat(run(TEN, false, 0, 9, "W9")).containsExactly("+[0,10):2");
        assertThat(run(TEN, false, 0, 9, "W10")).containsExactly("+[0,10):2");
    }

    @Test
    void s04BoundedOutOfOrdernessMovesTheWatermarkEventByEvent() {
        assertThat(runBounded(5, true, 3, 12, 8, 14, 15, 9)).containsExactly("+[0,10):2", "+[10,20):3");
        assertThat(count(Counter.DROPPED)).isEqualTo(1);
        assertThat(count(Counter.INGESTED)).isEqualTo(6);
        assertThat(counters.get().snapshot().sumHolds()).isTrue();
    }

    @Test
    void s05WindowsBeforeTheEpochAndWithOffsets() {
        assertThat(TEN.windowsOf(-1).get(0)).isEqualTo(new TimeWindow(-10, 0));
        assertThat(TEN.windowsOf(-11).get(0)).isEqualTo(new TimeWindow(-20, -10));
        assertThat(TEN.offset(Duration.ofMillis(5)).windowsOf(3).get(0)).isEqualTo(new TimeWindow(-5, 5));
        assertThat(TEN.offset(Duration.ofMillis(5)).windowsOf(5).get(0)).isEqualTo(new TimeWindow(5, 15));
        assertThat(TEN.offset(Duration.ofMillis(-3)).windowsOf(-8).get(0)).isEqualTo(new TimeWindow(-13, -3));
    }

    @Test
    void c44AWindowWithAnOffsetFiresAtItsOwnEnd() {
        WindowSpec offset = TEN.offset(Duration.ofMillis(5));
        assertThat(run(offset, false, 3, 4, "W3")).isEmpty();
        assertThat(run(offset, false, 3, 4, "W4")).containsExactly("+[-5,5):2");
    }

    @Test
    void c26OldRowsThatAreReplayedBehindNewerOnesAreCountedAsLateAndAFreshRunTakesThem() {
        List<Long> rows = new ArrayList<>();
        long newer = Instant.parse("2020-02-15T00:00:00Z").toEpochMilli();
        long older = Instant.parse("2020-02-01T00:00:00Z").toEpochMilli();
        for (long day : new long[] {newer, older}) {
            for (int i = 0; i < 100; i++) {
                rows.add(day + i);
            }
        }
        WatermarkSpec hour = WatermarkSpec.boundedOutOfOrderness(Duration.ofHours(1));
        assertThat(daily(rows, hour)).containsExactly("2020-02-15 100");
        assertThat(count(Counter.SIDE)).isEqualTo(100);
        assertThat(side).hasSize(100).allMatch(timestamp -> timestamp < older + 100);

        assertThat(daily(rows.subList(100, 200), hour))
                .as("a subscription of its own has a watermark of its own")
                .containsExactly("2020-02-01 100");
        assertThat(count(Counter.SIDE)).isZero();
    }

    private List<String> daily(List<Long> rows, WatermarkSpec spec) {
        return EventFlux.from(Flux.fromIterable(rows))
                .watermarksMillis(Long::longValue, spec)
                .keyBy(row -> "k")
                .window(WindowSpec.tumbling(Duration.ofDays(1)))
                .countersTo(counters::set)
                .lateTo(late -> side.add(late.timestamp()))
                .aggregate(Aggregations.counting())
                .toFlux()
                .map(r ->
                        LocalDate.ofInstant(Instant.ofEpochMilli(r.window().start()), ZoneOffset.UTC) + " " + r.value())
                .collectList()
                .block(Duration.ofSeconds(10));
    }

    @Test
    void s12DropReFireAndSideWithTheSameScript() {
        Object[] script = {1, 5, "W12", 7, "W18", 2, "W19", 3};
        assertThat(run(TEN, false, script)).containsExactly("+[0,10):2");
        assertThat(count(Counter.DROPPED)).isEqualTo(3);
        assertThat(counters.get().snapshot().accepted()).isEqualTo(2);

        assertThat(run(TEN, true, script)).containsExactly("+[0,10):2");
        assertThat(side).containsExactly(7L, 2L, 3L);
        assertThat(count(Counter.SIDE)).isEqualTo(3);

        assertThat(run(TEN.allowedLateness(Duration.ofMillis(10)), false, script))
                .containsExactly("+[0,10):2", "-[0,10):2", "+[0,10):3", "-[0,10):3", "+[0,10):4");
        assertThat(counters.get().snapshot().accepted()).isEqualTo(4);
        assertThat(count(Counter.DROPPED)).isEqualTo(1);
        assertThat(count(Counter.INGESTED)).isEqualTo(5);
    }

    @Test
    void s13AWindowIsNeverMadeAgainAfterItsAllowedLateness() {
        WindowSpec lateness = TEN.allowedLateness(Duration.ofMillis(10));
        assertThat(run(lateness, false, 1, "W18", 2)).containsExactly("+[0,10):1", "-[0,10):1", "+[0,10):2");
        assertThat(run(lateness, false, 1, "W19", 2)).containsExactly("+[0,10):1");
    }

    @Test
    void s32FarApartEventsCostTwoResultsAndNoStepping() {
        List<String> out = run(WindowSpec.tumbling(Duration.ofSeconds(1)), false, 1, "W1700000000000");
        assertThat(out).containsExactly("+[0,1000):1");
    }

    @Test
    void s33CompletionFiresEverythingAndErrorNothing() {
        assertThat(runBounded(5, true, 1, 12)).containsExactly("+[0,10):1", "+[10,20):1");
        List<String> seen = new ArrayList<>();
        Flux<Long> failing = Flux.just(1L, 2L).concatWith(Flux.error(new IllegalStateException("source")));
        EventFlux.from(failing)
                .watermarksMillis(Long::longValue, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyBy(event -> "k")
                .window(TEN)
                .aggregate(Aggregations.counting())
                .toFlux()
                .map(TumblingWindowTest::text)
                .doOnNext(seen::add)
                .onErrorComplete(IllegalStateException.class)
                .blockLast(Duration.ofSeconds(10));
        assertThat(seen).isEmpty();
    }

    @Test
    void s46ASecondWindowOverTheResultsNestsAndTakesRetractions() {
        Flux<StreamElement<Long>> elements = Flux.just(
                EventBatch.<Long>builder()
                        .add(1L, 1, Watermark.NONE)
                        .add(12L, 12, Watermark.NONE)
                        .build(9),
                EventBatch.<Long>builder().add(2L, 2, 9).build(19));
        List<String> out = EventFlux.fromElements(elements)
                .keyBy(event -> "k")
                .window(TEN.allowedLateness(Duration.ofMillis(5)))
                .aggregate(Aggregations.counting())
                .keyBy(WindowResult::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(20)).allowedLateness(Duration.ofMillis(5)))
                .aggregate(Aggregations.summingLong(WindowResult::value))
                .toFlux()
                .map(TumblingWindowTest::text)
                .collectList()
                .block(Duration.ofSeconds(10));
        assertThat(out).containsExactly("+[0,20):3");
    }
}
