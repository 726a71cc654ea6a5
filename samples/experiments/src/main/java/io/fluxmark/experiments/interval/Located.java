package io.fluxmark.experiments.interval;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.LinearFit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Where the least time is lost, of what was measured.
 *
 * @param law of the loss to checkpoints
 * @param failure what a failure costs in seconds, by the seconds of work that were not committed
 * @param cost C, seconds: the slope of the share lost against checkpoints a second
 * @param optimum seconds, within the sweep of 50 ms to 60 s
 */
record Located(LossLaw law, LinearFit failure, double cost, double optimum) {

    /** Mean time between failures, seconds. */
    static final double BETWEEN_FAILURES = 60;

    /** Less can't be told from nothing. */
    private static final double LEAST = 1e-6;

    /** The sweep ends there, and with it what can be the optimum; seconds. */
    private static final double SHORTEST = 0.05;

    private static final double LONGEST = 60;

    private static final int SAMPLES = 400;
    private static final long SEED = 5;
    private static final double LOW = 0.05;

    /** One point of the loss to checkpoints: checkpoints a second, and the share of time lost. */
    record Loss(double perSecond, double share) {}

    /** One failure: seconds of work that were not committed, and seconds until they were done again. */
    record Failure(double uncommitted, double lost) {}

    /**
     * How exactly the optimum is known.
     *
     * @param low 5 of 100 samples of the same measurements give a shorter interval, seconds
     * @param high 5 of 100 a longer one
     */
    record Range(double low, double high) {

        /** The factor by which the one in the middle may be wrong to either side. */
        double factor() {
            return Math.sqrt(high / low);
        }
    }

    /** Of the losses by interval, round by round, and of failures. */
    static Located of(Map<Long, List<Loss>> losses, List<Failure> failures) {
        List<Double> perSecond = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        new TreeMap<>(losses).values().forEach(rounds -> {
            perSecond.add(Figures.median(rounds.stream().map(Loss::perSecond).toList()));
            shares.add(Figures.median(rounds.stream().map(Loss::share).toList()));
        });
        LossLaw law = LossLaw.of(perSecond, shares);
        LinearFit failure = LinearFit.of(
                failures.stream().map(Failure::uncommitted).toList(),
                failures.stream().map(Failure::lost).toList());
        double cost = Math.max(LEAST, LinearFit.of(perSecond, shares).slope());
        double optimum = law.optimum(Math.max(LEAST, failure.slope()), BETWEEN_FAILURES);
        return new Located(law, failure, cost, Math.min(LONGEST, Math.max(SHORTEST, optimum)));
    }

    /** How far the optimum scatters if rounds and failures are drawn again from those that were measured. */
    static Range range(Map<Long, List<Loss>> losses, List<Failure> failures) {
        SplittableRandom random = new SplittableRandom(SEED);
        int rounds = losses.values().iterator().next().size();
        List<Double> optima = new ArrayList<>();
        while (optima.size() < SAMPLES) {
            // A round as a whole: what disturbed it disturbed all its runs.
            int[] chosen = random.ints(rounds, 0, rounds).toArray();
            Map<Long, List<Loss>> drawn = new TreeMap<>();
            losses.forEach((interval, all) -> {
                List<Loss> some = new ArrayList<>();
                for (int round : chosen) {
                    some.add(all.get(round));
                }
                drawn.put(interval, some);
            });
            List<Failure> drawnFailures = new ArrayList<>();
            do {
                drawnFailures.clear();
                for (int i = 0; i < failures.size(); i++) {
                    drawnFailures.add(failures.get(random.nextInt(failures.size())));
                }
            } while (drawnFailures.stream().distinct().count() < 2);
            optima.add(of(drawn, drawnFailures).optimum());
        }
        optima.sort(Double::compare);
        return new Range(optima.get((int) (LOW * SAMPLES)), optima.get((int) ((1 - LOW) * SAMPLES)));
    }

    /** What the square-root rule makes of the cost, seconds. */
    double rule() {
        return Math.sqrt(2 * cost * BETWEEN_FAILURES);
    }

    /** The measured optimum by that of the rule. */
    double ratio() {
        return optimum / rule();
    }

    /** The share of time that failures cost at an interval. */
    double lostToFailures(double seconds) {
        return failure.at(seconds / 2) / BETWEEN_FAILURES;
    }
}
