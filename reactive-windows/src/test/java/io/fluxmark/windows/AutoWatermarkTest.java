package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** When a delay is chosen, which one, and that the watermark never moves back for it. */
class AutoWatermarkTest {

    /** From 250 events, looked at every 16 of them, first behind 50. */
    private static final AutoDelay FOUR_IN_FIVE = AutoDelay.forCompleteness(0.8, Duration.ofMillis(100));

    private final AutoWatermark auto = new AutoWatermark(FOUR_IN_FIVE);
    private long watermark = Watermark.NONE;
    private long time;

    /** The newest time so far, from which lateness counts. */
    private long newest = -1;

    private void events(int count, LongUnaryOperator late) {
        events(auto, count, late);
    }

    /** Events a millisecond apart, each as late as its number says. */
    private void events(AutoWatermark tuned, int count, LongUnaryOperator late) {
        for (int i = 0; i < count; i++) {
            long by = late.applyAsLong(time);
            newest = by == 0 ? time : newest;
            long next = tuned.onEvent(newest - by);
            time++;
            assertThat(next).as("never back").isGreaterThanOrEqualTo(watermark);
            watermark = next;
        }
    }

    @Test
    void itBeginsWithTheLongestDelayUntilTimeHasGoneOnForAsLong() {
        events(111, t -> 0);
        assertThat(watermark).isEqualTo(110 - 100 - 1);
        assertThat(auto.choice().isLearning()).isTrue();
        assertThat(auto.choice().delayMillis()).isEqualTo(100);
        events(1, t -> 0);
        assertThat(watermark).as("behind 112 events, a multiple of 16").isEqualTo(111 - 0 - 1);
        assertThat(auto.choice()).isEqualTo(new DelayChoice(0, 0, 1, 112, 0, 0.8));
    }

    @Test
    void aStepOfTimeIsNotTimeThatWasSeen() {
        events(10, t -> 0);
        time += 1_000_000;
        events(60, t -> 0);
        assertThat(auto.choice().isLearning()).isTrue();
        events(60, t -> 0);
        assertThat(auto.choice().isLearning()).isFalse();
    }

    @Test
    void aFewEventsAreNotEnoughHoweverLongTheyTake() {
        AutoWatermark sparse = new AutoWatermark(AutoDelay.forCompleteness(0.99, Duration.ofMillis(100)));
        for (int i = 0; i < 992; i++) {
            assertThat(sparse.onEvent(10L * i)).isEqualTo(10L * i - 101);
        }
        for (int i = 992; i < 1_008; i++) {
            sparse.onEvent(10L * i);
        }
        assertThat(sparse.choice().isLearning()).isFalse();
    }

    /** Of five events two are 30 late, then two are 20 late, then two are 19: a delay that is too long by less than 5 % stays. */
    @Test
    void itGrowsAtOnceAndShrinksWhenItIsWorthIt() {
        events(112, t -> 0);
        events(1_008, t -> t % 5 < 2 ? 30 : 0);
        assertThat(auto.choice().delayMillis()).isEqualTo(30);
        assertThat(watermark).isEqualTo(time - 1 - 30 - 1);
        events(960, t -> t % 5 < 2 ? 20 : 0);
        assertThat(auto.choice().delayMillis()).isEqualTo(20);
        assertThat(watermark).isEqualTo(time - 1 - 20 - 1);
        long changes = auto.choice().changes();
        events(1_008, t -> t % 5 < 2 ? 19 : 0);
        assertThat(auto.choice().proposedMillis()).isEqualTo(19);
        assertThat(auto.choice().delayMillis()).isEqualTo(19);
        assertThat(auto.choice().changes()).isEqualTo(changes + 1);
    }

    @Test
    void aDelayThatIsALittleTooLongStays() {
        AutoWatermark second = new AutoWatermark(AutoDelay.forCompleteness(0.8, Duration.ofSeconds(1)));
        events(second, 4_000, t -> t % 5 < 2 ? 200 : 0);
        assertThat(second.choice().delayMillis()).isEqualTo(200);
        events(second, 4_000, t -> t % 5 < 2 ? 191 : 0);
        assertThat(second.choice().proposedMillis()).isEqualTo(191);
        assertThat(second.choice().delayMillis()).isEqualTo(200);
        events(second, 4_000, t -> t % 5 < 2 ? 189 : 0);
        assertThat(second.choice().delayMillis()).isEqualTo(189);
    }

    @Test
    void aDelayIsNeverLongerThanTheLongest() {
        events(112, t -> 0);
        events(1_008, t -> t % 5 < 2 ? 5_000 : 0);
        assertThat(auto.choice().delayMillis()).isEqualTo(100);
        assertThat(auto.choice().behind())
                .as("what no allowed delay would have waited for")
                .isEqualTo(402);
    }

