package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Hooks;
import reactor.test.subscriber.TestSubscriber;
import reactor.test.util.RaceTestUtils;

/** The two streams of a join that cross with each other and with everything else: nothing is lost, twice, or left behind. */
class JoinInputsRaceTest {

    private static final int ROUNDS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 20_000 : 1_000;
    private static final List<String> ALL = List.of("l0", "l1", "l2", "r0", "r1", "r2");

    private final List<Throwable> droppedErrors = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void listenToDroppedErrors() {
        Hooks.onErrorDropped(droppedErrors::add);
    }

    @AfterEach
    void resetHooks() {
        Hooks.resetOnErrorDropped();
    }

    /** Two streams, and what becomes of what they send. */
    private static final class Round {

        final ManualSource<StreamElement<String>> left = new ManualSource<>();
        final ManualSource<StreamElement<String>> right = new ManualSource<>();
        final List<Object> discarded = Collections.synchronizedList(new ArrayList<>());
        final TestSubscriber<StreamElement<JoinEvent<String, String>>> subscriber;

        Round(long demand) {
            subscriber = TestSubscriber.builder().initialRequest(demand).build();
            JoinInputsFlux.of(left, right, "inputs", LaneContext.local())
                    .doOnDiscard(String.class, discarded::add)
                    .subscribe(subscriber);
        }

        void send(ManualSource<StreamElement<String>> source) {
            for (int i = 0; i < 3; i++) {
                source.next(EventBatch.<String>builder()
                        .add((source == left ? "l" : "r") + i, i, i - 1L)
                        .build(i));
            }
        }

        void sendAndComplete(ManualSource<StreamElement<String>> source) {
            send(source);
            source.complete();
        }

        List<String> received() {
            List<String> received = new ArrayList<>();
            long last = Watermark.NONE;
            for (StreamElement<JoinEvent<String, String>> element : subscriber.getReceivedOnNext()) {
                if (element instanceof EventBatch<JoinEvent<String, String>> run) {
                    for (int i = 0; i < run.size(); i++) {
                        assertThat(run.timestamp(i)).isGreaterThan(run.watermarkBefore(i));
                        assertThat(run.watermarkBefore(i)).isGreaterThanOrEqualTo(last);
                        last = run.watermarkBefore(i);
                        JoinEvent<String, String> event = run.value(i);
                        received.add(event.left() == null ? event.right() : event.left());
                    }
                    last = run.watermarkAfter();
                } else if (element instanceof Watermark<JoinEvent<String, String>> progress) {
                    assertThat(progress.timestamp()).isGreaterThan(last);
                    last = progress.timestamp();
                }
            }
            assertThat(subscriber.getProtocolErrors()).isEmpty();
            return received;
        }
    }

    private static void rounds(String what, Runnable round) {
        for (int i = 0; i < ROUNDS; i++) {
            round.run();
        }
        System.out.printf("race of a join's %s: %d rounds%n", what, ROUNDS);
    }

    @Test
    void bothStreamsAndTheirEnds() {
        rounds("streams and ends", () -> {
            Round round = new Round(Long.MAX_VALUE);
            RaceTestUtils.race(() -> round.sendAndComplete(round.left), () -> round.sendAndComplete(round.right));
            assertThat(round.received()).containsExactlyInAnyOrderElementsOf(ALL);
            assertThat(round.subscriber.isTerminatedComplete()).isTrue();
            assertThat(round.discarded).isEmpty();
        });
    }

    @Test
    void streamsAndDemand() {
        rounds("streams and demand", () -> {
            Round round = new Round(0);
            RaceTestUtils.race(
                    () -> round.sendAndComplete(round.left),
                    () -> round.sendAndComplete(round.right),
                    () -> round.subscriber.request(3),
                    () -> round.subscriber.request(20));
            assertThat(round.received()).containsExactlyInAnyOrderElementsOf(ALL);
            assertThat(round.subscriber.isTerminatedComplete()).isTrue();
        });
    }

    @Test
    void aCancelDiscardsWhatIsNotReceived() {
        rounds("streams and a cancel", () -> {
            Round round = new Round(Long.MAX_VALUE);
            RaceTestUtils.race(() -> round.send(round.left), () -> round.send(round.right), round.subscriber::cancel);
            List<Object> all = new ArrayList<>(round.received());
            all.addAll(round.discarded);
            assertThat(all).doesNotHaveDuplicates();
            assertThat(round.left.cancels.get()).isPositive();
            assertThat(round.right.cancels.get()).isPositive();
        });
    }

    @Test
    void anErrorOfEachIsTheEndAndTheOtherOneIsDropped() {
        rounds("errors", () -> {
            droppedErrors.clear();
            Round round = new Round(Long.MAX_VALUE);
            RaceTestUtils.race(
                    () -> round.left.fail(new IllegalStateException("left")),
                    () -> round.right.fail(new IllegalStateException("right")));
            assertThat(round.subscriber.isTerminatedError()).isTrue();
            assertThat(droppedErrors).hasSize(1);
            assertThat(round.received()).isEmpty();
        });
    }
}
