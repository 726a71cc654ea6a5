package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.subscriber.TestSubscriber;

/** Why a window has not fired, in the very words. Time is virtual and begins at the epoch. */
class ExplanationTest {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final WindowSpec TEN_SECONDS = WindowSpec.tumbling(Duration.ofSeconds(10));
    private static final WatermarkSpec IN_ORDER = WatermarkSpec.ascending().onFarFuture(WatermarkSpec.FarFuture.TRUST);

    /** An event of a partition. */
    private record Event(int partition, String key, long time) {}

    private final TestLane lane = new TestLane();
    private final ManualSource<StreamElement<Event>> source = new ManualSource<>();
    private final AtomicReference<LiveExplanation> live = new AtomicReference<>();

    private TestSubscriber<Object> open(int partitions, WatermarkSpec spec, WindowSpec windows, long demand) {
        return subscribe(
                EventFlux.fromElements(source)
                        .watermarksByPartition(partitions, Event::partition, Event::time, spec, invalid -> {}),
                windows,
                demand);
    }

    private TestSubscriber<Object> open(int partitions) {
        return open(partitions, IN_ORDER, TEN_SECONDS, Long.MAX_VALUE);
    }

    private TestSubscriber<Object> subscribe(EventFlux<Event> timed, WindowSpec windows, long demand) {
        TestSubscriber<Object> subscriber =
                TestSubscriber.builder().initialRequest(demand).build();
        timed.keyBy(Event::key)
                .window(windows)
                .explainTo(live::set)
                .aggregate(Aggregations.counting())
                .elements(() -> lane)
                .cast(Object.class)
                .subscribe(subscriber);
        return subscriber;
    }

    private void event(int partition, long... seconds) {
        source.next(EventBatch.ofValues(Arrays.stream(seconds)
                .mapToObj(s -> new Event(partition, "k", 1_000 * s))
                .toArray(Event[]::new)));
    }

    private void after(Duration time) {
        lane.clock.advanceTimeBy(time);
    }

    private Explanation explain() {
        return Objects.requireNonNull(live.get().explain().block(WAIT));
    }

    private String text() {
        return explain().text();
    }

    @Test
    void aStallOfThreePartitionsNamesTheHolderItsLagAndTheNextWindow() {
        open(3);
        event(0, 3, 7_200);
        event(1, 14_400);
        after(Duration.ofMinutes(1));
        event(2, 12);
        after(Duration.ofHours(2));
        event(0, 10_800);
        assertThat(text())
                .isEqualTo(
                        """
                        window-2 (tumbling PT10S): the watermark is 1970-01-01T00:00:11.999Z, held by partition 2
                          partition 2, holds it: newest event 1970-01-01T00:00:12Z, 3h59m48s behind partition 1, nothing since 1970-01-01T00:01:00Z
                          partition 0: newest event 1970-01-01T03:00:00Z, 1h behind partition 1, nothing since 1970-01-01T02:01:00Z
                          partition 1: newest event 1970-01-01T04:00:00Z, nothing since 1970-01-01T00:00:00Z
                          4 open windows with 4 entries; next to fire is [1970-01-01T00:00:10Z, 1970-01-01T00:00:20Z), when the watermark reaches 1970-01-01T00:00:19.999Z""");
    }

    @Test
    void theSameAsAnObject() {
        open(3);
        event(0, 3, 7_200);
        event(1, 14_400);
        after(Duration.ofMinutes(1));
        event(2, 12);
        Explanation explained = explain();
        assertThat(explained.state()).isEqualTo(Explanation.State.RUNNING);
        assertThat(explained.watermark()).isEqualTo(11_999);
        assertThat(explained.next()).isEqualTo(new TimeWindow(10_000, 20_000));
        assertThat(explained.watermarkNeeded()).hasValue(19_999);
        assertThat(explained.openWindows()).isEqualTo(3);
        assertThat(explained.holders())
                .containsExactly(
                        new PartitionProgress(2, PartitionProgress.Standing.ACTIVE, true, 12_000, 11_999, 60_000, -1));
        assertThat(explained).hasToString(explained.text());
    }

