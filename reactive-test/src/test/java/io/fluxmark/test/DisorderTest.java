package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class DisorderTest {

    @Property
    void noEventIsOvertakenByMoreThanTheBound(
            @ForAll @Size(max = 60) List<@LongRange(min = -100, max = 100) Long> events,
            @ForAll @IntRange(max = 50) int bound,
            @ForAll long seed) {
        Disorder disorder = Disorder.shuffledWithin(Duration.ofMillis(bound), seed);
        List<Long> arrivals = disorder.apply(events, Long::longValue);
        assertThat(arrivals).containsExactlyInAnyOrderElementsOf(events);
        long maximum = Long.MIN_VALUE;
        for (long event : arrivals) {
            assertThat(event).isGreaterThanOrEqualTo(maximum == Long.MIN_VALUE ? event : maximum - bound);
            maximum = Math.max(maximum, event);
        }
        assertThat(disorder.apply(events, Long::longValue)).isEqualTo(arrivals);
    }

    @Example
    void theBoundIsUsedUp() {
        List<Long> events = java.util.stream.LongStream.range(0, 1_000).boxed().toList();
        long maximum = 0;
        long furthest = 0;
        for (long event : Disorder.shuffledWithin(Duration.ofMillis(7), 1).apply(events, Long::longValue)) {
            furthest = Math.max(furthest, maximum - event);
            maximum = Math.max(maximum, event);
        }
        assertThat(furthest).isBetween(6L, 7L);
    }

    @Example
    void theOthersDoWhatTheyAreCalled() {
        List<Long> events = List.of(3L, 1L, 2L);
        assertThat(Disorder.none().apply(events, Long::longValue)).containsExactly(3L, 1L, 2L);
        assertThat(Disorder.reversed().apply(events, Long::longValue)).containsExactly(2L, 1L, 3L);
        assertThat(Disorder.random(5).apply(events, Long::longValue))
                .containsExactlyInAnyOrder(1L, 2L, 3L)
                .isEqualTo(Disorder.random(5).apply(events, Long::longValue));
        assertThat(Disorder.random(5)).hasToString("Disorder.random(5)");
        assertThatThrownBy(() -> Disorder.shuffledWithin(Duration.ofMillis(-1), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
    }
}
