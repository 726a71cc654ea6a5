package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.fluxmark.state.StoreCommit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class CheckpointCostsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final CheckpointCosts job = new CheckpointCosts(2);
    private final LaneCosts lane = new LaneCosts(job, 0, clock);

    @AfterEach
    void dispose() {
        clock.dispose();
    }

    private void pass(long millis) {
        clock.advanceTimeBy(Duration.ofMillis(millis));
    }

    @Test
    void theAdvisedIntervalLosesLeastAndTwiceOrHalfOfItAQuarterMore() {
        CheckpointAdvice advice = new CheckpointAdvice(Duration.ofMillis(10), Duration.ofMillis(300), MINUTE);
        Duration best = advice.interval();
        assertThat(best.toMillis()).isEqualTo(1_095);
        double least = advice.lossAt(best);
        for (int millis = 50; millis < 60_000; millis += 50) {
            assertThat(advice.lossAt(Duration.ofMillis(millis))).isGreaterThanOrEqualTo(least);
        }
        double restart = 0.3 / 60;
        assertThat(least - restart).isCloseTo(0.01826, within(0.0001));
        assertThat(advice.lossAt(best.multipliedBy(2)) - restart).isCloseTo(1.25 * (least - restart), within(1e-6));
        assertThat(advice.lossAt(best.dividedBy(2)) - restart).isCloseTo(1.25 * (least - restart), within(1e-6));
    }

    @Test
    void theAdviceIsNeverShorterThanACheckpointAndRejectsWhatMakesNoSense() {
        assertThat(new CheckpointAdvice(MINUTE, Duration.ZERO, Duration.ofSeconds(1)).interval())
                .isEqualTo(MINUTE);
        assertThatThrownBy(() -> new CheckpointAdvice(Duration.ZERO, Duration.ZERO, MINUTE))
                .hasMessageContaining("cost of a checkpoint");
        assertThatThrownBy(() -> new CheckpointAdvice(MINUTE, MINUTE.negated(), MINUTE))
                .hasMessageContaining("PT-1M");
        assertThatThrownBy(() -> new CheckpointAdvice(MINUTE, Duration.ZERO, Duration.ZERO))
                .hasMessageContaining("between failures");
        assertThatThrownBy(() -> job.advice(MINUTE)).hasMessageContaining("no checkpoint");
    }

    @Test
    void theTimeInWhichTheHeadHandsABarrierOnCountsOnce() {
        lane.handing();
        pass(3);
        long began = lane.begins();
        pass(4);
        lane.ends(began);
        pass(1);
        lane.handed();
        pass(1_000);
        lane.handed();
        lane.durable(commit(0, 0), false);
        assertThat(job.perCheckpoint()).isEqualTo(Duration.ofMillis(8));
    }

    @Test
    void whatTheEndDoesLaterAndItsStandingStillBeforeMoreInputCountToo() {
        lane.handing();
        lane.handed();
        pass(100);
        long began = lane.begins();
        pass(4);
        lane.ends(began);
        lane.stands();
        pass(20);
        lane.durable(commit(0, 0), true);
        assertThat(job.perCheckpoint()).isEqualTo(Duration.ofMillis(24));
    }

    @Test
    void waitingThatHoldsNothingUpCostsNothing() {
        lane.stands();
        pass(20);
        lane.durable(commit(6, 6), false);
        lane.handing();
        pass(50);
        lane.nothingLost();
        assertThat(job.perCheckpoint())
                .as("half of the store's time, on two processors")
                .isEqualTo(Duration.ofMillis(3));
    }

    @Test
    void whatRowsTakeOfACommitCostsNothingAndTheWaitForItLess() {
        lane.handing();
        long began = lane.begins();
        pass(4);
        lane.ends(began);
        lane.handed();
        lane.stands();
        pass(20);
        lane.durable(commit(40, 4), true);
        assertThat(job.perCheckpoint()).isEqualTo(Duration.ofMillis(4 + 20 / 10 + 4 / 2));
    }

    @Test
    void soDoesTheWaitOfAHeadThatStopsAtBarriers() {
        lane.handing();
        long began = lane.begins();
        pass(4);
        lane.ends(began);
        pass(40);
        lane.durable(commit(40, 4), true);
        lane.handed();
        lane.durable(commit(0, 0), false);
        assertThat(job.perCheckpoint().toNanos())
                .as("the mean of 2 ms and, an eighth, of 4 ms beside a tenth of 40")
                .isEqualTo((nanos(2) * 7 + nanos(8)) / 8);
    }

    @Test
    void lanesShareTheProcessorsAndNewerCheckpointsCountMore() {
        for (int number = 0; number < 4; number++) {
            job.add(number, nanos(10), nanos(2));
        }
        assertThat(job.perCheckpoint()).isEqualTo(Duration.ofMillis(40 / 2 + 8 / 2));
        for (int i = 0; i < 100; i++) {
            job.add(0, nanos(30), nanos(2));
        }
        assertThat(job.perCheckpoint().toMillis()).isBetween(33L, 34L);
        assertThat(job.checkpoints()).isEqualTo(104);
        job.restarted(nanos(70));
        assertThat(job.advice(MINUTE).restart()).isEqualTo(Duration.ofMillis(70));
    }

    private static StoreCommit commit(long busyMillis, long perCommitMillis) {
        return new StoreCommit(1, List.of(), nanos(busyMillis), nanos(perCommitMillis));
    }

    private static long nanos(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
