package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** The rules of sessions, with the numbers of docs/semantics.md. */
class SessionWindowTest {

    private final WindowScript ten = WindowScript.of(session(10, 0));
    private final WindowScript lenient = WindowScript.of(session(10, 100));

    private static final String END = "WEND";

    private static WindowSpec session(long gap, long lateness) {
        return WindowSpec.session(Duration.ofMillis(gap)).allowedLateness(Duration.ofMillis(lateness));
    }

    @Test
    void s02AnEventAtTheStartIsInAndOneAtTheEndIsOut() {
        assertThat(ten.run(0, 9, 19, END)).containsExactly("+[0,19):2", "+[19,29):1");
    }

    @Test
    void s03s22ASessionFiresAtTheFirstWatermarkOfItsEndLessOne() {
        assertThat(ten.run(0, "W8")).isEmpty();
        assertThat(ten.run(0, "W9")).containsExactly("+[0,10):1");
        assertThat(ten.run(0, "W10")).containsExactly("+[0,10):1");
        assertThat(ten.results(0, "W10")).allMatch(result -> result.kind() == WindowResult.Kind.ON_TIME);
    }

    @Test
    void s16ASessionIsEventsLessThanAGapApart() {
        assertThat(ten.run(1, 6, 12, 30, 35, 40, END)).containsExactly("+[1,22):3", "+[30,50):3");
        assertThat(ten.run(40, 12, 35, 6, 30, 1, END)).containsExactly("+[1,22):3", "+[30,50):3");
    }

    @Test
    void s17ExactlyAGapApartIsTwoSessionsWhateverTheWatermark() {
        assertThat(ten.run(0, 10, END)).containsExactly("+[0,10):1", "+[10,20):1");
        assertThat(ten.run(0, 9, END)).containsExactly("+[0,19):2");
        List<String> closedBefore = ten.run(0, "W9", 10, END);
        List<String> closedAfter = ten.run(0, 10, "W9", END);
        assertThat(closedBefore).containsExactly("+[0,10):1", "+[10,20):1").isEqualTo(closedAfter);
    }

    @Test
    void s18AnEventThatBridgesTwoFiredSessionsTakesBothBackTheOldestFirst() {
        List<WindowResult<String, Long>> results = lenient.results(0, "W12", 15, "W30", 8);
        assertThat(results.stream().map(WindowScript::text))
                .containsExactly("+[0,10):1", "+[15,25):1", "-[0,10):1", "-[15,25):1", "+[0,25):3");
        assertThat(lenient.count(Counter.MERGES)).isEqualTo(1);
        assertThat(lenient.count(Counter.RETRACTIONS)).isEqualTo(2);
        assertThat(lenient.count(Counter.FIRES_ON_TIME) + lenient.count(Counter.FIRES_LATE))
                .isEqualTo(3);
        assertThat(lenient.count(Counter.REFIRED)).isEqualTo(1);
        assertThat(PlainBatch.fold(results)).isEqualTo(Map.of(new PlainBatch.Slot<>("k", new TimeWindow(0, 25)), 3L));
        WindowResult<String, Long> merged = results.get(4);
        assertThat(merged.kind()).isEqualTo(WindowResult.Kind.LATE);
        assertThat(merged.revision()).isZero();
        assertThat(merged.late()).isEqualTo(1);
    }

    @Test
    void s19ABridgeOfAFiredAndAnOpenSessionTakesBackNowAndEmitsLater() {
        assertThat(lenient.run(0, "W12", 15, 8)).containsExactly("+[0,10):1", "-[0,10):1");
        assertThat(lenient.run(0, "W12", 15, 8, "W23")).containsExactly("+[0,10):1", "-[0,10):1");
        assertThat(lenient.run(0, "W12", 15, 8, "W24")).containsExactly("+[0,10):1", "-[0,10):1", "+[0,25):3");
        assertThat(lenient.results(0, "W12", 15, 8, "W24").get(2).kind()).isEqualTo(WindowResult.Kind.ON_TIME);
        assertThat(lenient.count(Counter.MERGES)).isEqualTo(1);
    }

