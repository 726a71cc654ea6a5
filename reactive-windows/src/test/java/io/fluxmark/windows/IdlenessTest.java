package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** Silence in virtual time, event by event, with the numbers of the semantics (S27-S30). */
class IdlenessTest {

    /** An event of a partition. */
    private record Event(int partition, long time) {}

    private static final WatermarkSpec FIVE = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(5));
    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));

    private final ManualSource<StreamElement<Event>> source = new ManualSource<>();
    private final List<InvalidEvent> invalid = new ArrayList<>();
    private TestLane lane = new TestLane();

    private Flux<StreamElement<Event>> timed(int partitions, WatermarkSpec spec) {
        return source.transform(
                EventTime.assignByPartition(partitions, Event::partition, Event::time, spec, invalid::add, lane));
    }

    private static TestSubscriber<Object> subscribe(Flux<?> flux, long demand) {
        TestSubscriber<Object> subscriber =
                TestSubscriber.builder().initialRequest(demand).build();
        flux.cast(Object.class).subscribe(subscriber);
        return subscriber;
    }

    private TestSubscriber<Object> open(int partitions, WatermarkSpec spec) {
        return subscribe(timed(partitions, spec), Long.MAX_VALUE);
    }

    private static StreamElement<Event> run(Event... events) {
        return EventBatch.ofValues(events);
    }

    private void event(int partition, long... times) {
        source.next(
                run(Arrays.stream(times).mapToObj(t -> new Event(partition, t)).toArray(Event[]::new)));
    }

    private void after(long millis) {
        lane.clock.advanceTimeBy(Duration.ofMillis(millis));
    }

    /** What came: runs by the watermark behind them, watermarks with their reason, and idleness. */
    private static List<String> seen(TestSubscriber<?> subscriber) {
        List<String> seen = new ArrayList<>();
        for (Object element : subscriber.getReceivedOnNext()) {
            if (element instanceof EventBatch<?> run) {
                seen.add("run>" + text(run.watermarkAfter()));
            } else if (element instanceof Watermark<?> watermark) {
                seen.add("W" + text(watermark.timestamp()) + (watermark.byTimeout() ? "!" : ""));
            } else if (element instanceof Idle<?> idle) {
                seen.add(idle.idle() ? "idle" : "active");
            } else {
                seen.add(element.getClass().getSimpleName());
            }
        }
        return seen;
    }

    private static String text(long watermark) {
        return watermark == Watermark.NONE ? "none" : watermark == Watermark.END ? "end" : "" + watermark;
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void s27APartitionIsIdleExactlyAtTheTimeOut() {
        TestSubscriber<Object> subscriber = open(1, FIVE.idleAfter(millis(10)));
        after(4);
        event(0, 100);
        lane.clock.advanceTimeBy(millis(10).minusNanos(1));
        assertThat(seen(subscriber)).containsExactly("run>94");
        lane.clock.advanceTimeBy(Duration.ofNanos(1));
        assertThat(seen(subscriber)).containsExactly("run>94", "idle");
    }

    @Test
    void s27EveryEventBeginsTheSilenceAnew() {
        TestSubscriber<Object> subscriber = open(1, FIVE.idleAfter(millis(10)));
        event(0, 100);
        after(9);
        event(0, 50);
        after(9);
        assertThat(seen(subscriber)).containsExactly("run>94", "run>94");
        after(1);
        assertThat(seen(subscriber)).containsExactly("run>94", "run>94", "idle");
    }

    @Test
    void s27ASilentPartitionIsLeftOutAndWhatItHeldIsByTimeout() {
        TestSubscriber<Object> subscriber = open(2, FIVE.idleAfter(millis(10)));
        event(0, 100);
        event(1, 40);
        after(5);
        event(0, 100);
        after(5);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>34", "run>34", "W94!");
        after(5);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>34", "run>34", "W94!", "idle");
    }

    @Test
    void s27ABusyPartitionDoesNotKeepASilentOneActive() {
        TestSubscriber<Object> subscriber = open(2, FIVE.idleAfter(millis(30)));
        for (int i = 0; i < 40; i++) {
            event(0, 100 + i);
            after(1);
        }
        assertThat(seen(subscriber).get(29)).isEqualTo("run>none");
        assertThat(seen(subscriber).get(30)).isEqualTo("W123!");
    }

    @Test
    void s28BackPressureStopsTheClock() {
        TestSubscriber<Object> subscriber = subscribe(timed(2, FIVE.idleAfter(millis(30_000))), 2);
        event(0, 100);
        event(1, 40);
        after(60_000);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>34");
        subscriber.request(10);
        after(29_999);
        assertThat(seen(subscriber)).hasSize(2);
        after(1);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>34", "W94!", "idle");
    }

    @Test
    void s28UnreadInputStopsTheClock() {
        TestSubscriber<Object> subscriber = subscribe(timed(2, FIVE.idleAfter(millis(30_000))), 2);
        event(0, 100);
        event(1, 40);
        event(1, 50);
        after(60_000);
        subscriber.request(1);
        after(60_000);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>34", "run>44");
    }

    @Test
    void s28ADownstreamThatTakesItsTimeStopsTheClock() {
        List<String> seen = new ArrayList<>();
        timed(2, FIVE.idleAfter(millis(30_000))).subscribe(element -> {
            if (element instanceof EventBatch<Event> run) {
                seen.add("run>" + text(run.watermarkAfter()));
                after(20_000);
            } else {
                seen.add(element.toString());
            }
        });
        event(1, 40);
        for (int i = 0; i < 4; i++) {
            event(0, 100 + i);
            after(7_000);
        }
        assertThat(seen)
                .as("silent for 28 s, and at work for 80 s beside that")
                .containsExactly("run>none", "run>34", "run>34", "run>34", "run>34");
        after(2_000);
        assertThat(seen).hasSize(6).last().asString().contains("timestamp=97");
    }

    @Test
    void s28ASourceWithUnreadRecordsIsNeverIdle() {
        lane.lag = 1_000;
        TestSubscriber<Object> subscriber = open(2, FIVE.idleAfter(millis(30_000)));
        event(0, 100);
        event(1, 40);
        after(60_000);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>34");
        for (int i = 0; i < 1_000; i++) {
            lane.lag--;
            event(1, 50 + i % 10);
        }
        assertThat(seen(subscriber)).hasSize(1_002).endsWith("run>53");
        after(29_999);
        assertThat(seen(subscriber)).hasSize(1_002);
        after(1);
        assertThat(seen(subscriber)).endsWith("W94!", "idle");
    }

    private List<String> windows(TestSubscriber<Object> subscriber) {
        List<String> windows = new ArrayList<>();
        for (Object element : subscriber.getReceivedOnNext()) {
            if (element instanceof EventBatch<?> run) {
                for (int i = 0; i < run.size(); i++) {
                    WindowResult<?, ?> result = (WindowResult<?, ?>) run.value(i);
                    windows.add("[" + result.window().start() + ","
                            + result.window().end() + "):" + result.value() + (result.byTimeout() ? "!" : ""));
                }
            }
        }
        return windows;
    }

    private TestSubscriber<Object> openWindows(int partitions, WatermarkSpec spec) {
        return subscribe(
                EventFlux.from(source.flatMapIterable(IdlenessTest::values), 1)
                        .watermarksByPartition(partitions, Event::partition, Event::time, spec, invalid::add)
                        .keyBy(event -> "k")
                        .window(TEN)
                        .aggregate(Aggregations.counting())
                        .elements(() -> lane),
                Long.MAX_VALUE);
    }

    private static List<Event> values(StreamElement<Event> element) {
        EventBatch<Event> run = (EventBatch<Event>) element;
        List<Event> values = new ArrayList<>();
        for (int i = 0; i < run.size(); i++) {
            values.add(run.value(i));
        }
        return values;
    }

    @Test
    void s29TheReturnersOldEventsAreJudgedByTheCombinedWatermark() {
        TestSubscriber<Object> subscriber = openWindows(2, FIVE.idleAfter(millis(10)));
        event(1, 40);
        after(9);
        event(0, 100);
        after(1);
        assertThat(windows(subscriber)).containsExactly("[40,50):1!");
        event(1, 50);
        assertThat(lane.count(Counter.DROPPED)).isEqualTo(1);
        event(1, 93);
        event(0, 120);
        event(1, 130);
        assertThat(windows(subscriber)).containsExactly("[40,50):1!", "[90,100):1", "[100,110):1");
        assertThat(lane.count(Counter.DROPPED)).isEqualTo(1);
        assertThat(lane.count(Counter.ON_TIME)).isEqualTo(5);
    }

    @Test
    void s30AllIdleHoldTheLargestAndNoClockIsFollowed() {
        TestSubscriber<Object> subscriber = open(2, WatermarkSpec.ascending().idleAfter(millis(10)));
        event(0, 11);
        event(1, 21);
        after(1_000_000);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>10", "W20!", "idle");
        event(0, 30);
        assertThat(seen(subscriber)).endsWith("idle", "active", "run>29");
    }

    @Test
    void s30TheClockIsFollowedWhereThatWasChosen() {
        TestSubscriber<Object> subscriber = openWindows(1, FIVE.followClockWhenIdle(millis(10)));
        event(0, 12, 15);
        after(9);
        assertThat(windows(subscriber)).isEmpty();
        after(1);
        assertThat(windows(subscriber)).containsExactly("[10,20):2!");
        event(0, 16);
        assertThat(lane.count(Counter.DROPPED)).isEqualTo(1);
        event(0, 36);
        assertThat(windows(subscriber)).hasSize(1);
        after(10);
        assertThat(windows(subscriber)).endsWith("[30,40):1!");
    }

    @Test
    void s30TheWatermarkFollowsInStepsOfATenth() {
        TestSubscriber<Object> subscriber = open(1, FIVE.followClockWhenIdle(millis(100)));
        event(0, 15);
        after(99);
        assertThat(seen(subscriber)).containsExactly("run>9");
        after(1);
        assertThat(seen(subscriber)).containsExactly("run>9", "W109!");
        after(25);
        assertThat(seen(subscriber)).containsExactly("run>9", "W109!", "W119!", "W129!");
    }

    @Test
    void s30AStepIsAtLeastAMillisecond() {
        TestSubscriber<Object> subscriber = open(1, FIVE.followClockWhenIdle(millis(3)));
        event(0, 15);
        after(5);
        assertThat(seen(subscriber)).containsExactly("run>9", "W12!", "W13!", "W14!");
    }

    @Test
    void s30TheClockIsFollowedOnlyOnceEveryPartitionIsSilent() {
        TestSubscriber<Object> subscriber = open(2, FIVE.followClockWhenIdle(millis(10)));
        event(0, 15);
        event(1, 30);
        after(9);
        event(0, 16);
        after(9);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>9", "run>10");
        after(1);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>9", "run>10", "W34!");
    }

    @Test
    void s30BeforeTheFirstEventThereIsNothingToFollowFrom() {
        TestSubscriber<Object> subscriber =
                open(2, FIVE.followClockWhenIdle(millis(10)).idleAfter(millis(10)));
        after(1_000);
        assertThat(seen(subscriber)).containsExactly("idle");
        event(0, 15);
        assertThat(seen(subscriber)).containsExactly("idle", "active", "run>9");
    }

    @Test
    void s30EachAdvanceIsCommittedAndARestartGoesOnFromIt() {
        WatermarkSpec spec = FIVE.followClockWhenIdle(millis(10));
        TestSubscriber<Object> subscriber = open(1, spec);
        event(0, 15);
        after(12);
        assertThat(seen(subscriber)).endsWith("W21!");
        source.next(lane.barrier());
        assertThat(lane.committed("event-time", WatermarkSpec.STATE_NAME)).containsExactly(15, 21);
        subscriber.cancel();

        lane = lane.restarted();
        TestSubscriber<Object> restarted = open(1, spec);
        after(9);
        assertThat(seen(restarted)).isEmpty();
        after(1);
        assertThat(seen(restarted)).containsExactly("W31!");
        event(0, 30);
        assertThat(seen(restarted)).containsExactly("W31!", "run>31");
    }

    @Test
    void s30FollowingTheClockIsSaidOnceAtAssembly() {
        try (CapturedLog log = new CapturedLog()) {
            EventFlux<Event> events = EventFlux.from(Flux.<Event>never())
                    .watermarksMillis(Event::time, FIVE.followClockWhenIdle(Duration.ofSeconds(10)));
            assertThat(log.lines)
                    .containsExactly("info: event-time-1 follows the clock after a silence of PT10S: what fires then"
                            + " depends on when events came, and a replay may give other results");
            events.elements().subscribe().dispose();
            assertThat(log.lines).hasSize(1);
        }
    }

    @Test
    void c02APartitionThatNeverHadARecordBecomesIdle() {
        TestSubscriber<Object> subscriber = open(2, WatermarkSpec.ascending().idleAfter(Duration.ofSeconds(30)));
        for (int i = 1; i <= 100; i++) {
            event(0, i);
            after(299);
        }
        assertThat(seen(subscriber)).hasSize(100).doesNotContain("W99!");
        after(100);
        assertThat(seen(subscriber)).hasSize(101).endsWith("W99!");
    }

    @Test
    void c02NegativeTimestampsAreTimes() {
        TestSubscriber<Object> subscriber = open(2, FIVE.idleAfter(Duration.ofSeconds(30)));
        event(0, -50);
        after(29_000);
        event(0, -40);
        after(1_000);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>none", "W-46!");
    }

    @Test
    void c70TimersWithoutDemandEmitNothingAndConflateToTheNewest() {
        TestSubscriber<Object> subscriber = subscribe(timed(1, FIVE.followClockWhenIdle(millis(10))), 2);
        event(0, 15);
        after(10);
        assertThat(seen(subscriber)).containsExactly("run>9", "W19!");
        after(1_000);
        assertThat(seen(subscriber)).hasSize(2);
        subscriber.request(1);
        assertThat(seen(subscriber)).hasSize(2);
        after(9);
        assertThat(seen(subscriber)).hasSize(2);
        after(1);
        assertThat(seen(subscriber))
                .as("the clock stood while nothing was demanded")
                .containsExactly("run>9", "W19!", "W29!");
        assertThat(subscriber.getProtocolErrors()).isEmpty();
    }

    @Test
    void anInputThatWaitsForDemandKeepsItsPlaceBehindATimeout() {
        TestSubscriber<Object> subscriber = subscribe(timed(2, FIVE.idleAfter(millis(10))), 2);
        event(0, 100);
        event(1, 40);
        subscriber.request(1);
        after(10);
        assertThat(seen(subscriber)).containsExactly("run>none", "run>34", "W94!");
        event(1, 41);
        subscriber.request(2);
        assertThat(seen(subscriber)).endsWith("W94!", "idle", "active");
        subscriber.request(1);
        assertThat(seen(subscriber)).endsWith("W94!", "idle", "active", "run>94");
    }

    @Test
    void aPartitionThatIsIdleStaysSoOverARestart() {
        WatermarkSpec spec = FIVE.idleAfter(millis(10));
        TestSubscriber<Object> subscriber = open(2, spec);
        event(1, 40);
        after(9);
        event(0, 100);
        after(1);
        source.next(lane.barrier());
        subscriber.cancel();
        lane = lane.restarted();
        TestSubscriber<Object> restarted = open(2, spec);
        event(0, 110);
        assertThat(seen(restarted)).containsExactly("run>104");
    }

    @Test
    void aStreamThatIsGivenATimeOutGoesOnFromWhatItCommittedWithoutOne() {
        subscribe(source.transform(EventTime.assign(Event::time, FIVE, invalid::add, lane)), Long.MAX_VALUE);
        event(0, 100);
        source.next(lane.barrier());
        lane = lane.restarted();
        TestSubscriber<Object> restarted = open(1, FIVE.idleAfter(millis(10)));
        event(0, 90, 110);
        assertThat(seen(restarted)).containsExactly("run>104");
        assertThat(((EventBatch<?>) restarted.getReceivedOnNext().get(0)).watermarkBefore(0))
                .isEqualTo(94);
    }

    @Test
    void thePartitionsOfEventsAreChecked() {
        TestSubscriber<Object> subscriber = open(2, FIVE);
        event(2, 100);
        event(-1, 100);
        event(1, 50);
        assertThat(seen(subscriber)).containsExactly("run>none");
        assertThat(invalid).hasSize(2);
        assertThat(invalid.get(0).reason()).contains("partition 2 is not one of 0 to 1");
        assertThat(invalid.get(1).reason()).contains("partition -1 is not one of 0 to 1");
        assertThat(lane.count(Counter.REJECTED)).isEqualTo(2);
        assertThat(lane.count(Counter.INGESTED)).isEqualTo(3);
        assertThatThrownBy(() -> open(0, FIVE)).hasMessageContaining("were to be 0");

        subscribe(
                source.transform(EventTime.assignByPartition(
                        2,
                        event -> {
                            throw new IllegalArgumentException("no field 'partition'");
                        },
                        Event::time,
                        FIVE,
                        invalid::add,
                        lane)),
                1);
        event(0, 1);
        assertThat(invalid.get(2).reason()).contains("no field 'partition'");
    }

    @Test
    void s31TheEndIsTheEndForIdlePartitionsToo() {
        TestSubscriber<Object> subscriber = openWindows(2, FIVE.idleAfter(millis(10)));
        event(0, 15);
        after(10);
        source.complete();
        assertThat(windows(subscriber)).containsExactly("[10,20):1");
        assertThat(seen(subscriber)).endsWith("idle", "run>end");
        assertThat(subscriber.isTerminatedComplete()).isTrue();
    }

    @Test
    void timersEndWithTheStream() {
        TestSubscriber<Object> subscriber = open(2, FIVE.idleAfter(millis(10)));
        event(0, 15);
        assertThat(lane.timers()).isEqualTo(1);
        subscriber.cancel();
        assertThat(lane.timers()).isZero();
        after(100);
        assertThat(seen(subscriber)).hasSize(1);
    }
}
