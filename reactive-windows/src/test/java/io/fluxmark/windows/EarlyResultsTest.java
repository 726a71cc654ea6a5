package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Early results by count and by time, with the numbers of docs/semantics.md (S40 to S42). */
class EarlyResultsTest {

    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));
    private static final WindowSpec EVERY_TWO = TEN.early(Early.everyCount(2));

    private static List<String> kinds(WindowScript script, Object... steps) {
        return script.results(steps).stream().map(EarlyResultsTest::kind).toList();
    }

    private static String kind(WindowResult<String, Long> result) {
        return result.kind() + " " + result.value() + " #" + result.revision();
    }

    @Test
    void s40EveryTwoElementsInThreeModes() {
        Object[] script = {1, 2, 3, 4, 5, "W9"};
        assertThat(kinds(WindowScript.of(EVERY_TWO.accumulation(Accumulation.ACCUMULATE)), script))
                .containsExactly("EARLY 2 #0", "EARLY 4 #1", "ON_TIME 5 #2");
        assertThat(kinds(WindowScript.of(EVERY_TWO.accumulation(Accumulation.DISCARD)), script))
                .containsExactly("EARLY 2 #0", "EARLY 2 #1", "ON_TIME 1 #2");
        WindowScript retracting = WindowScript.of(EVERY_TWO);
        assertThat(kinds(retracting, script))
                .containsExactly("EARLY 2 #0", "RETRACT 2 #0", "EARLY 4 #1", "RETRACT 4 #1", "ON_TIME 5 #2");
        assertThat(retracting.count(Counter.FIRES_EARLY)).isEqualTo(2);
        assertThat(retracting.count(Counter.FIRES_ON_TIME)).isEqualTo(1);
        assertThat(retracting.count(Counter.RETRACTIONS)).isEqualTo(2);
    }

    @Test
    void s40ADiscardingWindowOwesAnOnTimeResultEvenIfItIsEmpty() {
        assertThat(kinds(WindowScript.of(EVERY_TWO.accumulation(Accumulation.DISCARD)), 14, 18, "W19"))
                .containsExactly("EARLY 2 #0", "ON_TIME 0 #1");
    }

    @Test
    void s41ATriggerNeverFinishesAWindow() {
        WindowScript script = WindowScript.of(EVERY_TWO);
        List<WindowResult<String, Long>> results = script.results(1, 2, 3, 4, 5, "W9");
        assertThat(PlainBatch.fold(results).values()).containsExactly(5L);
    }

    @Test
    void s42AnUnchangedValueIsRepeatedOnlyForTheFinalMarker() {
        assertThat(kinds(WindowScript.of(EVERY_TWO), 1, 2, "W9")).containsExactly("EARLY 2 #0");
        assertThat(kinds(WindowScript.of(EVERY_TWO.emitFinalMarker()), 1, 2, "W9"))
                .containsExactly("EARLY 2 #0", "RETRACT 2 #0", "ON_TIME 2 #1");
        assertThat(kinds(WindowScript.of(EVERY_TWO.accumulation(Accumulation.ACCUMULATE)), 1, 2, "W9"))
                .containsExactly("EARLY 2 #0", "ON_TIME 2 #1");
    }

    @Test
    void aLateEventAfterEarlyResultsTakesBackTheValueInForce() {
        WindowScript script = WindowScript.of(EVERY_TWO.allowedLateness(Duration.ofMillis(10)));
        assertThat(kinds(script, 1, 2, "W9", 3, "W19", 4)).containsExactly("EARLY 2 #0", "RETRACT 2 #0", "LATE 3 #1");
        assertThat(script.count(Counter.DROPPED)).isEqualTo(1);
    }

    @Test
    void aLateChangeIsEmittedBeforeItsStateGoes() {
        WindowScript script =
                WindowScript.of(TEN.allowedLateness(Duration.ofMillis(10)).early(Early.every(Duration.ofSeconds(5))));
        assertThat(kinds(script, 1, 5, "W12", 7, "W19")).containsExactly("ON_TIME 2 #0", "RETRACT 2 #0", "LATE 3 #1");
    }

    @Test
    void byTimeEachChangedWindowShowsItsNewestValueAtTheTick() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        Sinks.Many<StreamElement<WindowScript.Event>> input =
                Sinks.many().unicast().onBackpressureBuffer();
        WindowScript script = WindowScript.of(TEN.early(Early.every(Duration.ofMillis(100))));
        Flux<String> results = results(script, input.asFlux(), clock);
        StepVerifier.create(results)
                .then(() -> push(input, "b@1", "a@2", "a@3"))
                .then(() -> clock.advanceTimeBy(Duration.ofMillis(99)))
                .expectNoEvent(Duration.ZERO)
                .then(() -> clock.advanceTimeBy(Duration.ofMillis(1)))
                .expectNext("EARLY 2 #0", "EARLY 1 #0")
                .then(() -> clock.advanceTimeBy(Duration.ofSeconds(1)))
                .then(() -> push(input, "a@4"))
                .then(() -> clock.advanceTimeBy(Duration.ofMillis(100)))
                .expectNext("RETRACT 2 #0", "EARLY 3 #1")
                .then(() -> push(input, "W9"))
                .then(input::tryEmitComplete)
                .verifyComplete();
    }

    @Test
    void withoutDemandTicksQueueNothingAndTheNewestValueIsShown() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        Sinks.Many<StreamElement<WindowScript.Event>> input =
                Sinks.many().unicast().onBackpressureBuffer();
        WindowScript script = WindowScript.of(TEN.early(Early.every(Duration.ofMillis(10))));
        Flux<List<String>> runs = script.pipeline(input.asFlux())
                .elements(() -> LaneContext.local(clock))
                .map(EarlyResultsTest::kinds);
        StepVerifier.create(runs, 1)
                .then(() -> push(input, "a@1"))
                .then(() -> clock.advanceTimeBy(Duration.ofMillis(10)))
                .expectNext(List.of("EARLY 1 #0"))
                .then(() -> {
                    for (int i = 0; i < 3; i++) {
                        push(input, "a@2");
                        clock.advanceTimeBy(Duration.ofMillis(10));
                    }
                })
                .thenRequest(1)
                .then(() -> clock.advanceTimeBy(Duration.ofMillis(10)))
                .expectNext(List.of("RETRACT 1 #0", "EARLY 4 #1"))
                .thenCancel()
                .verify();
    }

    private static List<String> kinds(StreamElement<WindowResult<String, Long>> element) {
        EventBatch<WindowResult<String, Long>> run = (EventBatch<WindowResult<String, Long>>) element;
        List<String> kinds = new ArrayList<>();
        for (int i = 0; i < run.size(); i++) {
            kinds.add(kind(run.value(i)));
        }
        return kinds;
    }

    private static void push(Sinks.Many<StreamElement<WindowScript.Event>> input, Object... steps) {
        WindowScript.elements(steps).forEach(input::tryEmitNext);
    }

    private static Flux<String> results(
            WindowScript script, Flux<StreamElement<WindowScript.Event>> elements, VirtualTimeScheduler clock) {
        return script.pipeline(elements)
                .elements(() -> LaneContext.local(clock))
                .transform(EventTime.values())
                .map(EarlyResultsTest::kind);
    }

    @Test
    void afterACancelATickDoesNothing() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        Sinks.Many<StreamElement<WindowScript.Event>> input =
                Sinks.many().unicast().onBackpressureBuffer();
        WindowScript script = WindowScript.of(TEN.early(Early.every(Duration.ofMillis(10))));
        StepVerifier.create(results(script, input.asFlux(), clock))
                .then(() -> push(input, "a@1"))
                .thenCancel()
                .verify();
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(script.count(Counter.FIRES_EARLY)).isZero();
    }
}
