package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.subscriber.TestSubscriber;

/** Early results of windows that live per key: by count, by the clock, and what they say at the end (S23, S40 to S42). */
class EarlyKeyWindowsTest {

    private static final WindowSpec SESSION = WindowSpec.session(Duration.ofMillis(10));
    private static final Duration TICK = Duration.ofMillis(100);
    private static final String ALL = "[" + Long.MIN_VALUE + "," + Long.MAX_VALUE + ")";

    private static WindowSpec everyCount(WindowSpec windows, int count) {
        return windows.early(Early.everyCount(count));
    }

    private static List<String> emitted(WindowSpec windows, Object... script) {
        return WindowScript.of(windows).results(script).stream()
                .map(EarlyKeyWindowsTest::text)
                .toList();
    }

    private static String text(WindowResult<?, ?> result) {
        return result.kind() + " " + WindowScript.text(result).substring(1);
    }

    @Test
    void s23AnEarlyResultIsTakenBackInTheBoundsThatItHadWhenTheSessionGrows() {
        assertThat(emitted(everyCount(SESSION, 1), 0, 5, -3))
                .containsExactly(
                        "EARLY [0,10):1", "RETRACT [0,10):1", "EARLY [0,15):2", "RETRACT [0,15):2", "EARLY [-3,15):3");
    }

    @Test
    void s23ABridgeTakesBackTheEarlyResultsOfAllThatItJoins() {
        assertThat(emitted(everyCount(SESSION, 1), 0, 15, 8, "W24"))
                .containsExactly(
                        "EARLY [0,10):1", "EARLY [15,25):1", "RETRACT [0,10):1", "RETRACT [15,25):1", "EARLY [0,25):3");
    }

