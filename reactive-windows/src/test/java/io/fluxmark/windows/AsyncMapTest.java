package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.subscriber.TestSubscriber;

/** Calls that answer when the test says so. */
class AsyncMapTest {

    private static final WatermarkSpec SPEC = WatermarkSpec.ascending();

    private final TestLane lane = new TestLane();

    /** What is under way, by the event, in the order of the calls. */
    private final Map<Integer, Sinks.One<String>> calls = new LinkedHashMap<>();

    private final List<Integer> cancelled = new ArrayList<>();

    private Mono<String> call(int event) {
        Sinks.One<String> call = Sinks.one();
        calls.put(event, call);
        return call.asMono().doOnCancel(() -> cancelled.add(event));
    }

    private void answer(int... events) {
        for (int event : events) {
            calls.remove(event).tryEmitValue("r" + event).orThrow();
        }
    }

    private static EventFlux<Integer> upTo(int count, WatermarkSpec spec) {
        return EventFlux.from(Flux.range(1, count)).watermarksMillis(Integer::longValue, spec);
    }

    private static TestSubscriber<Object> subscribe(Flux<?> flux) {
        TestSubscriber<Object> subscriber = TestSubscriber.create();
        flux.cast(Object.class).subscribe(subscriber);
        return subscriber;
    }

    @Test
    void resultsKeepTheOrderOfTheEventsInWhateverOrderTheyCome() {
        TestSubscriber<Object> subscriber = subscribe(
                upTo(3, SPEC).mapAsync(3, this::call).elements(() -> lane).transform(EventTime.values()));
        answer(3);
        answer(1);
        assertThat(subscriber.getReceivedOnNext()).isEmpty();
        answer(2);
        assertThat(subscriber.getReceivedOnNext()).containsExactly("r1", "r2", "r3");
        assertThat(subscriber.isTerminatedComplete()).isTrue();
    }

    @Test
    void sourcesMakeRunsOfTheAnnouncedSizeAndNoCallBeginsBeforeThoseOfTheRunBeforeHaveEnded() {
        for (WatermarkSpec spec : List.of(SPEC, SPEC.idleAfter(Duration.ofDays(1)))) {
            calls.clear();
            TestSubscriber<Object> subscriber = subscribe(upTo(10, spec)
                    .filter(event -> event != 2)
                    .map(event -> event)
                    .mapAsync(4, this::call)
                    .elements(() -> lane));
            assertThat(calls.keySet()).as("of the run 1 to 4").containsExactly(1, 3, 4);
            answer(1, 4);
            assertThat(calls.keySet()).containsExactly(3);
            answer(3);
            assertThat(calls.keySet()).containsExactly(5, 6, 7, 8);
            answer(5, 6, 7, 8);
            answer(9, 10);
            assertThat(subscriber.getReceivedOnNext().stream()
                            .filter(EventBatch.class::isInstance)
                            .map(run -> ((EventBatch<?>) run).size()))
                    .containsExactly(3, 4, 2);
            assertThat(subscriber.isTerminatedComplete()).isTrue();
        }
    }

    @Test
    void ofSeveralAnnouncementsTheSmallestHolds() {
        List<Integer> sizes = new ArrayList<>();
        upTo(20, SPEC)
                .mapAsync(8, Mono::just)
                .mapAsync(3, Mono::just)
                .mapAsync(5, Mono::just)
                .elements(() -> lane)
                .doOnNext(element -> sizes.add(element instanceof EventBatch<?> run ? run.size() : 0))
                .blockLast();
        assertThat(sizes).startsWith(3, 3, 3, 3, 3, 3, 2);
    }