    @Test
    void s20TheEventIsJudgedAndNotTheSpanThatItKeepsOpen() {
        WindowScript five = WindowScript.of(session(5, 0));
        assertThat(five.run(0, "W6", 3, "W8", END)).containsExactly("+[0,5):1");
        assertThat(five.count(Counter.DROPPED)).isEqualTo(1);
    }

    @Test
    void s20AnEventIsLateAtTheWatermarkLessTheAllowedLateness() {
        WindowScript windows = WindowScript.of(session(10, 20)).withSideOutput();
        assertThat(windows.run("W50", 30, 31, END)).containsExactly("+[31,41):1");
        assertThat(windows.side()).singleElement().satisfies(late -> {
            assertThat(late.timestamp()).isEqualTo(30);
            assertThat(late.windows()).containsExactly(new TimeWindow(30, 40));
            assertThat(late.lateBy()).isEqualTo(20);
        });
    }

    @Test
    void s20ALateEventDoesNotJoinTheNextSession() {
        assertThat(ten.run(50, "W45", 44, END)).containsExactly("+[50,60):1");
        assertThat(ten.count(Counter.DROPPED)).isEqualTo(1);
    }

    @Test
    void s13ASessionIsKeptUntilTheAllowedLatenessIsOver() {
        WindowScript windows = WindowScript.of(session(10, 10));
        assertThat(windows.run(0, 9, "W19", 10)).containsExactly("+[0,19):2", "-[0,19):2", "+[0,20):3");
        assertThat(windows.run(0, 9, "W19", 9)).containsExactly("+[0,19):2");
        assertThat(windows.run(0, "W18", 9, "W28", END)).containsExactly("+[0,10):1", "-[0,10):1", "+[0,19):2");
    }

    @Test
    void s15AFiredSessionThatChangesIsTakenBackInItsOldBounds() {
        List<WindowResult<String, Long>> results = lenient.results(0, "W30", 5, -5, 3);
        assertThat(results.stream().map(WindowScript::text))
                .containsExactly(
                        "+[0,10):1", "-[0,10):1", "+[0,15):2", "-[0,15):2", "+[-5,15):3", "-[-5,15):3", "+[-5,15):4");
        assertThat(results.stream().map(WindowResult::revision)).containsExactly(0, 0, 0, 0, 0, 0, 1);
        assertThat(results.stream().map(WindowResult::late)).containsExactly(0L, 0L, 1L, 1L, 2L, 2L, 3L);
    }

    @Test
    void s15ALateEventThatLeavesTheValueEmitsNothing() {
        AtomicReference<LiveCounters> counters = new AtomicReference<>();
        List<WindowResult<String, Long>> results = EventFlux.fromElements(
                        Flux.fromIterable(WindowScript.elements(0, 9, "W30", 5, 12)))
                .keyBy(WindowScript.Event::key)
                .window(session(10, 100))
                .countersTo(counters::set)
                .aggregate(Aggregations.<WindowScript.Event>minLong(WindowScript.Event::time))
                .toFlux()
                .collectList()
                .block(Duration.ofSeconds(10));
        assertThat(counters.get().snapshot().get(Counter.UNCHANGED)).isEqualTo(1);
        // Other bounds are another window, though the value is the same.
        assertThat(results)
                .extracting(WindowResult::window)
                .containsExactly(new TimeWindow(0, 19), new TimeWindow(0, 19), new TimeWindow(0, 22));
    }

    @Test
    void s12DropReFireAndSideWithTheSameScript() {
        Object[] script = {1, 5, "W16", 7, "W18", 2, "W30", 3};
        assertThat(ten.run(script)).containsExactly("+[1,15):2");
        assertThat(ten.count(Counter.DROPPED)).isEqualTo(3);
        assertThat(ten.counters().sumHolds()).isTrue();
        WindowScript side = WindowScript.of(session(10, 0)).withSideOutput();
        assertThat(side.run(script)).containsExactly("+[1,15):2");
        assertThat(side.side()).extracting(LateEvent::timestamp).containsExactly(7L, 2L, 3L);
        assertThat(side.counters().sumHolds()).isTrue();
        WindowScript refire = WindowScript.of(session(10, 20));
        assertThat(refire.run(script)).containsExactly("+[1,15):2", "-[1,15):2", "+[1,17):3", "-[1,17):3", "+[1,17):4");
        assertThat(refire.count(Counter.DROPPED)).isEqualTo(1);
        assertThat(refire.count(Counter.REFIRED)).isEqualTo(2);
        assertThat(refire.counters().sumHolds()).isTrue();
    }