    @Test
    void c01PartitionsThatHaveNeverHadAnEventAreNamed() {
        open(3, IN_ORDER, WindowSpec.tumbling(Duration.ofMillis(10)), Long.MAX_VALUE);
        after(Duration.ofSeconds(30));
        event(0, 1, 25);
        assertThat(text())
                .isEqualTo(
                        """
                        window-2 (tumbling PT0.01S): there is no watermark yet, held by partitions 1, 2
                          partition 1, holds it: no event yet, since 1970-01-01T00:00:00Z
                          partition 2, holds it: no event yet, since 1970-01-01T00:00:00Z
                          partition 0: newest event 1970-01-01T00:00:25Z, nothing since 1970-01-01T00:00:30Z
                          2 open windows with 2 entries; next to fire is [1970-01-01T00:00:01Z, 1970-01-01T00:00:01.010Z), when the watermark reaches 1970-01-01T00:00:01.009Z""");
    }

    @Test
    void c02AnIdlePartitionHoldsNothingAndIsNamedAsIdle() {
        open(2, IN_ORDER.idleAfter(Duration.ofSeconds(30)), TEN_SECONDS, Long.MAX_VALUE);
        event(0, 1, 100);
        after(Duration.ofSeconds(29));
        event(0, 101);
        after(Duration.ofSeconds(1));
        assertThat(text())
                .isEqualTo(
                        """
                        window-2 (tumbling PT10S): the watermark is 1970-01-01T00:01:40.999Z, held by partition 0
                          partition 0, holds it: newest event 1970-01-01T00:01:41Z, nothing since 1970-01-01T00:00:29Z
                          partition 1, idle: no event yet, since 1970-01-01T00:00:00Z
                          1 open window with 1 entry; next to fire is [1970-01-01T00:01:40Z, 1970-01-01T00:01:50Z), when the watermark reaches 1970-01-01T00:01:49.999Z""");
        after(Duration.ofSeconds(29));
        assertThat(text()).contains("held by nobody: every partition is idle or has ended");
    }

    @Test
    void aReturnFromIdleHoldsWhatItHasNotCaughtUpWith() {
        open(2, IN_ORDER.idleAfter(Duration.ofSeconds(30)), TEN_SECONDS, Long.MAX_VALUE);
        event(0, 100);
        after(Duration.ofSeconds(29));
        event(0, 101);
        after(Duration.ofSeconds(1));
        event(1, 95);
        assertThat(explain().watermark()).isEqualTo(100_999);
        assertThat(explain().holders()).extracting(PartitionProgress::partition).containsExactly(1);
    }

    @Test
    void anOrdinaryStreamHasOnePartition() {
        lane.lag = 12;
        subscribe(
                EventFlux.fromElements(source).watermarks(Event::time, IN_ORDER, invalid -> {}),
                TEN_SECONDS,
                Long.MAX_VALUE);
        assertThat(text())
                .isEqualTo(
                        """
                        window-2 (tumbling PT10S): there is no watermark yet, held by partition 0
                          partition 0, holds it: no event yet, since 1970-01-01T00:00:00Z, 12 records unread
                          no window is open""");
        after(Duration.ofSeconds(9));
        lane.lag = 1;
        event(0, 3, 12);
        assertThat(text())
                .isEqualTo(
                        """
                        window-2 (tumbling PT10S): the watermark is 1970-01-01T00:00:11.999Z, held by partition 0
                          partition 0, holds it: newest event 1970-01-01T00:00:12Z, nothing since 1970-01-01T00:00:09Z, 1 record unread
                          1 open window with 1 entry; next to fire is [1970-01-01T00:00:10Z, 1970-01-01T00:00:20Z), when the watermark reaches 1970-01-01T00:00:19.999Z""");
        source.next(new Watermark<>(15_000));
        assertThat(explain().watermark()).isEqualTo(15_000);
    }

    @Test
    void withoutDemandTheAnswerComesAndSaysSo() {
        open(1, IN_ORDER, TEN_SECONDS, 0);
        assertThat(explain().waitsForDemand()).isFalse();
        event(0, 3);
        event(0, 12);
        event(0, 31);
        assertThat(text())
                .isEqualTo(
                        """
                        window-2 (tumbling PT10S): there is no watermark yet, held by partition 0
                          partition 0, holds it: newest event 1970-01-01T00:00:31Z, nothing since 1970-01-01T00:00:00Z
                          event time has come to 1970-01-01T00:00:30.999Z already, which is on its way to the windows
                          downstream asks for nothing: results or events wait until it requests more
                          no window is open""");
    }

