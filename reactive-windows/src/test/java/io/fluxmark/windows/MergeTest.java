package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.test.subscriber.TestSubscriber;

/** Several sources merged in event time, in virtual time, with the numbers of the semantics (S25-S33). */
class MergeTest {

    private static final WatermarkSpec FIVE = WatermarkSpec.boundedOutOfOrderness(millis(5));
    private static final WatermarkSpec EXACT = WatermarkSpec.ascending();

    private final List<ManualSource<Long>> sources = new ArrayList<>();
    private final List<InvalidEvent> invalid = new ArrayList<>();
    private final TestLane lane = new TestLane();
    private final AtomicReference<LiveExplanation> live = new AtomicReference<>();

    @AfterEach
    void resetHooks() {
        Hooks.resetOnErrorDropped();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static Flux<Long> of(long... times) {
        return Flux.fromStream(() -> LongStream.of(times).boxed());
    }

    private Flux<StreamElement<Long>> merge(List<? extends Publisher<Long>> merged, WatermarkSpec spec) {
        return EventTime.merge(merged, 4, Long::longValue, spec, invalid::add, lane);
    }

    private static <T> TestSubscriber<T> subscribe(Flux<T> flux, long demand) {
        TestSubscriber<T> subscriber =
                TestSubscriber.builder().initialRequest(demand).build();
        flux.subscribe(subscriber);
        return subscriber;
    }

    /** A merge of so many sources that do what the test says. */
    private TestSubscriber<StreamElement<Long>> open(int partitions, WatermarkSpec spec, long demand) {
        for (int p = 0; p < partitions; p++) {
            sources.add(new ManualSource<>());
        }
        return subscribe(merge(sources, spec), demand);
    }

    private TestSubscriber<StreamElement<Long>> open(int partitions, WatermarkSpec spec) {
        return open(partitions, spec, Long.MAX_VALUE);
    }

    private void event(int partition, long... times) {
        for (long time : times) {
            sources.get(partition).next(time);
        }
    }

    private void after(long millis) {
        lane.clock.advanceTimeBy(millis(millis));
    }

    private static String text(long watermark) {
        return watermark == Watermark.NONE ? "none" : watermark == Watermark.END ? "end" : "" + watermark;
    }

    /** What came: runs as their times, with the watermark behind them; watermarks with their reason; idleness. */
    private static List<String> seen(TestSubscriber<?> subscriber) {
        List<String> seen = new ArrayList<>();
        for (Object element : subscriber.getReceivedOnNext()) {
            if (element instanceof EventBatch<?> run) {
                seen.add(times(run) + ">" + text(run.watermarkAfter()));
            } else if (element instanceof Watermark<?> watermark) {
                seen.add("W" + text(watermark.timestamp()) + (watermark.byTimeout() ? "!" : ""));
            } else if (element instanceof Idle<?> idle) {
                seen.add(idle.idle() ? "idle" : "active");
            }
        }
        return seen;
    }

    private static List<Long> times(EventBatch<?> run) {
        return IntStream.range(0, run.size()).mapToObj(run::timestamp).toList();
    }

    private static List<String> before(EventBatch<?> run) {
        return IntStream.range(0, run.size())
                .mapToObj(i -> text(run.watermarkBefore(i)))
                .toList();
    }

    private List<String> windows(Flux<StreamElement<Long>> timed, WindowSpec windows) {
        return EventFlux.fromElements(timed)
                .keyBy(time -> "k")
                .window(windows)
                .aggregate(Aggregations.counting())
                .toFlux()
                .map(result -> WindowScript.text(result) + (result.byTimeout() ? "!" : ""))
                .collectList()
                .block(Duration.ofSeconds(10));
    }

    @Test
    void theEarliestAtHandIsReadFirstAndOfEqualOnesTheFirstSources() {
        Flux<String> first = Flux.just("a1", "a4", "a5", "a9");
        Flux<String> second = Flux.just("b1", "b2", "b5");
        Flux<String> third = Flux.just("c0", "c5");
        assertThat(EventFlux.merge(List.of(first, second, third), text -> Long.parseLong(text.substring(1)), EXACT)
                        .toFlux()
                        .collectList()
                        .block())
                .containsExactly("c0", "a1", "b1", "b2", "a4", "a5", "b5", "c5", "a9");
    }

    @Test
    void s25EveryEventCarriesTheSmallestWatermarkOfTheSourcesBeforeIt() {
        TestSubscriber<StreamElement<Long>> subscriber = subscribe(merge(List.of(of(10, 20, 30), of(5, 25)), EXACT), 1);
        EventBatch<Long> run = (EventBatch<Long>) subscriber.getReceivedOnNext().get(0);
        assertThat(times(run)).containsExactly(5L, 10L, 20L, 25L, 30L);
        assertThat(before(run))
                .as("25 is the second's last: from then on only the first holds")
                .containsExactly("none", "none", "4", "4", "19");
        assertThat(run.watermarkAfter()).isEqualTo(Watermark.END);
        assertThat(subscriber.isTerminatedComplete()).isTrue();
    }

    @Test
    void s25ASourceWithoutAnEventYetHoldsAndOneThatIsSlowIsNotWaitedFor() {
        TestSubscriber<StreamElement<Long>> subscriber = open(2, FIVE);
        event(0, 100);
        event(0, 110);
        assertThat(seen(subscriber)).containsExactly("[100]>none", "[110]>none");
        event(1, 40);
        assertThat(seen(subscriber)).endsWith("[40]>34");
        event(1, 36);
        assertThat(((EventBatch<Long>) subscriber.getReceivedOnNext().get(3)).watermarkBefore(0))
                .as("what the slow one brings is judged by its own watermark, and not by the fast one's")
                .isEqualTo(34);
    }

    @Test
    void s27s28AnIdleSourceHoldsNothingAndReadingAnotherKeepsItNotActive() {
        TestSubscriber<StreamElement<Long>> subscriber = open(2, FIVE.idleAfter(millis(10)));
        event(1, 40);
        for (int i = 0; i < 10; i++) {
            event(0, 100 + i);
            after(1);
        }
        assertThat(seen(subscriber)).hasSize(12).contains("[109]>34").endsWith("W103!");
        event(1, 50);
        assertThat(seen(subscriber)).endsWith("[50]>103");
        event(0, 120);
        assertThat(seen(subscriber)).endsWith("[120]>103");
        event(1, 130);
        assertThat(seen(subscriber)).endsWith("[130]>114");
    }

    @Test
    void s28BackPressureStopsTheClock() {
        TestSubscriber<StreamElement<Long>> subscriber = open(2, FIVE.idleAfter(millis(30_000)), 2);
        event(0, 100);
        event(1, 40);
        after(60_000);
        assertThat(seen(subscriber)).containsExactly("[100]>none", "[40]>34");
        subscriber.request(10);
        after(29_999);
        assertThat(seen(subscriber)).hasSize(2);
        after(1);
        assertThat(seen(subscriber)).containsExactly("[100]>none", "[40]>34", "W94!", "idle");
    }

    @Test
    void s28ReadingOthersAndADownstreamThatTakesItsTimeStopTheClock() {
        sources.addAll(List.of(new ManualSource<>(), new ManualSource<>()));
        Flux<Long> backlog = Flux.range(100, 1_000).map(Integer::longValue).concatWith(Flux.never());
        List<Object> controls = new ArrayList<>();
        merge(List.of(backlog, sources.get(0)), FIVE.idleAfter(millis(30_000))).subscribe(element -> {
            if (element instanceof EventBatch<?>) {
                after(60_000);
            } else {
                controls.add(element);
            }
        });
        assertThat(lane.clock.now(TimeUnit.MINUTES)).isEqualTo(4);
        after(29_999);
        assertThat(controls).isEmpty();
        after(1);
        assertThat(controls).containsExactly(new Watermark<>(1_093, true), new Idle<>(true));
    }

    @Test
    void s28ASourceWithUnreadRecordsIsNeverIdle() {
        lane.lag = 1_000;
        TestSubscriber<StreamElement<Long>> subscriber = open(2, FIVE.idleAfter(millis(30_000)));
        event(0, 100);
        event(1, 40);
        after(60_000);
        for (int i = 0; i < 1_000; i++) {
            lane.lag--;
            event(1, 50 + i % 10);
        }
        assertThat(seen(subscriber)).hasSize(1_002).endsWith("[59]>53");
        after(29_999);
        assertThat(seen(subscriber)).hasSize(1_002);
        after(1);
        assertThat(seen(subscriber)).endsWith("W94!", "idle");
    }

    @Test
    void s30AllIdleHoldTheLargestAndTheReturnIsTold() {
        TestSubscriber<StreamElement<Long>> subscriber = open(2, EXACT.idleAfter(millis(10)));
        event(0, 11);
        event(1, 21);
        after(1_000_000);
        assertThat(seen(subscriber)).containsExactly("[11]>none", "[21]>10", "W20!", "idle");
        event(0, 30);
        assertThat(seen(subscriber)).endsWith("idle", "active", "[30]>29");
    }

    @Test
    void s30TheClockIsFollowedWhereThatWasChosen() {
        TestSubscriber<StreamElement<Long>> subscriber = open(2, FIVE.followClockWhenIdle(millis(10)));
        event(0, 12);
        event(1, 15);
        after(11);
        assertThat(seen(subscriber)).containsExactly("[12]>none", "[15]>6", "W19!", "W20!");
    }

    @Test
    void s31ASourceThatCompletesHoldsNoLongerAndIsNeverTheEndWhileOthersAreIdle() {
        TestSubscriber<StreamElement<Long>> subscriber = open(3, EXACT.idleAfter(millis(10)));
        event(0, 11);
        event(1, 21);
        sources.get(2).complete();
        assertThat(seen(subscriber)).containsExactly("[11]>none", "[21]>none", "W10");
        sources.get(0).complete();
        assertThat(seen(subscriber)).endsWith("W10", "W20");
        after(10);
        assertThat(seen(subscriber)).endsWith("W20", "idle");
        sources.get(1).complete();
        assertThat(seen(subscriber)).endsWith("idle", "Wend");
        assertThat(subscriber.isTerminatedComplete()).isTrue();
    }

    @Test
    void s32OfEmptySourcesNothingIsLeftButTheEnd() {
        TestSubscriber<StreamElement<Long>> subscriber = subscribe(merge(List.of(of(), of()), EXACT), 0);
        assertThat(subscriber.isTerminated()).isFalse();
        subscriber.request(1);
        assertThat(seen(subscriber)).containsExactly("Wend");
        assertThat(subscriber.isTerminatedComplete()).isTrue();
    }

    @Test
    void s33AnErrorOfOneCancelsTheOthersAndComesBehindWhatCameBefore() {
        TestSubscriber<StreamElement<Long>> subscriber = open(3, EXACT, 1);
        sources.get(2).complete();
        event(0, 11, 12, 13);
        event(1, 21);
        IllegalStateException failure = new IllegalStateException("source 0");
        sources.get(0).fail(failure);
        assertThat(sources.get(1).cancels).hasValue(1);
        assertThat(subscriber.isTerminated()).as("three events wait for demand").isFalse();
        subscriber.request(1);
        assertThat(seen(subscriber)).containsExactly("[11]>none", "[12, 13, 21]>12");
        assertThat(subscriber.expectTerminalError()).isSameAs(failure);
    }

    @Test
    void aSecondErrorIsDroppedAndNotLost() {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        TestSubscriber<StreamElement<Long>> subscriber = open(2, EXACT);
        IllegalStateException first = new IllegalStateException("first");
        IllegalStateException second = new IllegalStateException("second");
        sources.get(1).fail(first);
        sources.get(0).fail(second);
        assertThat(subscriber.expectTerminalError()).isSameAs(first);
        assertThat(dropped).containsExactly(second);
    }

    @Test
    void aCancelCancelsAllAndDiscardsWhatWaits() {
        List<Object> discarded = new ArrayList<>();
        sources.addAll(List.of(new ManualSource<>(), new ManualSource<>(), new ManualSource<>()));
        TestSubscriber<StreamElement<Long>> subscriber =
                subscribe(merge(sources, EXACT.idleAfter(millis(10))).doOnDiscard(Long.class, discarded::add), 1);
        event(0, 1);
        event(0, 2, 3, 4);
        event(1, 5);
        assertThat(subscriber.getReceivedOnNext()).hasSize(1);
        subscriber.cancel();
        event(2, 6);
        assertThat(sources).allSatisfy(source -> assertThat(source.cancels).hasValue(1));
        assertThat(discarded).containsExactly(2L, 3L, 4L, 5L, 6L);
        assertThat(lane.timers()).isZero();
    }

    @Test
    void whatIsHeldWhereUserCodeFailsIsDiscardedOnce() {
        List<Object> discarded = new ArrayList<>();
        TestSubscriber<StreamElement<Long>> subscriber = TestSubscriber.create();
        EventTime.merge(
                        List.of(of(1, 2, 3), of(4, Long.MAX_VALUE, 6)),
                        4,
                        Long::longValue,
                        EXACT,
                        rejected -> {
                            throw new IllegalStateException("the invalid output");
                        },
                        lane)
                .doOnDiscard(Long.class, discarded::add)
                .subscribe(subscriber);
        assertThat(subscriber.expectTerminalError()).hasMessage("the invalid output");
        assertThat(subscriber.getReceivedOnNext()).isEmpty();
        assertThat(discarded).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, Long.MAX_VALUE, 6L);
    }

