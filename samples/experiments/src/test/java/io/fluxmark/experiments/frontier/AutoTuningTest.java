package io.fluxmark.experiments.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.experiments.measure.Arrival;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.windows.AutoDelay;
import io.fluxmark.windows.WatermarkSpec;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A delay that is found from the events beside the best one that would have been chosen knowing all of them, on the inputs of the
 * experiment. All of it is computed in event time: it is the same on any machine.
 */
class AutoTuningTest {

    private static final boolean THOROUGH = "thorough".equals(System.getProperty("fluxmark.tier"));
    private static final double WANTED = 0.999;
    private static final double WITHIN = 0.001;
    private static final double LONGER = 1.2;

    private static final long MINUTE = 60_000;

    /**
     * An input, and what a user would declare.
     *
     * @param step all times are multiples of it, ms
     */
    private record Subject(Input input, Duration longest, long step) {}

    private static Stream<Subject> subjects() {
        int perSecond = THOROUGH ? 1_000 : 100;
        int perSecondForLong = THOROUGH ? 100 : 20;
        Duration judged = Duration.ofHours(1);
        Duration soon = Duration.ofMinutes(10);
        Duration offline = Duration.ofHours(8);
        return Stream.of(
                new Subject(Subjects.flights(Scale.FULL).input(), Duration.ofDays(1), MINUTE),
                new Subject(
                        Subjects.synthetic(
                                Subjects.EXPONENTIAL,
                                Subjects.exponential(Scale.QUICK).law(),
                                judged,
                                soon,
                                perSecond),
                        soon,
                        1_000 / perSecond),
                new Subject(
                        Subjects.synthetic(
                                Subjects.BIMODAL,
                                Subjects.bimodal(Scale.QUICK).law(),
                                judged,
                                offline,
                                perSecondForLong),
                        offline,
                        1_000 / perSecondForLong));
    }

    @TestFactory
    Stream<DynamicTest> theWantedShareIsInTimeAtHardlyMoreThanTheBestDelay() {
        return subjects().map(subject -> DynamicTest.dynamicTest(subject.input().name(), () -> verify(subject)));
    }

    private static void verify(Subject subject) {
        long best = LatenessCounts.of(subject.input(), subject.step()).delayFor(WANTED);
        Waits fixed = measure(subject, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(best)));
        Waits auto = measure(subject, WatermarkSpec.autoTuned(AutoDelay.forCompleteness(WANTED, subject.longest())));
        System.out.printf(
                Locale.ROOT,
                "auto-tuned delay, %s: %,d events, longest delay %s: %.4f %% in time after a mean wait of %.2f min; the best"
                        + " fixed delay in hindsight is %.2f min (%.4f %%, mean wait %.2f min): %.3f times the delay, %.3f"
                        + " times its wait%n",
                subject.input().name(),
                auto.events(),
                subject.longest(),
                100 * auto.completeness(),
                auto.mean() / MINUTE,
                (double) best / MINUTE,
                100 * fixed.completeness(),
                fixed.mean() / MINUTE,
                auto.mean() / best,
                auto.mean() / fixed.mean());
        assertThat(fixed.completeness()).as("the best fixed delay is enough").isGreaterThanOrEqualTo(WANTED);
        assertThat(auto.completeness()).isBetween(WANTED - WITHIN, WANTED + WITHIN);
        assertThat(auto.mean()).isLessThanOrEqualTo(LONGER * best);
        assertThat(auto.stepsBack()).isZero();
    }

    private static Waits measure(Subject subject, WatermarkSpec spec) {
        Waits waits = new Waits(subject.input(), subject.step());
        waits.run(spec.onFarFuture(WatermarkSpec.FarFuture.TRUST), Arrival::eventMillis);
        return waits;
    }
}
