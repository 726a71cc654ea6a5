package io.fluxmark.experiments.interval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LocatedTest {

    private static final long SEED = 7;
    private static final List<Long> INTERVALS = List.of(50L, 100L, 200L, 400L, 800L, 1_600L);

    /** Where each checkpoint costs the same and work is done again at its own speed, the rule is right. */
    @Test
    void aConstantCostGivesTheSquareRootRule() {
        Located located = Located.of(losses(0.012, 1, 0, 1), failures(1.5, 1, 0));

        assertThat(located.cost()).isEqualTo(0.012, within(1e-9));
        assertThat(located.law().power()).isEqualTo(1, within(0.011));
        assertThat(located.rule()).isEqualTo(Math.sqrt(2 * 0.012 * 60), within(1e-9));
        assertThat(located.ratio()).isEqualTo(1, within(0.02));
        assertThat(located.lostToFailures(2)).isEqualTo((1.5 + 1) / 60, within(1e-9));
    }

    /** Work that takes twice as long again makes the best interval shorter, which the rule knows nothing of. */
    @Test
    void aSlowReplayAndACostThatGrowsWithTheIntervalMoveTheOptimum() {
        assertThat(Located.of(losses(0.012, 1, 0, 1), failures(1.5, 2, 0)).ratio())
                .isCloseTo(Math.sqrt(0.5), Percentage.withPercentage(2));

        Located growing = Located.of(losses(0.02, 0.5, 0, 1), failures(1, 1, 0));
        assertThat(growing.law().power()).isEqualTo(0.5, within(0.011));
        double at = growing.optimum();
        assertThat(total(growing, at)).isLessThan(total(growing, at * 1.1)).isLessThan(total(growing, at / 1.1));
        assertThat(growing.ratio()).isGreaterThan(1.2);
    }

    /** What holds of the estimate: the range covers the truth, and is wider where more scatters. */
    @Test
    void theRangeCoversTheOptimumAndGrowsWithTheScatter() {
        double truth = Math.sqrt(2 * 0.012 * 60);
        Located.Range calm = Located.range(losses(0.012, 1, 0.003, 8), failures(1.5, 1, 0.05));
        Located.Range rough = Located.range(losses(0.012, 1, 0.03, 8), failures(1.5, 1, 0.5));
        System.out.println("located: calm " + calm + ", rough " + rough + ", seed " + SEED);

        assertThat(truth).isBetween(calm.low(), calm.high());
        assertThat(rough.factor()).isGreaterThan(calm.factor());
        assertThat(calm.factor()).isBetween(1.0, 1.5);
    }

    private static double total(Located located, double seconds) {
        return located.law().rising(1 / seconds) + located.lostToFailures(seconds);
    }

    private static Map<Long, List<Located.Loss>> losses(double factor, double power, double scatter, int rounds) {
        Random random = new Random(SEED);
        Map<Long, List<Located.Loss>> losses = new TreeMap<>();
        for (long interval : INTERVALS) {
            double perSecond = 1_000.0 / interval;
            List<Located.Loss> all = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                double lost = 0.04 + factor * Math.pow(perSecond, power) + scatter * random.nextGaussian();
                all.add(new Located.Loss(perSecond, lost));
            }
            losses.put(interval, all);
        }
        return losses;
    }

    private static List<Located.Failure> failures(double restart, double slope, double scatter) {
        Random random = new Random(SEED);
        List<Located.Failure> failures = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            double uncommitted = 3.2 * (i + 0.5) / 24;
            failures.add(
                    new Located.Failure(uncommitted, restart + slope * uncommitted + scatter * random.nextGaussian()));
        }
        return failures;
    }
}