    @Test
    void aCancelWhileSourcesAreSubscribedToLeavesTheRestAlone() {
        List<ManualSource<Long>> later = List.of(new ManualSource<>(), new ManualSource<>());
        TestSubscriber<StreamElement<Long>> subscriber =
                TestSubscriber.builder().initialRequest(0).build();
        Flux<Long> cancelling = Flux.defer(() -> {
            subscriber.cancel();
            return Flux.never();
        });
        merge(List.of(later.get(0), cancelling, later.get(1)), EXACT).subscribe(subscriber);
        assertThat(later.get(0).cancels).hasValue(1);
        assertThat(later.get(1).requested).hasValue(0);
    }

    @Test
    void noMoreIsRequestedAheadThanDeclaredAndAllOfItOnceItIsTaken() {
        TestSubscriber<StreamElement<Long>> subscriber = open(2, EXACT, 0);
        assertThat(sources).allSatisfy(source -> assertThat(source.requested).hasValue(4));
        event(0, 1, 2, 3, 4);
        event(1, 1);
        assertThat(sources.get(0).requested).hasValue(4);
        subscriber.request(1);
        assertThat(seen(subscriber)).containsExactly("[1, 1, 2, 3, 4]>0");
        assertThat(sources.get(0).requested).as("3 of 4, then 1 of the next 3").hasValue(7);
        assertThat(sources.get(1).requested).hasValue(4);
    }