    @Test
    void s16GapsOfTheEventsOwnJoinAnyNumberOfSessions() {
        WindowScript own = WindowScript.of(session(100, 0)).withOwnGaps();
        assertThat(own.run("k@0~5", "k@10~5", "k@20~5", "k@40~5", END))
                .containsExactly("+[0,5):1", "+[10,15):1", "+[20,25):1", "+[40,45):1");
        assertThat(own.run("k@0~5", "k@10~5", "k@20~5", "k@40~5", "k@4~30", END))
                .containsExactly("+[0,34):4", "+[40,45):1");
        assertThat(own.count(Counter.MERGES)).isEqualTo(2);
        assertThat(own.run("k@0~50", "k@10~5", END)).containsExactly("+[0,50):2");
    }

    @Test
    void aGapThatTheDefinitionDoesNotAllowIsRefusedByValueWithTheRemedy() {
        WindowScript own = WindowScript.of(session(100, 0)).withOwnGaps();
        for (int gap : new int[] {0, -1, 101}) {
            assertThatThrownBy(() -> own.run("k@0~" + gap))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 100 ms")
                    .hasMessageContaining(" has " + gap + " ms")
                    .hasMessageContaining("longer one");
        }
    }

    @Test
    void s32FarApartSessionsCostTwoResultsAndNoStepping() {
        assertThat(ten.run(1, "W1700000000000")).containsExactly("+[1,11):1");
        assertThat(ten.run(1, "W5", 1_700_000_000_000L, "WEND"))
                .containsExactly("+[1,11):1", "+[1700000000000,1700000000010):1");
    }

    @Test
    void s33WhatOneWatermarkClosesFiresByEndThenStartThenKey() {
        assertThat(ten.results("b@3", "a@3", "c@0", "a@20", "b@0", "c@4", "b@40", END).stream()
                        .map(result -> result.key() + WindowScript.text(result)))
                .containsExactly("b+[0,13):2", "a+[3,13):1", "c+[0,14):2", "a+[20,30):1", "b+[40,50):1");
    }

    @Test
    void s33AnErrorFiresNothing() {
        Flux<StreamElement<WindowScript.Event>> failing = Flux.fromIterable(WindowScript.elements(1, 2))
                .concatWith(Flux.error(new IllegalStateException("source")));
        assertThatThrownBy(() -> ten.pipeline(failing).toFlux().blockLast()).hasMessageContaining("source");
        assertThat(ten.count(Counter.FIRES_ON_TIME)).isZero();
    }

    @Test
    void theWatermarkOfThePartitionClosesTheSessionsOfASilentKey() {
        List<WindowResult<String, Long>> results = EventFlux.from(
                        Flux.just("A0", "A3", "B100").concatWith(Flux.never()), 1)
                .watermarksMillis(
                        event -> Long.parseLong(event.substring(1)), WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyBy(event -> event.substring(0, 1))
                .window(session(5, 0))
                .aggregate(Aggregations.counting())
                .toFlux()
                .take(1)
                .collectList()
                .block(Duration.ofSeconds(10));
        assertThat(results).singleElement().satisfies(result -> {
            assertThat(result.key()).isEqualTo("A");
            assertThat(result.window()).isEqualTo(new TimeWindow(0, 8));
            assertThat(result.value()).isEqualTo(2);
        });
    }

    @Test
    void theSameInputGivesTheSameSessionsEveryTime() {
        Object[] script = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, END};
        WindowScript hundred = WindowScript.of(session(100, 0));
        for (int i = 0; i < 100; i++) {
            assertThat(hundred.run(script)).containsExactly("+[0,109):10");
        }
    }

    @Test
    void aSessionThatHasClosedForGoodDoesNotComeBack() {
        assertThat(ten.run(0, 1, 2, 3, 4, "W13", 3, END)).containsExactly("+[0,14):5");
        assertThat(ten.count(Counter.DROPPED)).isEqualTo(1);
    }
}
