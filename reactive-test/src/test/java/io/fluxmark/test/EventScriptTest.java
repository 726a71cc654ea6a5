package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts of events and watermarks, with the numbers of the semantics; whatever the runs, the results are the same. */
class EventScriptTest {

    private static Event at(long time) {
        return new Event("k", time, 1);
    }

    private static List<String> results(EventScript<Event> script, WindowSpec windows, int runSize) {
        return script.pipeline(runSize)
                .keyBy(Event::key)
                .window(windows)
                .aggregate(Aggregations.counting())
                .toFlux()
                .map(EventScript::text)
                .collectList()
                .block(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 256})
    void s12RefiresWithinTheLatenessAndDropsBehindIt(int runSize) {
        EventScript<Event> script = EventScript.<Event>of(Event::time)
                .events(at(1), at(5))
                .watermark(12)
                .events(at(7))
                .watermark(18)
                .events(at(2))
                .watermark(19)
                .events(at(3));
        WindowSpec ten = WindowSpec.tumbling(Duration.ofMillis(10));
        assertThat(results(script, ten, runSize)).containsExactly("+k [0,10): 2");
        assertThat(results(script, ten.allowedLateness(Duration.ofMillis(10)), runSize))
                .containsExactly("+k [0,10): 2", "-k [0,10): 2", "+k [0,10): 3", "-k [0,10): 3", "+k [0,10): 4");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 256})
    void s18ALateEventBridgesTwoSessionsThatHaveFired(int runSize) {
        EventScript<Event> script = EventScript.<Event>of(Event::time)
                .events(at(0))
                .watermark(12)
                .events(at(15))
                .watermark(30)
                .events(at(8));
        WindowSpec sessions = WindowSpec.session(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(100));
        assertThat(results(script, sessions, runSize))
                .containsExactly("+k [0,10): 1", "+k [15,25): 1", "-k [0,10): 1", "-k [15,25): 1", "+k [0,25): 3");
    }

    @Test
    void refusesAWatermarkThatStepsBackAndRunsThatDoNotExist() {
        EventScript<Event> script = EventScript.<Event>of(Event::time).watermark(12);
        assertThatThrownBy(() -> script.watermark(11))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from 12 to 11");
        assertThatThrownBy(() -> script.elements(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was told 0");
    }
}