    @Test
    void oneElementOfDemandIsOneRunOfAtMost256EventsOfWhateverSources() {
        List<Flux<Long>> hundreds = IntStream.range(0, 5)
                .mapToObj(p -> Flux.range(0, 100).map(i -> 10L * i + p))
                .toList();
        TestSubscriber<StreamElement<Long>> subscriber = subscribe(merge(hundreds, EXACT), 1);
        assertThat(subscriber.getReceivedOnNext()).hasSize(1);
        EventBatch<?> run = (EventBatch<?>) subscriber.getReceivedOnNext().get(0);
        assertThat(run.size()).isEqualTo(256);
        subscriber.request(1);
        assertThat(subscriber.isTerminatedComplete()).isTrue();
        assertThat(lane.count(Counter.INGESTED)).isEqualTo(500);
    }

    @Test
    void aThousandSourcesAreReadInOrderOfTimeAndOneMoreIsRefused() {
        List<Flux<Long>> many = IntStream.range(0, EventTime.MAX_SOURCES)
                .mapToObj(p -> Flux.just((long) p, 5_000L - p))
                .toList();
        List<Long> read =
                merge(many, EXACT).transform(EventTime.values()).collectList().block(Duration.ofSeconds(10));
        assertThat(read).hasSize(2 * EventTime.MAX_SOURCES).isSorted();

        List<Flux<Long>> tooMany = new ArrayList<>(many);
        tooMany.add(of());
        assertThatThrownBy(() -> merge(tooMany, EXACT)).hasMessageContaining("1..1024 sources but was given 1025");
        assertThatThrownBy(() -> merge(List.of(), EXACT)).hasMessageContaining("but was given 0");
        for (int prefetch : new int[] {0, 257}) {
            assertThatThrownBy(() -> EventTime.merge(many, prefetch, Long::longValue, EXACT, invalid::add, lane))
                    .hasMessageContaining("1..256 values ahead of each source but was to request " + prefetch);
        }
        assertThatThrownBy(() -> merge(Collections.singletonList(null), EXACT))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("source");
    }

