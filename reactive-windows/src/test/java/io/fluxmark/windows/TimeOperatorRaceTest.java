package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.test.subscriber.TestSubscriber;
import reactor.test.util.RaceTestUtils;

/** Timers that cross with everything else: one signal at a time, nothing without demand, nothing after the end. */
class TimeOperatorRaceTest {

    private static final int ROUNDS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 20_000 : 1_000;
    private static final WatermarkSpec SPEC =
            WatermarkSpec.ascending().idleAfter(Duration.ofMillis(10)).followClockWhenIdle(Duration.ofMillis(20));

    private final ManualSource<StreamElement<String>> source = new ManualSource<>();
    private final TestLane lane = new TestLane();
    private final List<Object> discarded = Collections.synchronizedList(new ArrayList<>());
    private TestSubscriber<Object> subscriber;

    private static StreamElement<String> run(int i) {
        return EventBatch.ofValues("a" + i, "b" + i);
    }

    private void open(long demand) {
        subscriber = TestSubscriber.builder().initialRequest(demand).build();
        source.transform(EventTime.assignByPartition(
                        2,
                        value -> value.charAt(0) - 'a',
                        value -> Long.parseLong(value.substring(1)),
                        SPEC,
                        invalid -> {},
                        lane))
                .cast(Object.class)
                .doOnDiscard(String.class, discarded::add)
                .subscribe(subscriber);
        source.next(run(0));
    }

    private static void rounds(String what, Runnable round) {
        for (int i = 0; i < ROUNDS; i++) {
            round.run();
        }
        System.out.printf("race of timers and %s: %d rounds%n", what, ROUNDS);
    }

    private void timers() {
        lane.clock.advanceTimeBy(Duration.ofMillis(40));
    }

    private long events() {
        return subscriber.getReceivedOnNext().stream()
                .filter(EventBatch.class::isInstance)
                .mapToInt(run -> ((EventBatch<?>) run).size())
                .sum();
    }

    /** No watermark steps back, and no event is behind one that it was told of. */
    private void assertOrder() {
        long last = Watermark.NONE;
        for (Object element : subscriber.getReceivedOnNext()) {
            if (element instanceof Watermark<?> watermark) {
                assertThat(watermark.timestamp()).isGreaterThan(last);
                last = watermark.timestamp();
            } else if (element instanceof EventBatch<?> run) {
                assertThat(run.watermarkBefore(0)).isGreaterThanOrEqualTo(last);
                last = run.watermarkAfter();
            }
        }
        assertThat(subscriber.getProtocolErrors()).isEmpty();
    }

    @Test
    void inputAndCompletion() {
        rounds("input", () -> new TimeOperatorRaceTest().raceInput());
    }

    private void raceInput() {
        open(Long.MAX_VALUE);
        RaceTestUtils.race(this::timers, () -> {
            source.next(run(1));
            source.next(run(2));
            source.complete();
        });
        assertThat(subscriber.isTerminatedComplete()).isTrue();
        assertThat(events()).isEqualTo(6);
        assertOrder();
    }

    @Test
    void demand() {
        rounds("demand", () -> new TimeOperatorRaceTest().raceDemand());
    }

    private void raceDemand() {
        open(0);
        RaceTestUtils.race(this::timers, () -> {
            subscriber.request(1);
            subscriber.request(1);
        });
        assertThat(subscriber.getReceivedOnNext()).hasSizeLessThanOrEqualTo(2);
        assertThat(events()).isEqualTo(2);
        assertOrder();
    }

    @Test
    void cancel() {
        rounds("cancel", () -> new TimeOperatorRaceTest().raceCancel());
    }

    private void raceCancel() {
        open(0);
        RaceTestUtils.race(
                this::timers,
                () -> {
                    subscriber.request(Long.MAX_VALUE);
                    source.next(run(1));
                },
                subscriber::cancel);
        assertThat(source.cancels).hasValue(1);
        assertThat(subscriber.isTerminated()).isFalse();
        assertThat(subscriber.getProtocolErrors()).isEmpty();
        assertThat(discarded).hasSameSizeAs(new HashSet<>(discarded));
        assertThat(lane.timers()).isZero();
    }
}
