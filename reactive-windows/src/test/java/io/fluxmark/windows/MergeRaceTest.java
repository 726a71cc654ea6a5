package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Hooks;
import reactor.test.subscriber.TestSubscriber;
import reactor.test.util.RaceTestUtils;

/** Sources of a merge that cross with each other and with everything else: nothing is lost, twice, or left behind. */
class MergeRaceTest {

    private static final int ROUNDS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 20_000 : 1_000;
    private static final WatermarkSpec SPEC =
            WatermarkSpec.ascending().idleAfter(Duration.ofMillis(10)).followClockWhenIdle(Duration.ofMillis(20));
    private static final List<String> ALL = List.of("a0", "a1", "a2", "b0", "b1", "b2");

    private final List<Throwable> droppedErrors = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void listenToDroppedErrors() {
        Hooks.onErrorDropped(droppedErrors::add);
    }

    @AfterEach
    void resetHooks() {
        Hooks.resetOnErrorDropped();
    }

    /** A merge of two sources, and what becomes of what they send. */
    private static final class Round {

        final ManualSource<String> a = new ManualSource<>();
        final ManualSource<String> b = new ManualSource<>();
        final TestLane lane = new TestLane();
        final List<Object> discarded = Collections.synchronizedList(new ArrayList<>());
        final TestSubscriber<Object> subscriber;

        Round(long demand) {
            subscriber = TestSubscriber.builder().initialRequest(demand).build();
            EventTime.merge(
                            List.of(a, b),
                            3,
                            value -> value.charAt(1) - '0' + (value.startsWith("b") ? 10 : 0),
                            SPEC,
                            invalid -> {},
                            lane)
                    .cast(Object.class)
                    .doOnDiscard(String.class, discarded::add)
                    .subscribe(subscriber);
        }

        void send(ManualSource<String> source) {
            String name = source == a ? "a" : "b";
            for (int i = 0; i < 3; i++) {
                source.next(name + i);
            }
        }

        void sendAndComplete(ManualSource<String> source) {
            send(source);
            source.complete();
        }

        void timers() {
            lane.clock.advanceTimeBy(Duration.ofMillis(40));
        }

        List<Object> received() {
            return subscriber.getReceivedOnNext().stream()
                    .flatMap(element -> element instanceof EventBatch<?> run ? EventBatch.contents(run) : Stream.of())
                    .map(Object.class::cast)
                    .toList();
        }

        /** In order in its source, and so not late, unless silence or an end said too much. */
        void assertNoneIsLate() {
            for (Object element : subscriber.getReceivedOnNext()) {
                if (element instanceof EventBatch<?> run) {
                    for (int i = 0; i < run.size(); i++) {
                        assertThat(Watermark.isLate(run.watermarkBefore(i), run.timestamp(i)))
                                .as("%s of %s", run.value(i), subscriber.getReceivedOnNext())
                                .isFalse();
                    }
                }
            }
        }

        void assertOrder() {
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
    }

    private static void rounds(String what, Runnable round) {
        for (int i = 0; i < ROUNDS; i++) {
            round.run();
        }
        System.out.printf("race of a merge's %s: %d rounds%n", what, ROUNDS);
    }

    @Test
    void sourcesTimersAndCompletions() {
        rounds("sources and timers", () -> {
            Round round = new Round(Long.MAX_VALUE);
            RaceTestUtils.race(
                    () -> round.sendAndComplete(round.a), () -> round.sendAndComplete(round.b), round::timers);
            assertThat(round.subscriber.isTerminatedComplete()).isTrue();
            assertThat(round.received()).containsExactlyInAnyOrderElementsOf(ALL);
            round.assertOrder();
        });
    }

    @Test
    void sourcesAndDemand() {
        rounds("sources and demand", () -> {
            Round round = new Round(0);
            RaceTestUtils.race(() -> round.sendAndComplete(round.a), () -> round.sendAndComplete(round.b), () -> {
                round.subscriber.request(1);
                round.subscriber.request(1);
            });
            assertThat(round.subscriber.getReceivedOnNext()).hasSizeLessThanOrEqualTo(2);
            round.subscriber.request(Long.MAX_VALUE);
            assertThat(round.subscriber.isTerminatedComplete()).isTrue();
            assertThat(round.received()).containsExactlyInAnyOrderElementsOf(ALL);
            round.assertNoneIsLate();
            round.assertOrder();
        });
    }

    @Test
    void sourcesAndCompletions() {
        rounds("sources and completions", () -> {
            Round round = new Round(Long.MAX_VALUE);
            round.send(round.b);
            RaceTestUtils.race(() -> round.sendAndComplete(round.a), round.b::complete);
            assertThat(round.subscriber.isTerminatedComplete()).isTrue();
            assertThat(round.received()).containsExactlyInAnyOrderElementsOf(ALL);
            round.assertNoneIsLate();
        });
    }

    @Test
    void sourcesAndCancel() {
        rounds("sources and cancel", () -> {
            Round round = new Round(1);
            RaceTestUtils.race(
                    () -> round.send(round.a), () -> round.send(round.b), round::timers, round.subscriber::cancel);
            assertThat(round.a.cancels).hasValue(1);
            assertThat(round.b.cancels).hasValue(1);
            assertThat(round.subscriber.isTerminated()).isFalse();
            assertThat(round.subscriber.getProtocolErrors()).isEmpty();
            List<Object> all = new ArrayList<>(round.received());
            all.addAll(round.discarded);
            assertThat(all).as("received or discarded, once each").containsExactlyInAnyOrderElementsOf(ALL);
            assertThat(round.lane.timers()).isZero();
        });
    }

    @Test
    void sourcesAndFailures() {
        IllegalStateException one = new IllegalStateException("one");
        IllegalStateException two = new IllegalStateException("two");
        rounds("sources and failures", () -> {
            droppedErrors.clear();
            Round round = new Round(1);
            RaceTestUtils.race(
                    () -> {
                        round.send(round.a);
                        round.a.fail(one);
                    },
                    () -> {
                        round.send(round.b);
                        round.b.fail(two);
                    },
                    () -> round.subscriber.request(Long.MAX_VALUE));
            assertThat(round.subscriber.expectTerminalError()).isIn(one, two);
            assertThat(droppedErrors).hasSize(1).doesNotContain(round.subscriber.expectTerminalError());
            List<Object> all = new ArrayList<>(round.received());
            all.addAll(round.discarded);
            assertThat(all).as("received or discarded, once each").containsExactlyInAnyOrderElementsOf(ALL);
            String failed = round.subscriber.expectTerminalError() == one ? "a" : "b";
            assertThat(round.received()).as("what came before its error").contains(failed + 0, failed + 1, failed + 2);
            round.assertOrder();
        });
    }
}