    @Test
    void s36WhatHasNoTimeIsRejectedAndTheOthersOfItsSourceAreKept() {
        Flux<Long> poisoned = of(1, Long.MAX_VALUE, 3, Long.MIN_VALUE);
        assertThat(windows(merge(List.of(poisoned, of(2)), FIVE), WindowSpec.tumbling(millis(10))))
                .containsExactly("+[0,10):3");
        assertThat(invalid).extracting(InvalidEvent::event).containsExactly(Long.MAX_VALUE, Long.MIN_VALUE);
        assertThat(lane.count(Counter.REJECTED)).isEqualTo(2);
        assertThat(lane.count(Counter.INGESTED)).isEqualTo(5);
    }

    @Test
    void s36AnEventBeyondTheGuardNeitherMovesTheWatermarkNorStandsBeforeItsSuccessors() {
        WatermarkSpec guarded = EXACT.maxAhead(millis(60)).onFarFuture(WatermarkSpec.FarFuture.HOLD_WATERMARK);
        TestSubscriber<StreamElement<Long>> subscriber =
                subscribe(merge(List.of(of(1, 1_000_000, 3), of(2, 4)), guarded), 1);
        EventBatch<?> run = (EventBatch<?>) subscriber.getReceivedOnNext().get(0);
        assertThat(times(run)).containsExactly(1L, 1_000_000L, 2L, 3L, 4L);
        assertThat(before(run)).containsExactly("none", "none", "none", "0", "1");
    }

