package io.fluxmark.experiments.barriers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class InputsModelTest {

    private static final int TRIALS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 20_000 : 500;
    private static final long SEED = 11;
    private static final long EVENTS = 2_000;

    @Test
    void nothingIsLostOrDoubledWhereverTheBarrierComesAndTheCrash() {
        Random random = new Random(SEED);
        long found = 0;
        for (int i = 0; i < TRIALS; i++) {
            InputsModel.Setting setting = new InputsModel.Setting(
                    1 + random.nextInt(5), random.nextBoolean(), 1 + random.nextInt(8), 1 + random.nextInt(40), 1);
            boolean unaligned = random.nextBoolean();
            int barrierAt = random.nextInt(100);
            int crashAfter = random.nextInt(100);
            InputsModel.Outcome outcome = new InputsModel(setting, EVENTS).run(unaligned, barrierAt, crashAfter, true);

            assertThat(outcome.lost() + outcome.doubled())
                    .as(setting + ", seed " + SEED)
                    .isZero();
            if (unaligned) {
                assertThat(outcome.waitMicros()).isZero();
                InputsModel.Outcome wrong = new InputsModel(setting, EVENTS).run(true, barrierAt, crashAfter, false);
                assertThat(wrong.lost()).as("without what was queued").isEqualTo(outcome.queuedEvents());
                found += wrong.lost();
            } else {
                assertThat(outcome.queuedEvents()).isZero();
            }
        }
        System.out.println(
                "inputs model: " + TRIALS + " trials, seed " + SEED + ", " + found + " events lost on purpose");
        assertThat(found).isPositive();
    }

    /** Three full queues are worked off before the last barrier is met; the slow input stands all that time. */
    @Test
    void anAlignedBarrierWaitsForAllFullQueues() {
        InputsModel.Setting setting = new InputsModel.Setting(4, true, 32, 256, 1);

        InputsModel.Outcome outcome = new InputsModel(setting, 256_000).run(false, 40, 10, true);

        assertThat(outcome.waitMicros()).isBetween(3 * 31 * 256.0, 3 * 33 * 256.0);
        assertThat(outcome.blockedMicros()).isBetween(2 * 31 * 256.0, outcome.waitMicros());
    }
}