    @Test
    void inTheMiddleOfAFiringTheAnswerComesToo() {
        TestSubscriber<Object> subscriber = open(1, IN_ORDER, TEN_SECONDS, 0);
        for (int run = 0; run < 3; run++) {
            Event[] many = new Event[200];
            for (int i = 0; i < many.length; i++) {
                many[i] = new Event(0, run + "/" + i, 1_000);
            }
            source.next(EventBatch.ofValues(many));
        }
        event(0, 15);
        while (subscriber.getReceivedOnNext().stream().noneMatch(EventBatch.class::isInstance)) {
            subscriber.request(1);
        }
        Explanation explained = explain();
        assertThat(explained.waitsForDemand()).isTrue();
        assertThat(explained.watermark()).isEqualTo(14_999);
        assertThat(explained.next()).isEqualTo(new TimeWindow(10_000, 20_000));
        assertThat(explained.entries()).isEqualTo(601);
        subscriber.request(Long.MAX_VALUE);
        assertThat(explain().waitsForDemand()).isFalse();
        assertThat(explain().openWindows()).isEqualTo(1);
    }

    @Test
    void whoHasCompletedWithoutAnEndOfTimeSaysSo() {
        open(1);
        event(0, 3, 12);
        source.complete();
        assertThat(text())
                .isEqualTo("window-2 (tumbling PT10S) has completed: nothing fires any more; in the end"
                        + " the watermark is 1970-01-01T00:00:11.999Z");
        assertThat(explain().state()).isEqualTo(Explanation.State.COMPLETED);
    }

    @Test
    void aStreamThatHasEndedHasFiredAll() {
        open(1);
        event(0, 3);
        source.next(new Watermark<>(Watermark.END));
        assertThat(text())
                .isEqualTo(
                        """
                        window-2 (tumbling PT10S): event time has ended
                          partition 0: newest event 1970-01-01T00:00:03Z, nothing since 1970-01-01T00:00:00Z
                          no window is open""");
        source.complete();
        assertThat(text()).isEqualTo("window-2 (tumbling PT10S) has completed: every window has fired");
    }

    @Test
    void aFailedStreamNamesTheFailure() {
        open(1);
        event(0, 3, 12);
        source.fail(new IllegalStateException("disk full"));
        assertThat(text())
                .isEqualTo("window-2 (tumbling PT10S) has failed with java.lang.IllegalStateException: disk full:"
                        + " nothing fires any more; in the end the watermark is 1970-01-01T00:00:11.999Z");
        assertThat(explain().state()).isEqualTo(Explanation.State.FAILED);
        assertThat(explain().failure()).hasMessage("disk full");
    }

    @Test
    void aCancelledStreamSaysSo() {
        TestSubscriber<Object> subscriber = open(1);
        event(0, 3, 12);
        subscriber.cancel();
        assertThat(text())
                .isEqualTo("window-2 (tumbling PT10S) was cancelled: nothing fires any more; in the end the"
                        + " watermark is 1970-01-01T00:00:11.999Z");
        assertThat(explain().state()).isEqualTo(Explanation.State.CANCELLED);
    }

    @Test
    void aCancelAfterTheEndIsNoCancel() {
        TestSubscriber<Object> subscriber = open(1);
        source.complete();
        subscriber.cancel();
        assertThat(explain().state()).isEqualTo(Explanation.State.COMPLETED);
    }

    @Test
    void aSourceThatNeverAnswersIsAnsweredFor() {
        Flux<StreamElement<Event>> silent = new Flux<>() {
            @Override
            public void subscribe(reactor.core.CoreSubscriber<? super StreamElement<Event>> actual) {
                // not even a subscription
            }
        };
        subscribe(EventFlux.fromElements(silent), TEN_SECONDS, Long.MAX_VALUE);
        assertThat(text())
                .isEqualTo("window-1 (tumbling PT10S): there is no watermark yet, and who gives it can't be seen"
                        + " from here\n  no window is open");
    }

