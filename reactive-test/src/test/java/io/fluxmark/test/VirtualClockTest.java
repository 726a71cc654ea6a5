package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** One clock that takes event time and processing time along. */
class VirtualClockTest {

    private static final long START = 1_700_000_000_000L;

    @Test
    void earlyResultsFollowTheTimeOfTheEventsPlayed() {
        VirtualClock clock = VirtualClock.at(Instant.ofEpochMilli(START));
        List<Event> events = new ArrayList<>();
        for (int second = 0; second < 60; second++) {
            events.add(new Event("k", START + second * 1_000L, 1));
        }
        Flux<StreamElement<WindowResult<String, Long>>> elements = EventFlux.from(clock.play(events, Event::time), 1)
                .watermarksMillis(Event::time, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyBy(Event::key)
                .window(WindowSpec.tumbling(Duration.ofMinutes(1))
                        .offset(Duration.ofMillis(Math.floorMod(START, 60_000L)))
                        .early(Early.every(Duration.ofSeconds(20))))
                .aggregate(Aggregations.counting())
                .elements(() -> LaneContext.local(clock.scheduler()));
        List<WindowResult<String, Long>> results = new ArrayList<>();
        elements.doOnNext(element -> {
                    if (element instanceof EventBatch<WindowResult<String, Long>> run) {
                        for (int i = 0; i < run.size(); i++) {
                            results.add(run.value(i));
                        }
                    }
                })
                .blockLast(Duration.ofSeconds(10));
        assertThat(clock.millis()).isEqualTo(START + 59_000);
        assertThat(results.stream().filter(result -> result.kind() == WindowResult.Kind.EARLY))
                .as("early results at 20 and 40 seconds of processing time")
                .hasSize(2);
        assertThat(results.get(results.size() - 1).value()).isEqualTo(60L);
    }

    @Test
    void runsWhatIsDueWhenItIsMovedAndNeverGoesBack() {
        VirtualClock clock = VirtualClock.at(Instant.ofEpochMilli(START));
        List<Long> ran = new ArrayList<>();
        clock.scheduler().schedule(() -> ran.add(clock.millis()), 5, TimeUnit.SECONDS);
        clock.advanceBy(Duration.ofMillis(4_999));
        assertThat(ran).isEmpty();
        clock.advanceTo(Instant.ofEpochMilli(START + 5_000));
        assertThat(ran).containsExactly(START + 5_000);
        clock.advanceTo(Instant.ofEpochMilli(START));
        assertThat(clock.now()).isEqualTo(Instant.ofEpochMilli(START + 5_000));
        assertThatThrownBy(() -> clock.advanceBy(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("goes forward");
        assertThatThrownBy(() -> VirtualClock.at(Instant.ofEpochMilli(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1970");
    }
}
