package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.subscriber.TestSubscriber;

/** How lanes behind a split get on with each other, with the upstream, and with an end. */
class ParallelLanesTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int ROUNDS = THOROUGH ? 5_000 : 200;
    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));
    private static final Duration WAIT = Duration.ofSeconds(20);

    /** The workers of a split: its own, and those of its lanes. */
    private static final int SECOND_LANE = 2;

    @AfterEach
    void resetHooks() {
        Hooks.resetOnErrorDropped();
    }

    private static EventFlux<Integer> numbers(Flux<Integer> source, int run) {
        return EventFlux.from(source, run)
                .watermarksMillis(number -> number / 100L, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO));
    }

    private static KeyedFlux<String, Integer> keyed(Flux<Integer> source, int run) {
        return numbers(source, run).keyBy(number -> "k" + number % 50);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, Long.MAX_VALUE})
    void aLaneThatStandsHoldsTheSourceBackAndNothingIsLost(long demand) {
        int count = 400_000;
        AtomicInteger emitted = new AtomicInteger();
        HandScheduler hand = new HandScheduler();
        TestSubscriber<StreamElement<WindowResult<String, Long>>> subscriber =
                TestSubscriber.builder().initialRequest(demand).build();
        keyed(Flux.range(0, count).doOnNext(number -> emitted.incrementAndGet()), EventBatch.MAX_SIZE)
                .parallel(2, hand)
                .window(TEN)
                .aggregate(Aggregations.counting())
                .elements()
                .subscribe(subscriber);
        assertThat(hand.workers()).isEqualTo(3);
        hand.runAllBut(SECOND_LANE);
        int most = (SplitLane.DEPTH + 2) * KeyGroups.COUNT * EventBatch.MAX_SIZE + 8 * EventBatch.MAX_SIZE;
        assertThat(emitted.get())
                .as("taken while one of two lanes stands")
                .isPositive()
                .isLessThan(most);
        assertThat(subscriber.getReceivedOnNext())
                .as("handed on before all lanes")
                .isEmpty();
        while (!subscriber.isTerminated()) {
            boolean worked = hand.runAllBut(-1);
            assertThat(worked || subscriber.getReceivedOnNext().size() > 0).isTrue();
            subscriber.request(1);
        }
        assertThat(emitted).hasValue(count);
        long counted = 0;
        for (StreamElement<WindowResult<String, Long>> element : subscriber.getReceivedOnNext()) {
            if (element instanceof EventBatch<WindowResult<String, Long>> run) {
                for (int i = 0; i < run.size(); i++) {
                    counted += run.value(i).value();
                }
            }
        }
        assertThat(counted).isEqualTo(count);
        hand.runAllBut(-1);
        assertThat(hand.disposed()).as("workers let go of").isEqualTo(3);
    }

    @Test
    void withoutDemandLanesTakeNoMoreThanTheyMayHold() {
        AtomicInteger emitted = new AtomicInteger();
        HandScheduler hand = new HandScheduler();
        TestSubscriber<StreamElement<WindowResult<String, Long>>> subscriber =
                TestSubscriber.builder().initialRequest(0).build();
        keyed(Flux.range(0, 2_000_000).doOnNext(number -> emitted.incrementAndGet()), EventBatch.MAX_SIZE)
                .parallel(2, hand)
                .window(TEN)
                .aggregate(Aggregations.counting())
                .elements()
                .subscribe(subscriber);
        hand.runAllBut(-1);
        int stretches = GroupOutlet.PREFETCH + WindowOperator.PREFETCH + SplitLane.DEPTH + 3;
        assertThat(emitted.get()).isPositive().isLessThan(stretches * KeyGroups.COUNT * EventBatch.MAX_SIZE);
        subscriber.cancel();
        hand.runAllBut(-1);
        assertThat(hand.disposed()).isEqualTo(3);
    }

    @Test
    void theFirstFailureOfALaneEndsTheStreamOnceAndCancelsTheSource() {
        List<Throwable> dropped = Collections.synchronizedList(new ArrayList<>());
        Hooks.onErrorDropped(dropped::add);
        for (int round = 0; round < ROUNDS; round++) {
            AtomicInteger cancels = new AtomicInteger();
            CountDownLatch ended = new CountDownLatch(1);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicInteger ends = new AtomicInteger();
            int from = round % 3_000;
            keyed(Flux.range(0, Integer.MAX_VALUE).doOnCancel(cancels::incrementAndGet), 7)
                    .parallel(4, Schedulers.parallel())
                    .window(TEN)
                    .aggregate(Aggregations.summingLong(number -> {
                        if (number > from) {
                            throw new IllegalStateException("lane");
                        }
                        return number;
                    }))
                    .elements()
                    .subscribe(
                            element -> {},
                            error -> {
                                failure.set(error);
                                ends.incrementAndGet();
                                ended.countDown();
                            },
                            ended::countDown);
            await(ended);
            assertThat(failure.get()).isInstanceOf(IllegalStateException.class).hasMessage("lane");
            assertThat(ends).hasValue(1);
            assertThat(cancels.get()).isPositive();
        }
        assertThat(dropped).as("what other lanes have failed with").allSatisfy(error -> assertThat(error)
                .hasMessage("lane"));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whateverACancelMeetsIsAddedOrDiscarded() {
        for (int round = 0; round < ROUNDS; round++) {
            int until = 1 + round * 37 % 9_000;
            AtomicLong emitted = new AtomicLong();
            AtomicLong added = new AtomicLong();
            AtomicLong discarded = new AtomicLong();
            CountDownLatch reached = new CountDownLatch(1);
            TestSubscriber<StreamElement<WindowResult<String, Long>>> subscriber = TestSubscriber.create();
            // Window results that are let go of are discarded too, and are not numbers.
            keyed(
                            Flux.range(0, 1_000_000).doOnNext(number -> {
                                emitted.incrementAndGet();
                                if (number == until) {
                                    reached.countDown();
                                }
                            }),
                            1 + round % 256)
                    .parallel(1 + round % 4, Schedulers.parallel())
                    .window(TEN)
                    .aggregate(Aggregations.summingLong(number -> {
                        added.incrementAndGet();
                        return number;
                    }))
                    .elements()
                    .doOnDiscard(Integer.class, number -> discarded.incrementAndGet())
                    .subscribeOn(Schedulers.boundedElastic())
                    .subscribe(subscriber);
            await(reached);
            subscriber.cancel();
            long deadline = System.nanoTime() + WAIT.toNanos();
            while (added.get() + discarded.get() != emitted.get()) {
                assertThat(System.nanoTime())
                        .as(
                                "round %d: %d emitted, %d added, %d discarded",
                                round, emitted.get(), added.get(), discarded.get())
                        .isLessThan(deadline);
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void anErrorOfTheSourceComesBehindTheResultsOfWhatCameBefore() {
        Flux<Integer> failing = Flux.range(0, 10_000).concatWith(Flux.error(new IllegalStateException("source")));
        for (int lanes = 1; lanes <= 3; lanes++) {
            List<WindowResult<String, Long>> results = new ArrayList<>();
            Flux<WindowResult<String, Long>> flux = keyed(failing, 64)
                    .parallel(lanes, Schedulers.parallel())
                    .window(TEN)
                    .aggregate(Aggregations.counting())
                    .toFlux()
                    .doOnNext(results::add);
            assertThatThrownBy(() -> flux.blockLast(WAIT)).hasMessage("source");
            assertThat(results).as("%d lanes", lanes).hasSize(450);
        }
    }

    @Test
    void earlyResultsOfTheClockComeWhileEventsWaitForMore() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        ManualSource<Integer> source = new ManualSource<>();
        List<WindowResult<String, Long>> results = new ArrayList<>();
        numbers(source, 1)
                .keyBy(number -> "k" + number % 50)
                .parallel(3)
                .window(TEN.early(Early.every(Duration.ofSeconds(1))))
                .aggregate(Aggregations.counting())
                .elements(() -> LaneContext.local(clock))
                .transform(EventTime.values())
                .subscribe(results::add);
        for (int number = 0; number < 60; number++) {
            source.next(number);
        }
        assertThat(results).isEmpty();
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(results).hasSize(50).allMatch(result -> result.kind() == WindowResult.Kind.EARLY);
        assertThat(results.stream().mapToLong(WindowResult::value).sum()).isEqualTo(60);
        source.next(60);
        source.complete();
        assertThat(results.subList(50, results.size()))
                .extracting(result -> result.kind() + " " + result.key() + " " + result.value())
                .containsExactly("RETRACT k10 1", "ON_TIME k10 2");
    }

    @Test
    void moreEarlyResultsThanARunHoldsComeAtOnce() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        ManualSource<Integer> source = new ManualSource<>();
        List<WindowResult<Integer, Long>> results = new ArrayList<>();
        numbers(source, 1)
                .keyBy(number -> number)
                .parallel(3)
                .window(TEN.early(Early.every(Duration.ofSeconds(1))))
                .aggregate(Aggregations.counting())
                .elements(() -> LaneContext.local(clock))
                .transform(EventTime.values())
                .subscribe(results::add);
        for (int number = 0; number < 900; number++) {
            source.next(number);
        }
        clock.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(results).hasSize(900);
        assertThat(results.stream().map(WindowResult::key).distinct()).hasSize(900);
    }

    @Test
    void whyNothingFiresIsSaidOfAllGroupsTogether() {
        List<LiveExplanation> explanations = new ArrayList<>();
        ManualSource<Integer> source = new ManualSource<>();
        numbers(source, 1)
                .keyBy(number -> "k" + number % 50)
                .parallel(2, Schedulers.immediate())
                .window(TEN)
                .explainTo(explanations::add)
                .aggregate(Aggregations.counting())
                .elements()
                .subscribe();
        for (int number = 0; number < 100; number++) {
            source.next(number);
        }
        assertThat(explanations).hasSize(1);
        Explanation explanation = explanations.get(0).explain().block(WAIT);
        assertThat(explanation.operator()).isEqualTo("window-2");
        assertThat(explanation.state()).isEqualTo(Explanation.State.RUNNING);
        assertThat(explanation.openWindows()).isEqualTo(1);
        assertThat(explanation.entries()).isEqualTo(50);
        assertThat(explanation.next()).isEqualTo(new TimeWindow(0, 10));
        assertThat(explanation.watermark()).isEqualTo(-1);
        assertThat(explanation.origin()).isNotNull();
    }

    @Test
    void countersAreThoseOfAllGroups() {
        AtomicReference<LiveCounters> counters = new AtomicReference<>();
        keyed(Flux.range(0, 10_000), 100)
                .parallel(2, Schedulers.parallel())
                .window(TEN)
                .countersTo(counters::set)
                .aggregate(Aggregations.counting())
                .toFlux()
                .blockLast(WAIT);
        Counters counted = counters.get().snapshot();
        assertThat(counted.get(Counter.INGESTED)).isEqualTo(10_000);
        assertThat(counted.get(Counter.FIRES_ON_TIME)).isEqualTo(500);
        assertThat(counted.sumHolds()).isTrue();
    }

    @Test
    void whatCantBeDividedIsRefusedAtAssembly() {
        KeyedFlux<String, Integer> keyed = keyed(Flux.range(0, 10), 1);
        assertThatThrownBy(() -> keyed.parallel(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1..16 lanes but were to be among 0");
        assertThatThrownBy(() -> keyed.parallel(17)).hasMessageContaining("17");
        assertThatThrownBy(() -> keyed.parallel(2)
                        .window(TEN.ceiling(new Ceiling(5, Ceiling.Policy.REFUSE)))
                        .aggregate(Aggregations.counting()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ceiling");
        EventFlux<Integer> failing = numbers(Flux.range(0, 10), 1)
                .onFailure(FailurePolicy.deadLetterTo(failure -> {}))
                .map(number -> number);
        assertThatThrownBy(() -> failing.keyBy(number -> "k" + number)
                        .parallel(2)
                        .window(TEN)
                        .aggregate(Aggregations.counting())
                        .map(result -> result))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another one behind them");
    }
}