    @Test
    void aProposalChangesNothing() {
        AutoWatermark proposing = new AutoWatermark(FOUR_IN_FIVE.onlyProposing());
        for (int i = 0; i < 1_000; i++) {
            assertThat(proposing.onEvent(i)).isEqualTo(i - 101);
        }
        assertThat(proposing.choice()).isEqualTo(new DelayChoice(100, 0, 0, 1_000, 0, 0.8));
    }

    @Test
    void whatIsKeptIsBounded() {
        AutoWatermark hours = new AutoWatermark(AutoDelay.forCompleteness(0.999, Duration.ofHours(8)));
        int most = 0;
        long base = 0;
        for (int i = 0; i < 400_000; i++) {
            base += 500;
            hours.onEvent(base - (i * 7_919L) % Duration.ofHours(8).toMillis());
            most = i % 20_000 == 0 ? Math.max(most, hours.state().length) : most;
        }
        System.out.printf("auto delay: at most %,d bytes of state for lateness of any kind up to 8 h%n", 8 * most);
        assertThat(most).isBetween(500, 6_000);
    }

    @Test
    void oddValuesAreRefusedWithTheirRemedy() {
        assertThatThrownBy(() -> AutoDelay.forCompleteness(99.9, Duration.ofHours(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was 99.9: for a percentage divide it by 100");
        assertThatThrownBy(() -> AutoDelay.forCompleteness(1, Duration.ofHours(1)))
                .hasMessageContaining("use boundedOutOfOrderness");
        assertThatThrownBy(() -> AutoDelay.forCompleteness(Double.NaN, Duration.ofHours(1)))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> AutoDelay.forCompleteness(0.9, Duration.ZERO))
                .hasMessageContaining("at least 1 ms but was PT0S");
        assertThatThrownBy(() -> FOUR_IN_FIVE.over(49)).hasMessageContaining("follows from 50 to ");
        assertThat(FOUR_IN_FIVE.over(50).events()).isEqualTo(50);
        assertThat(AutoDelay.forCompleteness(0.999, Duration.ofHours(1)).events())
                .isEqualTo(50_000);
        assertThat(AutoDelay.forCompleteness(0.999, Duration.ofHours(1))).hasToString("delay for 99.9 %, at most PT1H");
        assertThatThrownBy(() -> auto.restore(new long[] {1, 2, 3}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("give the job a new name");
    }

    private final TestLane lane = new TestLane();
    private final AtomicReference<LiveExplanation> live = new AtomicReference<>();

    private String explain(WatermarkSpec spec, int events) {
        TestSubscriber<StreamElement<WindowResult<String, Long>>> subscriber = TestSubscriber.create();
        ManualSource<StreamElement<Long>> source = new ManualSource<>();
        EventFlux.fromElements(source)
                .watermarksMillis(Long::longValue, spec)
                .keyBy(event -> "k")
                .window(WindowSpec.tumbling(Duration.ofSeconds(10)))
                .explainTo(live::set)
                .aggregate(Aggregations.counting())
                .elements(() -> lane)
                .subscribe(subscriber);
        for (long i = 0; i < events; i++) {
            source.next(EventBatch.ofValues(i % 5 < 2 ? i - i % 5 - 1 - 30 : i));
        }
        String text = Objects.requireNonNull(live.get().explain().block(Duration.ofSeconds(20)))
                .text();
        return text.lines().filter(line -> line.contains("partition 0")).reduce("", (a, b) -> b);
    }

    @Test
    void whatHasBeenChosenIsExplained() {
        WatermarkSpec spec = WatermarkSpec.autoTuned(FOUR_IN_FIVE);
        assertThat(explain(spec, 48))
                .endsWith("; its delay is 0.1s, the longest, until enough is seen to tell which is enough for 80 %,"
                        + " 100 % of 48 events in time so far");
        assertThat(explain(spec, 1_000))
                .contains("; its delay is 0.03s for 80 %, 100 % of 1,000 events in time so far");
        assertThat(explain(spec.idleAfter(Duration.ofHours(1)), 1_000)).contains("; its delay is 0.03s for 80 %");
        assertThat(explain(WatermarkSpec.autoTuned(FOUR_IN_FIVE.onlyProposing()), 1_000))
                .contains("; its delay is 0.1s, 0.03s is proposed for 80 %");
        assertThat(explain(WatermarkSpec.ascending(), 1_000)).doesNotContain("delay");
    }

    @Test
    void s30TheClockIsFollowedFromWhereverTheWatermarkIs() {
        WatermarkSpec spec = WatermarkSpec.autoTuned(FOUR_IN_FIVE).followClockWhenIdle(Duration.ofMillis(10));
        TestSubscriber<StreamElement<Long>> subscriber = TestSubscriber.create();
        Flux.concat(Flux.just(EventBatch.ofValues(1_000L)), Flux.<StreamElement<Long>>never())
                .transform(EventTime.assign(Long::longValue, spec, invalid -> {}, lane))
                .subscribe(subscriber);
        lane.clock.advanceTimeBy(Duration.ofMillis(10));
        assertThat(subscriber.getReceivedOnNext()).last().isEqualTo(new Watermark<>(1_000 - 101 + 10, true));
    }
}