    @Test
    void sourcesThatAreMergedObeyToo() {
        EventFlux.merge(List.of(Flux.range(1, 9), Flux.range(1, 9)), Integer::longValue, SPEC)
                .mapAsync(5, this::call)
                .elements(() -> lane)
                .subscribe();
        assertThat(calls).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void whatIsInNoRunOfASourceIsWorkedThroughWithSoManyCallsAtOnce() {
        TestSubscriber<Object> subscriber = subscribe(Flux.<StreamElement<Integer>>just(EventBatch.ofValues(
                        Stream.iterate(1, i -> i + 1).limit(100).toList()))
                .transform(Elements.mapAsync(2, this::call, lane)));
        for (int event = 1; event < 100; event++) {
            assertThat(calls.keySet()).containsExactly(event, event + 1);
            answer(event);
        }
        assertThat(subscriber.getReceivedOnNext()).isEmpty();
        answer(100);
        assertThat(((EventBatch<?>) subscriber.getReceivedOnNext().get(0)).size())
                .isEqualTo(100);
    }

    @Test
    void s34ACallThatAnswersNothingLeavesTheEventOutAndTheWatermarkFlows() {
        StreamElement<Integer> last = upTo(100, SPEC)
                .mapAsync(7, event -> Mono.<Integer>empty())
                .elements(() -> lane)
                .filter(element -> !element.equals(new Watermark<>(Watermark.END)))
                .blockLast();
        assertThat(last).isEqualTo(new Watermark<>(99));
    }

    @Test
    void aFailureCancelsTheOtherCallsAndNamesTheEvent() {
        TestSubscriber<Object> subscriber =
                subscribe(upTo(10, SPEC).mapAsync(3, this::call).elements(() -> lane));
        calls.get(2)
                .tryEmitError(new IllegalArgumentException("no such customer"))
                .orThrow();
        assertThat(subscriber.expectTerminalError())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no such customer");
        assertThat(subscriber.expectTerminalError().getSuppressed()[0]).hasMessage("failed on the event 2 at 2 ms");
        assertThat(cancelled).containsExactly(1, 3);
        assertThat(calls.keySet()).as("none begins behind it").containsExactly(1, 2, 3);
    }

    @Test
    void withAPolicyWhatFailsIsLeftOutInTheOrderOfTheEvents() {
        List<String> letters = new ArrayList<>();
        TestSubscriber<Object> subscriber = subscribe(upTo(4, SPEC)
                .onFailure(FailurePolicy.deadLetterTo(letter -> letters.add(letter.operator() + " " + letter.event()
                        + " " + letter.cause().getMessage())))
                .mapAsync(4, this::call)
                .elements(() -> lane)
                .transform(EventTime.values()));
        calls.get(3).tryEmitError(new IllegalStateException("third")).orThrow();
        calls.get(1).tryEmitError(new IllegalStateException("first")).orThrow();
        answer(2);
        assertThat(letters).isEmpty();
        answer(4);
        assertThat(subscriber.getReceivedOnNext()).containsExactly("r2", "r4");
        assertThat(letters).containsExactly("map-async-1 1 first", "map-async-1 3 third");
        assertThat(lane.count(Counter.FAILED)).isEqualTo(2);
    }

    @Test
    void theCountOfWhatHasFailedIsPartOfABarrier() {
        Flux.<StreamElement<Integer>>just(EventBatch.ofValues(1, 2), lane.barrier())
                .as(EventFlux::fromElements)
                .onFailure(FailurePolicy.skip())
                .mapAsync(2, event -> Mono.error(new IllegalStateException("no")))
                .elements(() -> lane)
                .blockLast();
        assertThat(Counters.ofArray(lane.committed("map-async-1", LiveCounters.STATE_NAME))
                        .get(Counter.FAILED))
                .isEqualTo(2);
    }

    @Test
    void aTimeoutIsTheCallersAndOnTheLanesClockOrAnyOther() {
        TestSubscriber<Object> subscriber = subscribe(upTo(10, SPEC)
                .mapAsync(3, event -> call(event).timeout(Duration.ofSeconds(2), lane.clock))
                .elements(() -> lane));
        answer(1);
        lane.clock.advanceTimeBy(Duration.ofMillis(1_999));
        assertThat(subscriber.isTerminated()).isFalse();
        lane.clock.advanceTimeBy(Duration.ofMillis(1));
        assertThat(subscriber.expectTerminalError()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void aCancelCancelsWhatIsUnderWayAndAnAnswerThatComesThenIsDiscarded() {
        List<Object> discarded = new ArrayList<>();
        TestSubscriber<Object> subscriber = subscribe(
                upTo(10, SPEC).mapAsync(3, this::call).elements(() -> lane).doOnDiscard(Object.class, discarded::add));
        answer(2);
        subscriber.cancel();
        assertThat(cancelled).containsExactly(1, 3);
        assertThat(discarded).contains("r2").doesNotContain(1, 2, 3);
        assertThat(subscriber.getReceivedOnNext()).isEmpty();
    }

    @Test
    void theContextReachesEachCallAndItIsScannedAsAnInner() {
        List<Object> who = new ArrayList<>();
        ManualSource<StreamElement<Integer>> source = new ManualSource<>();
        source.transform(Elements.mapAsync(
                        3,
                        (Integer event) -> Mono.deferContextual(context -> {
                            who.add(context.get("who"));
                            return call(event);
                        }),
                        lane))
                .contextWrite(context -> context.put("who", "me"))
                .subscribe();
        source.next(EventBatch.ofValues(1, 2));
        assertThat(who).containsExactly("me", "me");
        Scannable operator = Scannable.from(source.subscriber());
        assertThat(operator.inners()).hasSize(2).allSatisfy(inner -> {
            assertThat(inner.scan(Scannable.Attr.ACTUAL)).isSameAs(operator);
            assertThat(inner.scan(Scannable.Attr.PARENT)).isNotNull();
            assertThat(inner.scan(Scannable.Attr.TERMINATED)).isFalse();
        });
        answer(1, 2);
        assertThat(operator.inners()).isEmpty();
    }

    @Test
    void whereItGoesOnCanBeScanned() {
        ManualSource<StreamElement<Integer>> source = new ManualSource<>();
        source.transform(Elements.mapAsync(1, this::call, LaneContext.local(Schedulers.parallel())))
                .subscribe();
        assertThat(Scannable.from(source.subscriber()).scan(Scannable.Attr.RUN_ON))
                .isSameAs(Schedulers.parallel());
    }

    @Test
    void whatComesBehindDoesNotRunOnTheThreadThatAnswers() {
        List<String> threads = new ArrayList<>();
        upTo(6, SPEC)
                .mapAsync(2, event -> Mono.just(event).publishOn(Schedulers.boundedElastic()))
                .map(event -> threads.add(Thread.currentThread().getName()))
                .toFlux()
                .blockLast(Duration.ofSeconds(20));
        assertThat(threads).hasSize(6).allSatisfy(name -> assertThat(name).doesNotStartWith("boundedElastic"));
    }

    @Test
    void aClockThatRunsNothingMoreEndsTheStreamAlsoWhenItsSourceHasEnded() {
        for (boolean ended : new boolean[] {false, true}) {
            TestLane disposed = new TestLane();
            ManualSource<StreamElement<Integer>> source = new ManualSource<>();
            TestSubscriber<Object> subscriber = subscribe(source.transform(Elements.mapAsync(2, this::call, disposed)));
            source.next(EventBatch.ofValues(1, 2));
            if (ended) {
                source.complete();
            }
            disposed.clock.dispose();
            answer(1, 2);
            assertThat(subscriber.expectTerminalError()).hasMessageContaining("Scheduler unavailable");
        }
    }

    @Test
    void moreThanOneResultIsAnErrorThatSaysWhatToDo() {
        assertThatThrownBy(() -> upTo(1, SPEC)
                        .mapAsync(1, event -> Flux.just(1, 2))
                        .toFlux()
                        .blockLast())
                .hasMessageContaining("more than one result for an event: take the first with next()");
    }

    @Test
    void badArgumentsAreRefusedWithTheirValueAtAssembly() {
        for (int bad : new int[] {0, -1, 257}) {
            assertThatThrownBy(() -> upTo(1, SPEC).mapAsync(bad, Mono::just))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1..256 calls under way at once but was to have " + bad);
        }
        EventFlux<WindowResult<String, Long>> retracting = upTo(1, SPEC)
                .keyBy(event -> "k")
                .window(WindowSpec.tumbling(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(10)))
                .aggregate(Aggregations.counting());
        assertThatThrownBy(() -> retracting.mapAsync(1, Mono::just))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mapAsync may make something else of what takes one back");
    }

    @Test
    void resultsOfAWindowThatTakesNothingBackCanBeAskedAbout() {
        AtomicInteger calls = new AtomicInteger();
        List<Long> counts = upTo(100, SPEC)
                .keyBy(event -> event % 3)
                .window(WindowSpec.tumbling(Duration.ofMillis(10)))
                .aggregate(Aggregations.counting())
                .mapAsync(2, result -> {
                    calls.incrementAndGet();
                    return Mono.just(result.value()).delayElement(Duration.ofMillis(1));
                })
                .toFlux()
                .collectList()
                .block(Duration.ofSeconds(20));
        assertThat(counts.stream().mapToLong(count -> count).sum()).isEqualTo(100);
        assertThat(calls).hasValue(counts.size());
    }
}
