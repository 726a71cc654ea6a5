package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.core.publisher.Flux;

/**
 * Windows in the state of their key, stopped behind a barrier and started again between any two elements: the output is
 * that of the run without a stop (S47, S43). The state is read from bytes whenever it is asked for.
 */
class KeyWindowsRestartTest {

    private static final String OPERATOR = "window-1";

    static WindowSpec session(long lateness) {
        return WindowSpec.session(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(lateness));
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    static Map<String, WindowSpec> definitions() {
        Early everyTwo = Early.everyCount(2);
        Map<String, WindowSpec> all = new LinkedHashMap<>();
        all.put("sessions", session(0));
        all.put("sessions that re-fire", session(30));
        all.put("sessions that accumulate", session(30).accumulation(Accumulation.ACCUMULATE));
        all.put("sessions that discard", session(30).accumulation(Accumulation.DISCARD));
        all.put("sessions with early results", session(12).early(everyTwo));
        all.put("sessions with a final marker", session(0).early(everyTwo).emitFinalMarker());
        all.put("sessions with a short time-to-live", session(30).timeToLive(ms(4)));
        all.put("sessions with a time-to-live", session(100).timeToLive(ms(25)));
        all.put("sessions under a ceiling", session(30).ceiling(new Ceiling(2, Ceiling.Policy.CLOSE_EARLIEST)));
        all.put("sessions refused", session(30).ceiling(new Ceiling(2, Ceiling.Policy.REFUSE)));
        all.put("count", WindowSpec.count(3));
        all.put("count with early results", WindowSpec.count(3).early(everyTwo));
        all.put("count with a time-to-live", WindowSpec.count(3).timeToLive(ms(10)));
        all.put("count under a ceiling", WindowSpec.count(3).ceiling(new Ceiling(1, Ceiling.Policy.CLOSE_EARLIEST)));
        all.put("global", WindowSpec.global());
        all.put("global with early results", WindowSpec.global().early(everyTwo));
        all.put("global that discards", WindowSpec.global().early(everyTwo).accumulation(Accumulation.DISCARD));
        all.put(
                "global with a time-to-live",
                WindowSpec.global().timeToLive(ms(10)).early(everyTwo));
        return all;
    }

    private final AtomicReference<LiveCounters> counters = new AtomicReference<>();

    private List<StreamElement<WindowResult<String, Long>>> run(
            WindowSpec windows, Iterable<StreamElement<WindowScript.Event>> elements, LaneContext lane) {
        return EventFlux.fromElements(Flux.fromIterable(elements))
                .keyBy(WindowScript.Event::key)
                .window(windows)
                .countersTo(counters::set)
                .aggregate(Aggregations.counting())
                .elements(() -> lane)
                .collectList()
                .block(Duration.ofSeconds(20));
    }

    private static void addResults(List<String> into, List<StreamElement<WindowResult<String, Long>>> elements) {
        for (StreamElement<WindowResult<String, Long>> element : elements) {
            if (element instanceof EventBatch<WindowResult<String, Long>> run) {
                for (int i = 0; i < run.size(); i++) {
                    into.add(run.timestamp(i) + " " + run.sign(i) + " " + run.value(i));
                }
            }
        }
    }

    private static boolean isEnd(StreamElement<?> element) {
        return element instanceof Watermark<?> watermark && watermark.timestamp() == Watermark.END;
    }

    @Property
    void s47StoppedAndStartedBetweenAnyTwoElementsTheOutputIsTheSame(@ForAll Random random) {
        SessionPropertiesTest.Scenario scenario = SessionPropertiesTest.Scenario.of(random);
        List<StreamElement<WindowScript.Event>> elements = scenario.elements(1);
        definitions().forEach((name, windows) -> {
            List<String> expected = new ArrayList<>();
            addResults(expected, run(windows, elements, LaneContext.local()));
            Counters counted = counters.get().snapshot();
            for (boolean everywhere : new boolean[] {true, false}) {
                StoredState state = new StoredState();
                List<String> out = new ArrayList<>();
                List<StreamElement<WindowScript.Event>> segment = new ArrayList<>();
                for (StreamElement<WindowScript.Event> element : elements) {
                    segment.add(element);
                    if (everywhere || random.nextInt(4) == 0 || isEnd(element)) {
                        segment.add(state.barrier());
                        addResults(out, run(windows, segment, state.lane()));
                        segment.clear();
                        state = state.restarted();
                    } else if (random.nextInt(4) == 0) {
                        segment.add(state.barrier());
                    }
                }
                assertThat(out).as("%s: %s", name, elements).isEqualTo(expected);
                assertThat(counters.get().snapshot()).as(name).isEqualTo(counted);
                assertThat(counted.sumHolds()).isTrue();
                assertThat(state.entries(OPERATOR)).as(name).isZero();
                assertThat(state.entries(OPERATOR + "/ends")).as(name).isZero();
            }
        });
    }
}