    @Test
    void s23OnlyInTheRetractingMode() {
        for (Accumulation mode : List.of(Accumulation.ACCUMULATE, Accumulation.DISCARD)) {
            WindowSpec windows = everyCount(SESSION, 1).accumulation(mode);
            assertThatThrownBy(() -> WindowScript.of(windows).run(0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a session changes its bounds as it grows");
        }
    }

    /** C28: a trigger at two of five events must not lose the rest. */
    @Test
    void s41ATriggerNeverFinishesAWindowThatLivesPerKey() {
        for (WindowSpec windows : List.of(SESSION, WindowSpec.global(), WindowSpec.count(5))) {
            List<WindowResult<String, Long>> results =
                    WindowScript.of(everyCount(windows, 2)).results(1, 2, 3, 4, 5, "WEND");
            assertThat(PlainBatch.fold(results).values()).as("%s", windows).containsExactly(5L);
        }
    }

    @Test
    void s42ASessionWhoseValueHasNotChangedSaysNothingMoreUnlessAskedFor() {
        WindowSpec everyTwo = everyCount(SESSION, 2);
        assertThat(emitted(everyTwo, 1, 2, "W11")).containsExactly("EARLY [1,12):2");
        assertThat(emitted(everyTwo.emitFinalMarker(), 1, 2, "W11"))
                .containsExactly("EARLY [1,12):2", "RETRACT [1,12):2", "ON_TIME [1,12):2");
        assertThat(emitted(everyTwo.emitFinalMarker(), 1, "W11")).containsExactly("ON_TIME [1,11):1");
        assertThat(emitted(everyTwo, 1, 2, 2, "W11"))
                .containsExactly("EARLY [1,12):2", "RETRACT [1,12):2", "ON_TIME [1,12):3");
    }

    /** What was shown must not be taken back behind the watermark that ends it: a window of windows would be closed. */
    @Test
    void s23WhenTheBoundsThatWereShownAreOverTheResultIsBroughtUpToDate() {
        WindowSpec everyTwo = everyCount(SESSION, 2);
        assertThat(emitted(everyTwo, 1, 2, 3, "W10")).containsExactly("EARLY [1,12):2");
        assertThat(emitted(everyTwo, 1, 2, 3, "W11"))
                .containsExactly("EARLY [1,12):2", "RETRACT [1,12):2", "EARLY [1,13):3");
        assertThat(emitted(everyTwo, 1, 2, 3, "W12"))
                .as("on time nothing is new")
                .containsExactly("EARLY [1,12):2", "RETRACT [1,12):2", "EARLY [1,13):3");
    }

    @Test
    void s42TheFinalMarkerOfACountWindowIsExactlyOne() {
        WindowSpec windows = everyCount(WindowSpec.count(4), 2).emitFinalMarker();
        assertThat(emitted(windows, 1, 2, "WEND"))
                .containsExactly("EARLY [1,3):2", "RETRACT [1,3):2", "ON_TIME [1,3):2");
        assertThat(emitted(windows, 1, 2, 3, 4, "WEND"))
                .containsExactly("EARLY [1,3):2", "RETRACT [1,3):2", "ON_TIME [1,5):4");
    }

    /** A pipeline in virtual time that is asked and told step by step. */
    private static final class Steps {

        final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        final Sinks.Many<StreamElement<WindowScript.Event>> input =
                Sinks.many().unicast().onBackpressureBuffer();
        final WindowScript script;
        final TestSubscriber<StreamElement<WindowResult<String, Long>>> subscriber;
        private int seen;

        Steps(WindowSpec windows, long demand) {
            script = WindowScript.of(windows.early(Early.every(TICK)));
            subscriber = TestSubscriber.builder().initialRequest(demand).build();
            script.pipeline(input.asFlux())
                    .elements(() -> LaneContext.local(clock))
                    .subscribe(subscriber);
        }

        Steps push(Object... steps) {
            WindowScript.elements(steps).forEach(input::tryEmitNext);
            return this;
        }

        Steps after(Duration time) {
            clock.advanceTimeBy(time);
            return this;
        }

        /** What has come since the last call. */
        List<String> out() {
            List<StreamElement<WindowResult<String, Long>>> all = subscriber.getReceivedOnNext();
            List<String> texts = all.subList(seen, all.size()).stream()
                    .flatMap(EventBatch::contents)
                    .filter(WindowResult.class::isInstance)
                    .map(result -> text((WindowResult<?, ?>) result))
                    .toList();
            seen = all.size();
            return texts;
        }
    }

    @Test
    void s40ByTheClockASessionShowsItsNewestValueAtTheTick() {
        Steps steps = new Steps(SESSION, Long.MAX_VALUE);
        assertThat(steps.push(1, 5).after(TICK.minusMillis(1)).out()).isEmpty();
        assertThat(steps.after(Duration.ofMillis(1)).out()).containsExactly("EARLY [1,15):2");
        assertThat(steps.after(TICK).out()).as("nothing has changed").isEmpty();
        assertThat(steps.push(12, 30).after(TICK).out())
                .containsExactly("RETRACT [1,15):2", "EARLY [1,22):3", "EARLY [30,40):1");
        assertThat(steps.push("W21").out()).as("shown already").isEmpty();
        assertThat(steps.push(30, "W39").out()).containsExactly("RETRACT [30,40):1", "ON_TIME [30,40):2");
        assertThat(steps.after(TICK).out()).as("all has been said").isEmpty();
        assertThat(steps.script.count(Counter.FIRES_EARLY)).isEqualTo(3);
    }

    @Test
    void s40ByTheClockACountWindowShowsItsNewestValueAtTheTick() {
        Steps steps = new Steps(WindowSpec.count(3), Long.MAX_VALUE);
        assertThat(steps.push(1, 2).after(TICK).out()).containsExactly("EARLY [1,3):2");
        assertThat(steps.push(7).out()).containsExactly("RETRACT [1,3):2", "ON_TIME [1,8):3");
        assertThat(steps.after(TICK).out()).isEmpty();
        assertThat(steps.push(8, 9, 10, 11).out()).containsExactly("ON_TIME [8,11):3");
        assertThat(steps.after(TICK).out()).containsExactly("EARLY [11,12):1");
    }

    @Test
    void s40ByTheClockAGlobalWindowShowsItsNewestValueAtTheTick() {
        Steps steps = new Steps(WindowSpec.global(), Long.MAX_VALUE);
        assertThat(steps.push("b@1", "a@2", "a@3").after(TICK).out())
                .containsExactly("EARLY " + ALL + ":2", "EARLY " + ALL + ":1");
        assertThat(steps.after(TICK).out()).isEmpty();
        assertThat(steps.push("a@4").after(TICK).out()).containsExactly("RETRACT " + ALL + ":2", "EARLY " + ALL + ":3");
        assertThat(steps.push("b@5", "WEND").out()).containsExactly("RETRACT " + ALL + ":1", "ON_TIME " + ALL + ":2");
    }

    @Test
    void s40WithoutDemandTicksQueueNothingAndTheNewestValueIsShown() {
        for (WindowSpec windows : List.of(SESSION, WindowSpec.count(9), WindowSpec.global())) {
            Steps steps = new Steps(windows, 1);
            assertThat(steps.push(1).after(TICK).out()).as("%s", windows).hasSize(1);
            for (int i = 0; i < 3; i++) {
                steps.push(2).after(TICK);
            }
            assertThat(steps.out()).isEmpty();
            steps.subscriber.request(1);
            steps.after(TICK);
            assertThat(steps.out())
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith("EARLY")
                    .endsWith(":4");
            steps.subscriber.cancel();
            steps.after(TICK);
            assertThat(steps.out()).isEmpty();
        }
    }
}
