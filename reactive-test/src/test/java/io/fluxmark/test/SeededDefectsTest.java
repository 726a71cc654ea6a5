package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** The harness finds the defects it is there for, and says what is wrong in words. */
class SeededDefectsTest {

    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));
    private static final WindowedPipeline<Event, String, long[], Long> SUMS = TumblingEquivalenceTest.sums(0, TEN);
    private static final WindowedPipeline<Event, String, long[], Long> HOPPING =
            TumblingEquivalenceTest.sums(0, WindowSpec.sliding(Duration.ofMillis(10), Duration.ofMillis(5)));
    private static final WindowedPipeline<Event, String, long[], Long> CORRECTED =
            TumblingEquivalenceTest.sums(2, TEN.allowedLateness(Duration.ofMillis(10)));

    /** In order, at most one event a millisecond, so that each window's last instant has one. */
    private static List<Event> steadily(int count) {
        List<Event> events = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            events.add(new Event("k", i, 1));
        }
        return events;
    }

    private static List<Event> anyhow(long seed) {
        Random random = new Random(seed);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            events.add(new Event("k" + random.nextInt(3), random.nextInt(100), 1 + random.nextInt(5)));
        }
        return events;
    }

    private static <K> AbstractThrowableAssert<?, ? extends Throwable> caught(
            WindowedPipeline<Event, K, ?, Long> pipeline,
            PipelineUnderTest<Event, K, Long> defect,
            List<Event> events,
            Disorder disorder) {
        BatchEquivalence<Event, K, Long> right =
                BatchEquivalence.of(pipeline).events(events).disorder(disorder);
        assertThat(right.verify().events()).isEqualTo(events.size());
        return assertThatThrownBy(right.running(defect)::verify)
                .isInstanceOf(AssertionError.class)
                .satisfies(failure -> System.out.println(failure.getMessage() + "\n"));
    }

    @Test
    void aWindowThatFiresAMillisecondEarly() {
        caught(SUMS, Defects.firesEarly(SUMS), steadily(25), Disorder.none())
                .hasMessageContaining("S03")
                .hasMessageContaining("after event 9, k@9 (W=8)")
                .hasMessageContaining("window   [0, 10) ms, key k")
                .hasMessageContaining("expected nothing")
                .hasMessageContaining("got      +9 (ON_TIME, revision 0, at W=9)");
    }

    @Test
    void anEventOnTheBoundaryInBothWindows() {
        caught(SUMS, Defects.boundaryInBoth(SUMS), steadily(25), Disorder.none())
                .hasMessageContaining("what a window emits")
                .hasMessageContaining("window   [0, 10) ms, key k")
                .hasMessageContaining("expected +9 (ON_TIME, revision 0, at W=9)")
                .hasMessageContaining("got      +10 (ON_TIME, revision 0, at W=9)");
    }

    @Test
    void aWatermarkThatIsComputedFromTheEndOfTheRun() {
        caught(
                        CORRECTED,
                        Defects.watermarkOfTheRunsEnd(CORRECTED),
                        anyhow(7),
                        Disorder.shuffledWithin(Duration.ofMillis(8), 7))
                .hasMessageContaining("run size 2")
                .hasMessageContaining("Disorder.shuffledWithin(PT0.008S, 7)");
    }

    @Test
    void anAccumulatorThatIsLost() {
        caught(CORRECTED, Defects.losesAnAccumulator(CORRECTED), anyhow(3), Disorder.random(3))
                .hasMessageContaining("S03, S13, S15, S51: what a window emits")
                .hasMessageContaining("window   [80, 90) ms, key k0")
                .hasMessageContaining("expected (18 alike)  +31 (LATE, revision 9")
                .hasMessageContaining("got      (18 alike)  +3 (LATE, revision 9");
    }

    @Test
    void aRetractionOfWhatWasNotEmitted() {
        caught(
                        CORRECTED,
                        Defects.retractsTheNewValue(CORRECTED),
                        anyhow(5),
                        Disorder.shuffledWithin(Duration.ofMillis(9), 5))
                .hasMessageContaining("S15: a retraction equals the last emission");
    }

    @Test
    void aLateEventThatIsCountedNowhere() {
        caught(SUMS, Defects.forgetsToCount(SUMS), anyhow(9), Disorder.random(9))
                .hasMessageContaining("S12: the counters sum to the input after every step");
    }

    @Test
    void aWatermarkThatComesBeforeTheResultsItCaused() {
        caught(SUMS, Defects.watermarkOvertakes(SUMS), steadily(25), Disorder.none())
                .hasMessageContaining("S46: a result on time comes before the watermark");
    }

    @Test
    void anOutputThatDependsOnTheRuns() {
        caught(SUMS, Defects.dropsFullRuns(SUMS), steadily(25), Disorder.none()).hasMessageContaining("run size 7");
    }

    @Test
    void moreThanWasRequested() {
        caught(SUMS, Defects.ignoresDemand(SUMS), steadily(25), Disorder.none())
                .hasMessageContaining("broke Reactive Streams with a demand of 7")
                .hasMessageContaining("without demand");
    }

    @Test
    void aLatenessThatIsOffByOne() {
        List<Event> events = List.of(new Event("k", 1, 1), new Event("k", 22, 1), new Event("k", 5, 1));
        caught(CORRECTED, OutputDefects.latenessByOneTooLong(CORRECTED), events, Disorder.none())
                .hasMessageContaining("S03, S13, S15, S51: what a window emits")
                .hasMessageContaining("after event 3, k@5 (W=19)")
                .hasMessageContaining("expected (1 alike)  nothing");
    }

    @Test
    void aRetractionThatIsLost() {
        caught(CORRECTED, OutputDefects.losesRetractions(CORRECTED), anyhow(5), Disorder.random(5))
                .hasMessageContaining("S15");
    }

    @Test
    void aWatermarkThatStepsBack() {
        caught(SUMS, OutputDefects.watermarkStepsBack(SUMS), steadily(60), Disorder.none())
                .hasMessageContaining("S24: the watermark of the output steps back");
    }

    @Test
    void anEventThatMissesTheLastOfItsSlidingWindows() {
        caught(HOPPING, SlidingDefects.missesTheLastWindow(HOPPING), steadily(25), Disorder.none())
                .hasMessageContaining("window   [0, 10) ms, key k")
                .hasMessageContaining("expected +9 (ON_TIME, revision 0, at W=9)")
                .hasMessageContaining("got      +5 (ON_TIME, revision 0, at W=9)");
    }

    @Test
    void anEventThatIsLateForAllOfItsWindowsBecauseItIsForOne() {
        caught(
                        HOPPING,
                        SlidingDefects.lateForOneIsLateForAll(HOPPING),
                        List.of(new Event("k", 12, 1), new Event("k", 15, 1), new Event("k", 13, 1)),
                        Disorder.none())
                .hasMessageContaining("S11, S13, S20, S36: what becomes of an event")
                .hasMessageContaining("after event 3, k@13")
                .hasMessageContaining("expected 3 events = 3 on time")
                .hasMessageContaining("dropped=1");
    }
}