    @Test
    void aMergeTellsWhatItIsMadeOf() {
        TestSubscriber<StreamElement<Long>> subscriber = open(2, EXACT, 0);
        event(0, 1, 2);
        event(1, 3);
        Scannable operator =
                Scannable.from(Scannable.from(sources.get(0).subscriber()).scan(Scannable.Attr.ACTUAL));
        assertThat(operator.inners()).hasSize(2);
        assertThat(operator.scan(Scannable.Attr.BUFFERED)).isEqualTo(3);
        assertThat(operator.scan(Scannable.Attr.PREFETCH)).isEqualTo(4);
        Scannable source = Scannable.from(sources.get(0).subscriber());
        assertThat(source.scan(Scannable.Attr.BUFFERED)).isEqualTo(2);
        assertThat(source.scan(Scannable.Attr.PREFETCH)).isEqualTo(4);
        assertThat(source.scan(Scannable.Attr.TERMINATED)).isFalse();
        sources.forEach(ManualSource::complete);
        assertThat(source.scan(Scannable.Attr.TERMINATED)).as("two values wait").isFalse();
        assertThat(operator.scan(Scannable.Attr.TERMINATED)).isFalse();
        subscriber.request(1);
        assertThat(source.scan(Scannable.Attr.TERMINATED)).isTrue();
        assertThat(operator.scan(Scannable.Attr.TERMINATED)).isTrue();
    }

    /** The results of windows over what the sources of {@link #open} will send. */
    private TestSubscriber<WindowResult<String, Long>> openWindows(
            int partitions, WatermarkSpec spec, WindowSpec windows) {
        for (int p = 0; p < partitions; p++) {
            sources.add(new ManualSource<>());
        }
        return subscribe(
                EventFlux.fromElements(merge(sources, spec))
                        .keyBy(time -> time == 100 ? "B" : "A")
                        .window(windows)
                        .explainTo(live::set)
                        .aggregate(Aggregations.counting())
                        .toFlux(),
                Long.MAX_VALUE);
    }

    private static List<String> results(TestSubscriber<WindowResult<String, Long>> subscriber) {
        return subscriber.getReceivedOnNext().stream()
                .map(result -> result.key() + WindowScript.text(result))
                .toList();
    }

    @Test
    void c01WhatIsMergedStaysWhileSourcesThatNeverHadAnEventHoldIt() {
        TestSubscriber<WindowResult<String, Long>> merged =
                openWindows(3, EXACT.idleAfter(Duration.ofSeconds(30)), WindowSpec.tumbling(millis(10)));
        event(0, 1, 25);
        assertThat(live.get().explain().block().holders())
                .extracting(PartitionProgress::partition)
                .containsExactly(1, 2);
        sources.get(1).complete();
        after(29_999);
        assertThat(results(merged)).as("one has ended, the other holds").isEmpty();
        after(1);
        assertThat(results(merged)).containsExactly("A+[0,10):1");
    }

    @Test
    void c01ASourceOfItsOwnNeedsNoOther() {
        TestSubscriber<WindowResult<String, Long>> own = openWindows(1, EXACT, WindowSpec.tumbling(millis(10)));
        event(0, 1, 25);
        assertThat(results(own)).containsExactly("A+[0,10):1");
    }

    @Test
    void c04AnyKeysEventMovesTheWatermarkThatClosesAnothersSession() {
        TestSubscriber<WindowResult<String, Long>> sessions = openWindows(1, EXACT, WindowSpec.session(millis(5)));
        event(0, 0, 3);
        assertThat(results(sessions)).isEmpty();
        event(0, 100);
        assertThat(results(sessions)).containsExactly("A+[0,8):2");
    }

    @Test
    void c07WatermarksFlowWhereNothingIsKept() {
        TestSubscriber<StreamElement<Long>> subscriber = TestSubscriber.create();
        Flux<Long> hundred = Flux.range(1, 100).map(Integer::longValue).concatWith(Flux.never());
        EventFlux.merge(List.of(hundred, hundred), Long::longValue, EXACT)
                .filter(time -> false)
                .elements()
                .subscribe(subscriber);
        assertThat(seen(subscriber)).last().isEqualTo("W99");
        assertThat(seen(subscriber)).allMatch(element -> element.startsWith("W"));
    }

    @Test
    void c08ASingleEventFiresAtTheEnd() {
        assertThat(windows(merge(List.of(of(3), of()), EXACT), WindowSpec.tumbling(millis(10))))
                .containsExactly("+[0,10):1");
    }
}
