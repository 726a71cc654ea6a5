package io.fluxmark.aggregate.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.aggregate.WindowText;
import io.fluxmark.aggregate.run.Event;
import io.fluxmark.aggregate.run.PipelineSettings;
import io.fluxmark.aggregate.value.Term;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WatermarkSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

class LatenessTest {

    private static Event event(long time) {
        return new Event(1, "", 0, time, Long.MIN_VALUE, Arrays.asList((Number) null), null);
    }

    /** The proposals come from a formula, the figures from pipelines: both must say the same of every delay. */
    @Test
    void aDelayIsEnoughForJustTheEventsThatNeedNoMore() {
        Random random = new Random(11);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            events.add(event(i * 3L - random.nextInt(random.nextInt(10) == 0 ? 300 : 30)));
        }
        for (String window : List.of("tumbling:20ms", "sliding:20ms/7ms", "session:5ms", "tumbling:1ms", "day:UTC")) {
            WindowText windows = WindowText.parse(window);
            for (int delay = 0; delay < 320; delay += 1 + random.nextInt(20)) {
                Lateness lateness = new Lateness(windows);
                FrontierPoint point = point(windows, delay, lateness);
                events.forEach(point::event);
                point.finish();
                Distribution needed = lateness.needed();
                double share = (double) (needed.total() - needed.above(delay)) / needed.total();
                assertThat(point.completeness())
                        .as("%s, delay %d", window, delay)
                        .isEqualTo(share);
            }
        }
        System.out.println("LatenessTest: 5 windows x up to 30 delays, seed 11");
    }

    private static FrontierPoint point(WindowText windows, long delay, Lateness lateness) {
        PipelineSettings settings = new PipelineSettings(
                windows.spec(),
                WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(delay)),
                Term.parse("count"),
                false,
                1,
                false,
                Long.MAX_VALUE,
                EventBatch.MAX_SIZE);
        return new FrontierPoint(
                settings, false, new EventClock(false), Schedulers.immediate(), new FrontierPoint.Observer() {
                    @Override
                    public void timed(StreamElement<Event> element) {
                        lateness.timed(element);
                    }
                });
    }

    @Test
    void quantilesAreOfTheNearestRank() {
        Distribution values = new Distribution();
        for (int i = 1; i <= 1_000; i++) {
            values.add(i);
        }
        assertThat(values.quantile(500)).isEqualTo(500);
        assertThat(values.quantile(990)).isEqualTo(990);
        assertThat(values.quantile(1_000)).isEqualTo(1_000);
        assertThat(values.above(990)).isEqualTo(10);
        Distribution three = new Distribution();
        List.of(-5L, 0L, 7L).forEach(three::add);
        assertThat(three.quantile(500)).isZero();
        assertThat(three.quantile(990)).isEqualTo(7);
        assertThat(three.quantile(0)).isEqualTo(-5);
        assertThat(new Distribution().quantile(500)).isZero();
    }

    @Test
    void beyondItsBoundADistributionIsCoarserAndNeverTooSmall() {
        Distribution values = new Distribution(100);
        Random random = new Random(3);
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            long value = random.nextInt(20_000) - 10_000L;
            all.add(value);
            values.add(value);
        }
        all.sort(null);
        for (int perMille : new int[] {10, 500, 990, 999}) {
            long exact = all.get((int) Math.ceil(all.size() * perMille / 1_000.0) - 1);
            assertThat(values.quantile(perMille)).isBetween(exact, exact + 512);
        }
        assertThat(values.quantile(1_000)).isEqualTo(all.get(all.size() - 1));
    }
}
