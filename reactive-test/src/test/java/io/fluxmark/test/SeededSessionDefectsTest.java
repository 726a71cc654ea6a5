package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.SessionDefects;
import io.fluxmark.windows.SessionDefects.Defect;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** The harness finds what sessions get wrong, and says what is wrong in words. */
class SeededSessionDefectsTest {

    private static List<Event> at(long... times) {
        return Arrays.stream(times).mapToObj(time -> new Event("k", time, 1)).toList();
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> caught(
            WindowSpec windows, Defect defect, List<Event> events) {
        WindowedPipeline<Event, String, long[], Long> pipeline = TumblingEquivalenceTest.sums(0, windows);
        PipelineUnderTest<Event, String, Long> wrong = trial -> Defects.timed(pipeline, trial)
                .transform(
                        SessionDefects.sessions(defect, pipeline.key(), windows, pipeline.aggregation(), trial.lane()));
        BatchEquivalence<Event, String, Long> right =
                BatchEquivalence.of(pipeline).events(events).disorder(Disorder.none());
        assertThat(right.verify().events()).isEqualTo(events.size());
        return assertThatThrownBy(right.running(wrong)::verify)
                .isInstanceOf(AssertionError.class)
                .satisfies(failure -> System.out.println(failure.getMessage() + "\n"));
    }

    @Test
    void s17TouchingSessionsThatMerge() {
        WindowSpec ten = WindowSpec.session(Duration.ofMillis(10));
        caught(ten, Defect.TOUCHING_MERGE, at(0, 10, 30))
                .hasMessageContaining("window   [0, 10) ms, key k")
                .hasMessageContaining("expected +1 (ON_TIME, revision 0, at W=9)")
                .hasMessageContaining("got      nothing");
    }

    @Test
    void s20ASpanThatIsJudgedInPlaceOfTheEvent() {
        WindowSpec five = WindowSpec.session(Duration.ofMillis(5));
        caught(five, Defect.SPAN_JUDGED, at(0, 7, 3))
                .hasMessageContaining("S11, S13, S20, S36: what becomes of an event")
                .hasMessageContaining("after event 3, k@3")
                .hasMessageContaining("expected 3 events = 2 on time + 0 re-fired + 1 late")
                .hasMessageContaining("on_time=3");
    }

    @Test
    void s18OneFiredSessionOfABridgeThatIsNotTakenBack() {
        WindowSpec ten = WindowSpec.session(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(100));
        assertThat(BatchEquivalence.of(TumblingEquivalenceTest.sums(0, ten))
                        .events(at(0, 15, 31, 8))
                        .verify()
                        .count(Counter.MERGES))
                .isEqualTo(1);
        caught(ten, Defect.ONE_TAKEN_BACK, at(0, 15, 31, 8))
                .hasMessageContaining("window   [15, 25) ms, key k")
                .hasMessageContaining("expected (1 alike)  -1 (RETRACT, revision 0, at W=30)")
                .hasMessageContaining("got      (1 alike)  nothing");
    }
}