    @Test
    void s13EntriesKeptForLateEventsAreNotOpen() {
        open(1, IN_ORDER, TEN_SECONDS.allowedLateness(Duration.ofHours(1)), Long.MAX_VALUE);
        event(0, 3);
        source.next(new Watermark<>(20_000));
        assertThat(text()).endsWith("\n  no window is open, 1 entry kept for late events");
    }

    @Test
    void theNextSlidingWindowIsTheOneThatEndsFirst() {
        open(1, IN_ORDER, WindowSpec.sliding(Duration.ofSeconds(10), Duration.ofSeconds(5)), Long.MAX_VALUE);
        event(0, 3, 11);
        assertThat(explain().next()).isEqualTo(new TimeWindow(5_000, 15_000));
        assertThat(explain().watermarkNeeded()).hasValue(14_999);
    }

    @Test
    void theNextSessionIsTheOneThatEndsFirst() {
        open(1, IN_ORDER, WindowSpec.session(Duration.ofSeconds(10)), Long.MAX_VALUE);
        source.next(EventBatch.ofValues(
                new Event(0, "a", 3_000),
                new Event(0, "b", 4_000),
                new Event(0, "a", 9_000),
                new Event(0, "c", 9_500)));
        assertThat(text())
                .endsWith(
                        "\n  3 open windows with 3 entries; next to fire is [1970-01-01T00:00:04Z, 1970-01-01T00:00:14Z),"
                                + " when the watermark reaches 1970-01-01T00:00:13.999Z");
    }

    @Test
    void ofCountWindowsTheEventsDecide() {
        open(1, IN_ORDER, WindowSpec.count(3), Long.MAX_VALUE);
        event(0, 3, 4);
        assertThat(explain().watermarkNeeded()).isEmpty();
        assertThat(text())
                .endsWith(
                        "\n  1 open window with 1 entry, to fire when a key has its events, or at the end of the stream");
    }

    @Test
    void globalWindowsFireAtTheEnd() {
        open(1, IN_ORDER, WindowSpec.global(), Long.MAX_VALUE);
        event(0, 3, 4);
        assertThat(explain().watermarkNeeded()).hasValue(Watermark.END);
        assertThat(text()).endsWith("\n  1 open window with 1 entry, to fire at the end of the stream");
    }

    @Test
    void orWhenTheirTimeToLiveIsOver() {
        open(1, IN_ORDER, WindowSpec.global().timeToLive(Duration.ofHours(1)), Long.MAX_VALUE);
        event(0, 3, 4);
        assertThat(text())
                .endsWith(
                        "\n  1 open window with 1 entry, to fire at the end of the stream, or when its time-to-live is over");
    }

    @Test
    void windowsOfWindowsAreHeldByTheSamePartition() {
        TestSubscriber<Object> subscriber = TestSubscriber.create();
        EventFlux.fromElements(source)
                .watermarksByPartition(2, Event::partition, Event::time, IN_ORDER, invalid -> {})
                .keyBy(Event::key)
                .window(TEN_SECONDS)
                .aggregate(Aggregations.counting())
                .filter(result -> true)
                .keyBy(WindowResult::key)
                .window(WindowSpec.tumbling(Duration.ofMinutes(1)))
                .explainTo(live::set)
                .aggregate(Aggregations.counting())
                .elements(() -> lane)
                .cast(Object.class)
                .subscribe(subscriber);
        event(0, 3, 100);
        event(1, 25);
        assertThat(live.get().operator()).isEqualTo("window-3");
        assertThat(text())
                .isEqualTo(
                        """
                        window-3 (tumbling PT1M): the watermark is 1970-01-01T00:00:24.999Z, held by partition 1
                          partition 1, holds it: newest event 1970-01-01T00:00:25Z, 1m15s behind partition 0, nothing since 1970-01-01T00:00:00Z
                          partition 0: newest event 1970-01-01T00:01:40Z, nothing since 1970-01-01T00:00:00Z
                          1 open window with 1 entry; next to fire is [1970-01-01T00:00:00Z, 1970-01-01T00:01:00Z), when the watermark reaches 1970-01-01T00:00:59.999Z""");
    }

