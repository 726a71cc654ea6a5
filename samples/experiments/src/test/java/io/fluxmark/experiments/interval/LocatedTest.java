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
        Located located = Located.of(losses(0.012, 0, 0, 1), failures(1.5, 1, 0));

        assertThat(located.cost()).isEqualTo(0.012, within(1e-9));
        assertThat(located.law().held()).isEqualTo(0, within(1e-9));
        assertThat(located.law().constant()).isEqualTo(0.04, within(1e-9));
        assertThat(located.rule()).isEqualTo(Math.sqrt(2 * 0.012 * 60), within(1e-9));
        assertThat(located.ratio()).isEqualTo(1, within(0.02));
        assertThat(located.lostToFailures(2)).isEqualTo((1.5 + 1) / 60, within(1e-9));
    }

    /** Work that takes twice as long again makes the best interval shorter, which the rule knows nothing of. */
    @Test
    void aSlowReplayAndWhatIsHeldOnTheHeapMoveTheOptimum() {
        assertThat(Located.of(losses(0.012, 0, 0, 1), failures(1.5, 2, 0)).ratio())
                .isCloseTo(Math.sqrt(0.5), Percentage.withPercentage(2));

        Located holding = Located.of(losses(0.012, 0.05, 0, 1), failures(1, 1, 0));
        assertThat(holding.law().each()).isEqualTo(0.012, within(1e-9));
        assertThat(holding.law().held()).isEqualTo(0.05, within(1e-9));
        double at = holding.optimum();
        assertThat(total(holding, at)).isLessThan(total(holding, at * 1.1)).isLessThan(total(holding, at / 1.1));
        assertThat(at).isEqualTo(Math.sqrt(0.012 / (0.05 + 1 / 120.0)), within(1e-9));
    }

    /** A job that is the faster the more checkpoints there are has its optimum at the shortest interval. */
    @Test
    void noPartOfTheLawIsNegative() {
        Located located = Located.of(losses(-0.01, 0, 0, 1), failures(1, 1, 0));
        assertThat(located.law().each()).isZero();
        assertThat(located.optimum()).isEqualTo(0.05);
    }

    /** What holds of the estimate: the range covers the truth, and is wider where more scatters. */
    @Test
    void theRangeCoversTheOptimumAndGrowsWithTheScatter() {
        double truth = Math.sqrt(2 * 0.012 * 60);
        Located.Range calm = Located.range(losses(0.012, 0, 0.003, 8), failures(1.5, 1, 0.05));
        Located.Range rough = Located.range(losses(0.012, 0, 0.03, 8), failures(1.5, 1, 0.5));
        System.out.println("located: calm " + calm + ", rough " + rough + ", seed " + SEED);

        assertThat(truth).isBetween(calm.low(), calm.high());
        assertThat(rough.factor()).isGreaterThan(calm.factor());
        assertThat(calm.factor()).isBetween(1.0, 1.5);
    }

    private static double total(Located located, double seconds) {
        return located.law().depending(1 / seconds) + located.lostToFailures(seconds);
    }

    private static Map<Long, List<Located.Loss>> losses(double each, double held, double scatter, int rounds) {
        Random random = new Random(SEED);
        Map<Long, List<Located.Loss>> losses = new TreeMap<>();
        for (long interval : INTERVALS) {
            double perSecond = 1_000.0 / interval;
            List<Located.Loss> all = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                double lost = 0.04 + each * perSecond + held / perSecond + scatter * random.nextGaussian();
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
