package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Count and global windows: nothing is late, and the end of the stream closes what is open. */
class EndlessWindowsTest {

    private static final String ALL = "[" + Long.MIN_VALUE + "," + Long.MAX_VALUE + ")";
    private static final WindowSpec THREE = WindowSpec.count(3);
    private static final WindowSpec GLOBAL = WindowSpec.global();

    private static Stream<String> keyed(List<WindowResult<String, Long>> results) {
        return results.stream().map(result -> result.key() + WindowScript.text(result));
    }

    @Test
    void everyThirdEventOfAKeyClosesAWindowOverTheTimesOfItsEvents() {
        WindowScript three = WindowScript.of(THREE);
        assertThat(keyed(three.results("a@5", "b@1", "a@9", "W100", "a@2", "a@7", "b@3", "b@200")))
                .containsExactly("a+[2,10):3", "b+[1,201):3");
        assertThat(three.counters().accepted()).isEqualTo(7);
        assertThat(three.counters().sumHolds()).isTrue();
    }

    @Test
    void s33IncompleteCountWindowsFireAtTheEndByEndStartAndKey() {
        WindowScript three = WindowScript.of(THREE);
        assertThat(keyed(three.results("c@9", "b@3", "a@9", "d@2", "d@9", "e@1", "e@1", "e@1", "WEND")))
                .containsExactly("e+[1,2):3", "b+[3,4):1", "d+[2,10):2", "a+[9,10):1", "c+[9,10):1");
        assertThat(three.count(Counter.EXPIRED)).isZero();
    }

    @Test
    void aResultComesAfterTheWatermarkThatWasTold() {
        List<StreamElement<WindowResult<String, Long>>> out = WindowScript.of(WindowSpec.count(2))
                .pipeline(Flux.fromIterable(WindowScript.elements(1, "W100", 3, 50, "WEND")))
                .elements()
                .collectList()
                .block(Duration.ofSeconds(10));
        EventBatch<?> first = (EventBatch<?>) out.get(1);
        assertThat(first.timestamp(0)).isEqualTo(101);
        EventBatch<?> atTheEnd = (EventBatch<?>) out.get(2);
        assertThat(atTheEnd.timestamp(0)).isEqualTo(101);
        List<StreamElement<WindowResult<String, Long>>> ahead = WindowScript.of(WindowSpec.count(2))
                .pipeline(Flux.fromIterable(WindowScript.elements(1, "W10", 30, "WEND")))
                .elements()
                .collectList()
                .block(Duration.ofSeconds(10));
        assertThat(((EventBatch<?>) ahead.get(1)).timestamp(0)).isEqualTo(30);
    }

    @Test
    void aGlobalWindowOfEachKeyFiresAtTheEndInTheOrderOfKeys() {
        WindowScript global = WindowScript.of(GLOBAL);
        assertThat(keyed(global.results("b@5", "W100", "a@1", "b@500"))).isEmpty();
        assertThat(keyed(global.results("b@5", "W100", "a@1", "b@500", "WEND")))
                .containsExactly("a+" + ALL + ":1", "b+" + ALL + ":2");
        assertThat(global.counters().sumHolds()).isTrue();
    }

    @Test
    void s33MoreKeysThanARunHoldsFireInOrder() {
        Object[] script = new Object[1001];
        for (int i = 0; i < 1000; i++) {
            script[i] = String.format("%04d@%d", i * 7919 % 1000, i);
        }
        script[1000] = "WEND";
        assertThat(WindowScript.of(GLOBAL).results(script))
                .hasSize(1000)
                .extracting(WindowResult::key)
                .isSorted();
        assertThat(WindowScript.of(THREE).results(script))
                .hasSize(1000)
                .extracting(result -> result.window().start())
                .isSorted();
    }

    @Test
    void s40EarlyResultsOfAGlobalWindowByCount() {
        WindowSpec everyTwo = GLOBAL.early(Early.everyCount(2));
        Object[] script = {1, 2, 3, 4, 5, "WEND"};
        assertThat(WindowScript.of(everyTwo).results(script).stream()
                        .map(result -> result.kind() + " " + result.value()))
                .containsExactly("EARLY 2", "RETRACT 2", "EARLY 4", "RETRACT 4", "ON_TIME 5");
        assertThat(WindowScript.of(everyTwo.accumulation(Accumulation.ACCUMULATE)).results(script).stream()
                        .map(WindowResult::value))
                .containsExactly(2L, 4L, 5L);
        assertThat(WindowScript.of(everyTwo.accumulation(Accumulation.DISCARD)).results(script).stream()
                        .map(WindowResult::value))
                .containsExactly(2L, 2L, 1L);
    }

    @Test
    void s42TheFinalMarkerOfAGlobalWindow() {
        WindowSpec everyTwo = GLOBAL.early(Early.everyCount(2));
        assertThat(WindowScript.of(everyTwo).run(1, 2, "WEND")).containsExactly("+" + ALL + ":2");
        assertThat(WindowScript.of(everyTwo.emitFinalMarker()).run(1, 2, "WEND"))
                .containsExactly("+" + ALL + ":2", "-" + ALL + ":2", "+" + ALL + ":2");
    }

    @Test
    void s40EarlyResultsOfACountWindowAreTakenBackInTheBoundsThatTheyHad() {
        assertThat(WindowScript.of(WindowSpec.count(4).early(Early.everyCount(2)))
                        .run(1, 2, 3, 4, 5, "WEND"))
                .containsExactly("+[1,3):2", "-[1,3):2", "+[1,5):4", "+[5,6):1");
    }

    @Test
    void aWindowedStageCantFollowEarlyResultsThatAreCorrectedWithoutAnEnd() {
        EventFlux<WindowResult<String, Long>> first =
                WindowScript.of(GLOBAL.early(Early.everyCount(2))).pipeline(Flux.empty());
        assertThatThrownBy(() -> first.keyBy(WindowResult::key)
                        .window(WindowSpec.tumbling(Duration.ofMillis(10)))
                        .aggregate(Aggregations.counting()))
                .hasMessageContaining("without an end");
        WindowScript.of(THREE)
                .pipeline(Flux.empty())
                .keyBy(WindowResult::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregations.counting());
    }

    @Test
    void s46AWindowOverCountWindowsLosesNone() {
        List<WindowResult<String, Long>> out = WindowScript.of(WindowSpec.count(2))
                .pipeline(Flux.fromIterable(WindowScript.elements(1, 2, "W100", 3, 4, 205, "W300", 206, "WEND")))
                .keyBy(WindowResult::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregations.summingLong(WindowResult::value))
                .toFlux()
                .collectList()
                .block(Duration.ofSeconds(10));
        assertThat(out.stream().map(WindowScript::text)).containsExactly("+[0,100):2", "+[100,200):2", "+[300,400):2");
    }

    @Test
    void aRetractionThatGetsHereIsRefused() {
        EventBatch<Long> retraction =
                EventBatch.<Long>builder().add(1L, 1, 0, -1).build(0);
        for (WindowSpec windows : List.of(THREE, GLOBAL, WindowSpec.session(Duration.ofMillis(5)))) {
            assertThatThrownBy(() -> Flux.<StreamElement<Long>>just(retraction)
                            .transform(Windows.aggregate(v -> "k", windows, Aggregations.counting()))
                            .blockLast())
                    .hasMessageContaining("a retraction of 1 reached")
                    .hasMessageContaining("use tumbling");
        }
    }
}
