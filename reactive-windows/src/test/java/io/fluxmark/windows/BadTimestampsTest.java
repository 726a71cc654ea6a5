package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.windows.WatermarkSpec.FarFuture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Timestamps that are missing, absurd or poisonous (S36, S37), and watermarks that flow without events (S34). */
class BadTimestampsTest {

    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));
    private static final WatermarkSpec GUARDED =
            WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(5)).maxAhead(Duration.ofMillis(60));
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final long FAR = 1_000_000_000_000_000L;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final AtomicReference<LiveCounters> counters = new AtomicReference<>();
    private final List<InvalidEvent> invalid = new ArrayList<>();

    @BeforeEach
    void aSecondHasPassedSince1970() {
        clock.advanceTimeTo(Instant.ofEpochMilli(1_000));
    }

    private List<String> run(WatermarkSpec spec, TimestampFunction<Long> time, Long... events) {
        Flux<StreamElement<WindowResult<String, Long>>> elements = EventFlux.from(Flux.just(events), 1)
                .watermarks(time, spec, invalid::add)
                .keyBy(event -> "k")
                .window(TEN)
                .countersTo(counters::set)
                .aggregate(Aggregations.counting())
                .elements(() -> LaneContext.local(clock));
        return elements.transform(EventTime.values())
                .map(result ->
                        "[" + result.window().start() + "," + result.window().end() + "):" + result.value())
                .collectList()
                .block(WAIT);
    }

    private long count(Counter counter) {
        return counters.get().snapshot().get(counter);
    }

    @Test
    void s36AFarFutureEventIsRejectedAndTheOthersAreKept() {
        assertThat(run(GUARDED, Long::longValue, 1L, 2L, FAR, 3L, 4L)).containsExactly("[0,10):4");
        assertThat(count(Counter.DROPPED)).isZero();
        assertThat(invalid).hasSize(1);
        assertThat(invalid.get(0).event()).isEqualTo(FAR);
        assertThat(invalid.get(0).reason()).contains("" + FAR, "60 ms in the future", "maxAhead");
    }

    @Test
    void s36AFarFutureEventMayFlowWithoutMovingTheWatermark() {
        WatermarkSpec held = GUARDED.onFarFuture(FarFuture.HOLD_WATERMARK);
        assertThat(run(held, Long::longValue, 1L, 2L, FAR, 3L, 4L))
                .containsExactly("[0,10):4", "[" + FAR + "," + (FAR + 10) + "):1");
        assertThat(count(Counter.ON_TIME)).isEqualTo(5);
        assertThat(invalid).isEmpty();
    }

    @Test
    void s36ATrustedFarFutureEventMakesAllOthersLate() {
        WatermarkSpec trusting = GUARDED.onFarFuture(FarFuture.TRUST);
        assertThat(run(trusting, Long::longValue, 1L, 2L, FAR, 3L, 4L))
                .containsExactly("[0,10):2", "[" + FAR + "," + (FAR + 10) + "):1");
        assertThat(count(Counter.DROPPED)).isEqualTo(2);
    }

    @Test
    void s36TheGuardEndsExactlyWhereItSaysAndMovesWithTheClock() {
        assertThat(run(GUARDED, Long::longValue, 1_060L)).containsExactly("[1060,1070):1");
        assertThat(run(GUARDED, Long::longValue, 1_061L)).isEmpty();
        clock.advanceTimeBy(Duration.ofMillis(1));
        assertThat(run(GUARDED, Long::longValue, 1_061L)).containsExactly("[1060,1070):1");
    }

    @Test
    void s36NoTimeIsNoTimeAndNeverNow() {
        TimestampFunction<Long> failing = event -> {
            if (event == 2) {
                throw new IllegalArgumentException("no field 'at'");
            }
            return event;
        };
        assertThat(run(GUARDED, failing, 1L, 2L, 3L)).containsExactly("[0,10):2");
        assertThat(invalid).hasSize(1);
        assertThat(invalid.get(0).reason()).contains("no field 'at'");
        assertThat(invalid.get(0).cause()).isInstanceOf(IllegalArgumentException.class);

        TimestampFunction<Long> absent = TimestampFunction.ofInstant(event -> null);
        assertThat(run(GUARDED, absent, 1L)).isEmpty();
        assertThat(invalid.get(1).reason()).contains("the event has no time");
    }

    @Test
    void s36NegativeTimesAreTimesAndTheEndsOfLongAreNot() {
        WatermarkSpec trusting = GUARDED.onFarFuture(FarFuture.TRUST);
        assertThat(run(trusting, Long::longValue, -11L, -1L)).containsExactly("[-20,-10):1", "[-10,0):1");
        assertThat(run(trusting, Long::longValue, Long.MIN_VALUE, Long.MAX_VALUE, WindowSpec.MAX_MILLIS + 1))
                .isEmpty();
        assertThat(invalid).hasSize(3).allSatisfy(each -> assertThat(each.reason())
                .contains("is not a time"));
        assertThat(run(trusting, Long::longValue, -WindowSpec.MAX_MILLIS, WindowSpec.MAX_MILLIS))
                .hasSize(2);
    }

    @Test
    void s36AnOddGuardIsRefusedWithItsValue() {
        assertThatThrownBy(() -> GUARDED.maxAhead(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
        assertThatThrownBy(() -> WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
    }

    @Test
    void s37SecondsReadAsMillisecondsFallIntoOneWindowAndAsInstantsIntoTwo() {
        WatermarkSpec trusting = GUARDED.onFarFuture(FarFuture.TRUST);
        WindowSpec tenSeconds = WindowSpec.tumbling(Duration.ofSeconds(10));
        long a = 1_700_000_000L;
        assertThat(tenSeconds.windowsOf(a).get(0))
                .isEqualTo(tenSeconds.windowsOf(a + 30).get(0));
        assertThat(tenSeconds.windowsOf(a).get(0)).isEqualTo(new TimeWindow(1_700_000_000L, 1_700_010_000L));
        TimestampFunction<Long> seconds = TimestampFunction.ofInstant(Instant::ofEpochSecond);
        assertThat(run(trusting, seconds, a, a + 30)).hasSize(2);
    }

    @Test
    void s34AFilterThatKeepsNothingKeepsTheWatermark() {
        List<Long> seen = new ArrayList<>();
        EventFlux.from(Flux.range(1, 100), 7)
                .watermarksMillis(Integer::longValue, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .filter(event -> false)
                .elements(() -> LaneContext.local(clock))
                .doOnNext(element -> {
                    assertThat(element).isInstanceOf(Watermark.class);
                    seen.add(((Watermark<?>) element).timestamp());
                })
                .blockLast(WAIT);
        assertThat(seen).isSorted().contains(99L).endsWith(Watermark.END);
    }

    @Test
    void s34AWindowBehindAFilterFiresAtTheSameWatermark() {
        List<String> out = EventFlux.from(Flux.just(1L, 2L, 30L), 256)
                .watermarksMillis(Long::longValue, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .filter(event -> event < 10)
                .keyBy(event -> "k")
                .window(TEN)
                .aggregate(Aggregations.counting())
                .elements(() -> LaneContext.local(clock))
                .map(Object::toString)
                .collectList()
                .block(WAIT);
        assertThat(out.get(0)).contains("value=2", "watermark=29");
    }
}