    @Test
    void windowsOfProcessingTimeFollowTheClock() {
        subscribe(EventFlux.fromElements(source).processingTime(Duration.ofSeconds(1)), TEN_SECONDS, Long.MAX_VALUE);
        after(Duration.ofSeconds(15));
        event(0, 3);
        assertThat(text())
                .isEqualTo(
                        """
                        window-2 (tumbling PT10S): the watermark is 1970-01-01T00:00:14.999Z, and follows the clock
                          1 open window with 1 entry; next to fire is [1970-01-01T00:00:10Z, 1970-01-01T00:00:20Z), when the watermark reaches 1970-01-01T00:00:19.999Z""");
    }

    @Test
    void moreThanSixteenPartitionsAreCounted() {
        open(40);
        event(7, 3);
        assertThat(text().lines().toList())
                .hasSize(19)
                .startsWith(
                        "window-2 (tumbling PT10S): there is no watermark yet, held by partitions 0, 1, 2, 3, 4, 5, 6, 8,"
                                + " 9, 10, 11, 12, 13, 14, 15, 16 and 23 more")
                .contains("  24 more partitions");
    }

    @Test
    void afterARestartTheNewestEventIsKnownAndTheSilenceBeginsAnew() {
        open(2);
        event(0, 100);
        event(1, 12);
        source.next(lane.barrier());
        after(Duration.ofHours(1));
        TestLane restarted = lane.restarted();
        ManualSource<StreamElement<Event>> again = new ManualSource<>();
        EventFlux.fromElements(again)
                .watermarksByPartition(2, Event::partition, Event::time, IN_ORDER, invalid -> {})
                .keyBy(Event::key)
                .window(TEN_SECONDS)
                .explainTo(live::set)
                .aggregate(Aggregations.counting())
                .elements(() -> restarted)
                .subscribe();
        assertThat(text())
                .contains(
                        "partition 1, holds it: newest event 1970-01-01T00:00:12Z, 1m28s behind partition 0, nothing since"
                                + " 1970-01-01T01:00:00Z");
    }

    @Test
    void aStreamThatNeverPausesAnswersBetweenTwoRuns() {
        AtomicReference<Explanation> answer = new AtomicReference<>();
        Flux<StreamElement<Event>> endless = Flux.generate(sink -> sink.next(EventBatch.<Event>builder()
                .add(new Event(0, "k", 3), 3, Watermark.NONE)
                .build(2)));
        Mono<Void> stream = EventFlux.fromElements(endless.takeUntil(run -> answer.get() != null))
                .keyBy(Event::key)
                .window(TEN_SECONDS)
                .explainTo(live::set)
                .aggregate(Aggregations.counting())
                .elements(() -> lane)
                .then();
        Mono<Explanation> question = Mono.fromSupplier(live::get)
                .repeatWhenEmpty(empty -> empty)
                .flatMap(LiveExplanation::explain)
                .doOnNext(answer::set)
                .subscribeOn(Schedulers.boundedElastic());
        Mono.when(stream.subscribeOn(Schedulers.boundedElastic()), question).block(WAIT);
        assertThat(answer.get().watermark()).isEqualTo(2);
    }

    @Test
    void questionsThatWaitAreBounded() {
        List<Explanation> answers = new ArrayList<>();
        List<Throwable> refused = new ArrayList<>();
        EventFlux.fromElements(source)
                .watermarks(Event::time, IN_ORDER, invalid -> {})
                .keyBy(Event::key)
                .window(TEN_SECONDS)
                .explainTo(live::set)
                .aggregate(Aggregations.counting())
                .elements(() -> lane)
                .doOnNext(element -> {
                    for (int i = 0; i < 1_030 && answers.isEmpty(); i++) {
                        live.get().explain().subscribe(answers::add, refused::add);
                    }
                })
                .subscribe();
        event(0, 3);
        assertThat(answers).hasSize(1_024);
        assertThat(refused).hasSize(6);
        assertThatThrownBy(() -> {
                    throw refused.get(0);
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1024 questions wait for an answer already");
        assertThat(explain().watermark()).isEqualTo(2_999);
    }
}
