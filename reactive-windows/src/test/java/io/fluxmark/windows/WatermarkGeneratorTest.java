package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** Watermarks from bounds and from generators of one's own (S04, S24, S47). */
class WatermarkGeneratorTest {

    /** As a naive source would report it: the last event decides, up or down. */
    private static final class LastEvent implements WatermarkGenerator {
        private long events;
        private long offset;

        @Override
        public long onEvent(long timestamp) {
            events++;
            return timestamp - 1 + offset;
        }

        @Override
        public long[] state() {
            return new long[] {events, offset};
        }

        @Override
        public void restore(long[] state) {
            events = state[0];
            offset = 100 * events; // so that a test sees that it was called
        }
    }

    private final TestLane lane = new TestLane();

    private static List<Long> watermarks(TestLane lane, WatermarkSpec spec, List<StreamElement<Long>> elements) {
        TestSubscriber<StreamElement<Long>> subscriber = TestSubscriber.create();
        Flux.fromIterable(elements)
                .transform(EventTime.assign(Long::longValue, spec, invalid -> {}, lane))
                .subscribe(subscriber);
        List<Long> watermarks = new ArrayList<>();
        for (StreamElement<Long> element : subscriber.getReceivedOnNext()) {
            if (element instanceof EventBatch<Long> run) {
                for (int i = 1; i < run.size(); i++) {
                    watermarks.add(run.watermarkBefore(i));
                }
                watermarks.add(run.watermarkAfter());
            }
        }
        return watermarks;
    }

    private static StreamElement<Long> run(Long... events) {
        return EventBatch.ofValues(events);
    }

    private static final WatermarkSpec LAST = WatermarkSpec.generator(LastEvent::new);

    @Test
    void s04TheBoundMovesWithEveryNewMaximumAndWithNothingElse() {
        WatermarkSpec five = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(5));
        List<Long> expected = List.of(-3L, 6L, 6L, 8L, 9L, 9L);
        assertThat(watermarks(lane, five, List.of(run(3L, 12L, 8L, 14L, 15L, 9L))))
                .isEqualTo(expected);
        assertThat(watermarks(lane, five, List.of(run(3L), run(12L, 8L, 14L), run(15L, 9L))))
                .isEqualTo(expected);
        PartitionWatermark partition = new PartitionWatermark(five);
        partition.onEvent(Long.MIN_VALUE + 3);
        assertThat(partition.watermark()).isEqualTo(Watermark.NONE);
    }

    @Test
    void s04AscendingIsABoundOfZero() {
        assertThat(watermarks(lane, WatermarkSpec.ascending(), List.of(run(10L, 10L, 12L))))
                .containsExactly(9L, 9L, 11L);
        assertThat(WatermarkSpec.ascending().delayMillis()).isZero();
    }

    @Test
    void s24ALowerWatermarkOfAGeneratorIsIgnoredAndCounted() {
        assertThat(watermarks(lane, LAST, List.of(run(10L, 9L, 11L)))).containsExactly(9L, 9L, 10L);
        assertThat(lane.count(Counter.WATERMARK_REGRESSIONS)).isEqualTo(1);
    }

    @Test
    void s24ALowerWatermarkFromUpstreamIsIgnoredAndCounted() {
        List<StreamElement<Long>> elements =
                List.of(new Watermark<>(20), new Watermark<>(18), new Watermark<>(20), run(15L), run(30L));
        assertThat(watermarks(lane, WatermarkSpec.ascending(), elements)).containsExactly(20L, 29L);
        assertThat(lane.count(Counter.WATERMARK_REGRESSIONS)).isEqualTo(1);
    }

    @Test
    void s47TheStateOfAGeneratorIsPartOfTheTransaction() {
        watermarks(lane, LAST, List.of(run(10L, 9L, 11L), lane.barrier(), run(50L)));
        TestLane restarted = lane.restarted();
        assertThat(watermarks(restarted, LAST, List.of(run(5L)))).containsExactly(5L - 1 + 300);
        assertThat(restarted.count(Counter.WATERMARK_REGRESSIONS)).isEqualTo(1);
        assertThat(watermarks(lane.restarted(), LAST, List.of(run(-300L)))).containsExactly(10L);
    }

    @Test
    void s47ABoundGoesOnFromTheLargestTimestamp() {
        watermarks(lane, WatermarkSpec.ascending(), List.of(run(5L, 12L), lane.barrier()));
        assertThat(lane.committed("event-time", WatermarkSpec.STATE_NAME)).containsExactly(12, 11);
        assertThat(watermarks(lane.restarted(), WatermarkSpec.ascending(), List.of(run(7L))))
                .containsExactly(11L);
    }

    @Test
    void whatAGeneratorThrowsEndsTheStream() {
        WatermarkSpec failing = WatermarkSpec.generator(() -> new WatermarkGenerator() {
            @Override
            public long onEvent(long timestamp) {
                throw new IllegalStateException("generator");
            }

            @Override
            public long[] state() {
                return new long[0];
            }

            @Override
            public void restore(long[] state) {
                // nothing to go on from
            }
        });
        TestSubscriber<StreamElement<Long>> subscriber = TestSubscriber.create();
        Flux.just(run(1L)).transform(EventTime.assign(Long::longValue, failing)).subscribe(subscriber);
        assertThat(subscriber.expectTerminalError()).hasMessage("generator");

        WatermarkSpec none = WatermarkSpec.generator(() -> null);
        assertThatThrownBy(() -> Flux.just(run(1L))
                        .transform(EventTime.assign(Long::longValue, none))
                        .blockLast(Duration.ofSeconds(10)))
                .hasMessageContaining("supplier of watermark generators");
    }

    @Test
    void oddTimeoutsAreRefusedWithTheirValue() {
        assertThatThrownBy(() -> WatermarkSpec.ascending().idleAfter(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> WatermarkSpec.ascending().followClockWhenIdle(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
        assertThatThrownBy(() -> WatermarkSpec.ascending().idleAfter(Duration.ofDays(365_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT8760000H");
    }

    @Test
    void aSpecIsChangedByCopy() {
        WatermarkSpec spec = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(5));
        WatermarkSpec changed = spec.idleAfter(Duration.ofSeconds(1)).followClockWhenIdle(Duration.ofSeconds(2));
        assertThat(spec.idleTimeout()).isNull();
        assertThat(spec.clockFollowedAfter()).isNull();
        assertThat(changed.idleTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(changed.clockFollowedAfter()).isEqualTo(Duration.ofSeconds(2));
        assertThat(changed.delayMillis()).isEqualTo(5);
        assertThat(changed.maxAhead(Duration.ofMillis(7)).idleTimeout()).isEqualTo(Duration.ofSeconds(1));
    }
}
