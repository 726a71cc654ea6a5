package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Interval joins, with the numbers of the rules S44 and S45. */
class IntervalJoinTest {

    private static JoinEvent<String, String> left(String event) {
        return JoinEvent.ofLeft(event);
    }

    private static JoinEvent<String, String> right(String event) {
        return JoinEvent.ofRight(event);
    }

    private static EventBatch<JoinEvent<String, String>> run(JoinEvent<String, String> event, long watermark) {
        String text = event.left() == null ? event.right() : event.left();
        return EventBatch.<JoinEvent<String, String>>builder()
                .add(event, JoinScript.time(text), watermark)
                .build(watermark);
    }

    @Test
    void s44BothEndsOfTheIntervalAreInIt() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.INNER);
        script.left("a:l@10");
        for (int r = 6; r <= 15; r++) {
            script.right("a:r@" + r);
        }
        assertThat(script.joined())
                .containsExactly(
                        "a:l@10+a:r@8@10",
                        "a:l@10+a:r@9@10",
                        "a:l@10+a:r@10@10",
                        "a:l@10+a:r@11@11",
                        "a:l@10+a:r@12@12",
                        "a:l@10+a:r@13@13");
        script.right("b:r@10");
        assertThat(script.joined()).isEmpty();
        assertThat(script.counts().get(Counter.JOINED)).isEqualTo(6);
        assertThat(script.counts().get(Counter.ON_TIME)).isEqualTo(12);
    }

    @Test
    void s44WhoeverComesLastFindsThePairOnce() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.INNER);
        script.right("a:r@13", "a:r@8", "a:r@7", "a:r@14").left("a:l@10", "a:m@10");
        assertThat(script.joined())
                .containsExactly("a:l@10+a:r@8@10", "a:l@10+a:r@13@13", "a:m@10+a:r@8@10", "a:m@10+a:r@13@13");
    }

    /** l@10 is kept until W13 and r@8 until W10: state on both sides is gone then, and not before. */
    @Test
    void s44EachSideIsKeptForAsLongAsItMayFindAPartner() {
        StoredState state = new StoredState();
        List<StreamElement<JoinEvent<String, String>>> elements = new ArrayList<>();
        elements.add(run(left("a:l@10"), 7));
        elements.add(run(right("a:r@8"), 7));
        List<String> counted = new ArrayList<>();
        for (long watermark : new long[] {9, 10, 12, 13}) {
            elements.add(new Watermark<>(watermark));
            elements.add(state.barrier());
            JoinScript.run(elements, new JoinInterval(-2, 3), JoinKind.INNER, state.lane());
            elements.clear();
            state = state.restarted();
            counted.add("W" + watermark + " left " + state.entries("join-1/left") + " right "
                    + state.entries("join-1/right"));
        }
        assertThat(counted)
                .containsExactly("W9 left 1 right 1", "W10 left 1 right 0", "W12 left 1 right 0", "W13 left 0 right 0");
        assertThat(state.panes("join-1/left") + state.panes("join-1/right")).isZero();
    }

    @Test
    void s44TheLastPossiblePartnerStillFindsIt() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.INNER);
        script.left("a:l@10").watermark(12).right("a:r@13");
        assertThat(script.joined()).containsExactly("a:l@10+a:r@13@13");
        script.watermark(13).right("a:s@13");
        assertThat(script.joined()).isEmpty();
        assertThat(script.lateRight).hasSize(1);
    }

    /** C100 */
    @Test
    void s44c100ARowThatIsLateIsLateThoughItsPartnerIsGone() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.INNER);
        script.right("a:r@8").watermark(10).left("a:l@10");
        assertThat(script.joined()).isEmpty();
        assertThat(script.lateLeft).extracting(LateEvent::value).containsExactly("a:l@10");
        assertThat(script.lateLeft.get(0).watermark()).isEqualTo(10);
        assertThat(script.counts().get(Counter.SIDE)).isEqualTo(1);
        assertThat(script.counts().get(Counter.ON_TIME)).isEqualTo(1);
        script.left("a:l@11").right("a:r@11");
        assertThat(script.joined()).containsExactly("a:l@11+a:r@11@11");
    }

    /** C101 */
    @Test
    void s44c101ALateProbeMeetsNobodyAndIsCounted() {
        for (JoinKind kind : JoinKind.values()) {
            JoinScript script = new JoinScript();
            script.start(joined -> JoinScript.of(
                    joined.within(Duration.ofMillis(2), Duration.ofMillis(30)).countersTo(script.counters::set), kind));
            script.left("a:l@14").right("a:x@44").watermark(20).right("a:probe@15");
            assertThat(script.joined()).as("%s", kind).containsExactly("a:l@14+a:x@44@44");
            assertThat(script.counts().get(Counter.DROPPED)).isEqualTo(1);
            assertThat(script.counts().sumHolds()).isTrue();
            script.end();
            assertThat(script.joined()).as("%s", kind).isEmpty();
        }
    }

    @Test
    void aLateEventMayEndTheStream() {
        JoinScript script = new JoinScript();
        script.start(joined -> joined.within(Duration.ofMillis(2), Duration.ofMillis(3))
                .lateTo(LateSink.failing(), LateSink.failing())
                .inner(JoinScript::pair));
        script.watermark(20).right("a:probe@15");
        assertThat(script.failures()).singleElement().satisfies(failure -> assertThat(failure)
                .hasMessage("the event a:probe@15 at 15 ms is late: the watermark is 20; give the watermark a"
                        + " longer delay, or late events a place to go (lateTo)"));
        assertThat(script.cancels()).isEqualTo(1);
    }

    @Test
    void s44TheWatermarkIsTheSmallerOneOfBoth() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.LEFT);
        script.left("a:l@10").leftSays(new Watermark<>(100));
        assertThat(script.seen()).isEmpty();
        script.rightSays(new Watermark<>(12)).right("a:r@13");
        assertThat(script.seen()).containsExactly("W12", "a:l@10+a:r@13@13");
        script.rightSays(new Watermark<>(40)).left("a:late@40", "a:m@41");
        assertThat(script.seen()).containsExactly("W40");
        assertThat(script.lateLeft).extracting(LateEvent::value).containsExactly("a:late@40");
    }

    @Test
    void s45AnEventAloneIsEmittedWhenNoPartnerCanCome() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.LEFT);
        script.left("a:l@10").watermark(12);
        assertThat(script.joined()).isEmpty();
        script.watermark(13);
        assertThat(script.seen()).containsExactly("a:l@10+null@13", "W13");
        script.watermark(20).end();
        assertThat(script.joined()).isEmpty();
        assertThat(script.counts().get(Counter.UNMATCHED)).isEqualTo(1);
    }

    @Test
    void s45APartnerInTheLastMomentAndNothingAlone() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.LEFT);
        script.left("a:l@10").watermark(12).right("a:r@13");
        assertThat(script.joined()).containsExactly("a:l@10+a:r@13@13");
        script.watermark(13).watermark(14).end();
        assertThat(script.joined()).isEmpty();
        assertThat(script.counts().get(Counter.UNMATCHED)).isZero();
    }

    @Test
    void s45ARightEventAloneIsEmittedWhenNoLeftOneCanCome() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.FULL);
        script.right("a:r@10").left("a:l@14").watermark(11);
        assertThat(script.joined()).isEmpty();
        script.watermark(12);
        assertThat(script.seen()).containsExactly("null+a:r@10@12", "W12");
        script.watermark(17);
        assertThat(script.seen()).containsExactly("a:l@14+null@17", "W17");
    }

    /** However far the watermark jumps: in the order in which it became certain, of the left first, then by key. */
    @Test
    void s45WhatIsAloneComesInOrderThoughItBecomesDueAtOnce() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.FULL);
        script.left("b:l@11", "a:l@11", "a:l@10", "a:m@10")
                .right("a:r@20", "c:r@12")
                .watermark(100);
        assertThat(script.seen())
                .containsExactly(
                        "a:l@10+null@13",
                        "a:m@10+null@13",
                        "a:l@11+null@14",
                        "b:l@11+null@14",
                        "null+c:r@12@14",
                        "null+a:r@20@22",
                        "W100");
    }

    @Test
    void anIntervalMayLieOnOneSideOnly() {
        JoinScript after = JoinScript.within(-1, 3, JoinKind.FULL);
        after.left("a:l@10").right("a:r@10", "a:r@11", "a:r@13", "a:r@14").end();
        assertThat(after.joined())
                .containsExactly("a:l@10+a:r@11@11", "a:l@10+a:r@13@13", "null+a:r@10@10", "null+a:r@14@14");
        JoinScript before = JoinScript.within(3, -1, JoinKind.FULL);
        before.left("a:l@10").right("a:r@10", "a:r@9", "a:r@7", "a:r@6").end();
        assertThat(before.joined())
                .containsExactly("a:l@10+a:r@9@10", "a:l@10+a:r@7@10", "null+a:r@6@9", "null+a:r@10@13");
        JoinScript same = JoinScript.within(0, 0, JoinKind.FULL);
        same.left("a:l@10", "a:l@11").right("a:r@10", "a:r@-3").end();
        assertThat(same.joined()).containsExactly("a:l@10+a:r@10@10", "null+a:r@-3@-3", "a:l@11+null@11");
        assertThatThrownBy(() -> JoinInterval.within(Duration.ofMillis(-3), Duration.ofMillis(2)))
                .hasMessage("an interval from 3 to 2 ms holds nothing: give the lower bound first, or a longer after");
    }

    @Test
    void aSilentStreamThatIsIdleHoldsNothingBack() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.LEFT);
        script.left("a:l@10").leftSays(new Watermark<>(30));
        assertThat(script.seen()).isEmpty();
        script.rightSays(new Idle<>(true));
        assertThat(script.seen()).containsExactly("a:l@10+null@13", "W30");
        script.right("a:r@12").rightSays(new Watermark<>(11));
        assertThat(script.seen()).isEmpty();
        assertThat(script.lateRight).extracting(LateEvent::value).containsExactly("a:r@12");
        script.leftSays(new Watermark<>(50)).rightSays(new Watermark<>(40));
        assertThat(script.seen()).containsExactly("W40");
        script.leftSays(new Idle<>(true)).rightSays(new Idle<>(true));
        assertThat(script.seen()).as("all idle: the larger one").containsExactly("W50", "idle");
        script.right("a:r@70");
        assertThat(script.seen()).containsExactly("active");
    }

    @Test
    void aStreamThatEndsHoldsNothingBackAndBothEndIt() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.FULL);
        script.left("a:l@10").right("a:r@12", "a:r@30").rightSays(new Watermark<>(Watermark.END));
        script.leftSays(new Watermark<>(20));
        assertThat(script.seen()).containsExactly("a:l@10+a:r@12@12", "W20");
        assertThat(script.isCompleted()).isFalse();
        script.end();
        assertThat(script.seen()).containsExactly("null+a:r@30@32", "W" + Watermark.END);
        assertThat(script.isCompleted()).isTrue();
    }

    @Test
    void anErrorOfOneComesBehindWhatCameBeforeAndCancelsTheOther() {
        JoinScript script = JoinScript.within(2, 3, JoinKind.FULL);
        script.left("a:l@10").right("a:r@12");
        script.fail(new IllegalStateException("broken"));
        assertThat(script.joined()).containsExactly("a:l@10+a:r@12@12");
        assertThat(script.failures()).singleElement().satisfies(failure -> assertThat(failure)
                .hasMessage("broken"));
        assertThat(script.cancels()).isEqualTo(1);
    }

    @Test
    void aPairGoesOnIntoAWindow() {
        List<String> results = EventFlux.from(Flux.just("a:l@1", "a:l@12"))
                .watermarksMillis(JoinScript::time, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyBy(JoinScript::key)
                .join(EventFlux.from(Flux.just("a:r@2", "a:r@3", "a:r@11"))
                        .watermarksMillis(JoinScript::time, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                        .filter(event -> !event.endsWith("@2"))
                        .keyBy(JoinScript::key))
                .within(Duration.ofMillis(5), Duration.ofMillis(5))
                .inner(JoinScript::pair)
                .keyBy(pair -> "all")
                .window(WindowSpec.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregations.counting())
                .toFlux()
                .map(result -> result.window().start() + " " + result.value())
                .collectList()
                .block(Duration.ofSeconds(20));
        assertThat(results).containsExactly("0 1", "10 1");
    }

    @Test
    void whatTakesResultsBackIsRefusedAtAssembly() {
        EventFlux<WindowResult<String, Long>> corrected = EventFlux.<String>fromElements(Flux.never())
                .keyBy(JoinScript::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(5)))
                .aggregate(Aggregations.counting());
        KeyedFlux<String, String> plain =
                EventFlux.<String>fromElements(Flux.never()).keyBy(JoinScript::key);
        assertThatThrownBy(() -> plain.join(corrected.keyBy(WindowResult::key)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the stage before the right side of a join takes results back, and what is joined is not: use an"
                                + " allowed lateness of 0 and no early results before it");
        assertThatThrownBy(() -> corrected.keyBy(WindowResult::key).join(plain))
                .hasMessageContaining("the stage before the left side");
        assertThatThrownBy(() -> plain.join(
                        EventFlux.<String>fromElements(Flux.never()).keyBy(new OtherKeys(), JoinScript::key)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key both with the same one");
    }

    @Test
    void anExplanationSaysWhichStreamHoldsTheWatermark() {
        JoinScript script = new JoinScript();
        List<LiveExplanation> live = new ArrayList<>();
        script.start(joined -> joined.within(Duration.ofMillis(2), Duration.ofMillis(3))
                .explainTo(live::add)
                .left(JoinScript::pair));
        script.left("a:l@10").leftSays(new Watermark<>(30)).right("a:r@9").rightSays(new Watermark<>(6));
        Explanation explanation = live.get(0).explain().block(Duration.ofSeconds(20));
        assertThat(explanation.watermark()).isEqualTo(6);
        assertThat(explanation.origin().holders()).singleElement().satisfies(holder -> assertThat(holder.partition())
                .isEqualTo(1));
        assertThat(explanation.origin().partitions())
                .extracting(PartitionProgress::watermark)
                .containsExactly(30L, 6L);
    }

    @Test
    void aFunctionThatFailsOnAnEventLeavesNothingOfItBehind() {
        List<FunctionFailure> failures = new ArrayList<>();
        ManualSource<StreamElement<String>> leftEvents = new ManualSource<>();
        ManualSource<StreamElement<String>> rightEvents = new ManualSource<>();
        List<String> out = new ArrayList<>();
        List<LiveCounters> counters = new ArrayList<>();
        EventFlux.fromElements(leftEvents)
                .onFailure(FailurePolicy.deadLetterTo(failures::add))
                .keyBy(JoinScript::key)
                .join(EventFlux.fromElements(rightEvents).keyBy(JoinScript::key))
                .within(Duration.ofMillis(2), Duration.ofMillis(3))
                .countersTo(counters::add)
                .full((l, r) -> {
                    if ("a:poison@10".equals(l) || "a:lonely@50".equals(r)) {
                        throw new IllegalStateException("broken");
                    }
                    return JoinScript.pair(l, r);
                })
                .elements()
                .subscribe(element -> JoinScript.texts(out, element));
        rightEvents.next(text("a:r@10"));
        leftEvents.next(text("a:poison@10"));
        leftEvents.next(text("a:l@11"));
        rightEvents.next(text("a:lonely@50"));
        leftEvents.next(new Watermark<>(Watermark.END));
        rightEvents.next(new Watermark<>(Watermark.END));
        assertThat(out).containsExactly("a:l@11+a:r@10@11", "W" + Watermark.END);
        assertThat(failures).extracting(FunctionFailure::event).containsExactly("a:poison@10", "a:lonely@50");
        assertThat(failures).extracting(FunctionFailure::operator).containsOnly("join-1");
        Counters counts = counters.get(0).snapshot();
        assertThat(counts.get(Counter.FAILED)).isEqualTo(1);
        assertThat(counts.get(Counter.FAILED_TIMERS)).isEqualTo(1);
        assertThat(counts.sumHolds()).isTrue();
    }

    private record OtherKeys() implements KeyCodec<String> {

        @Override
        public String id() {
            return "other";
        }

        @Override
        public byte[] encode(String key) {
            return key.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public Comparator<String> order() {
            return Comparator.naturalOrder();
        }
    }

    private static EventBatch<String> text(String event) {
        return EventBatch.<String>builder()
                .add(event, JoinScript.time(event), Watermark.NONE)
                .build(Watermark.NONE);
    }
}
