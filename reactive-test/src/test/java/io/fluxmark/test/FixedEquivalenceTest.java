package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.WindowSpec;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Sliding and calendar windows, in every mode of emitting, equal plain batch (S51, S53.1, S53.3, S53.12). */
class FixedEquivalenceTest {

    private static final long SEED = 70_001;
    private static final int[][] RATIOS = {{10, 10}, {10, 5}, {10, 4}, {5, 10}, {7, 3}};
    private static final long HOUR = 3_600_000;

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void s53SlidingWindowsOfAnyRatioEqualPlainBatchOverTheAcceptedAssignments() {
        int cases = Tier.cases(300, 4_000);
        Equivalence sum = RandomInput.verify("sliding equivalence", cases, SEED, seed -> {
            RandomInput input = new RandomInput(seed);
            int[] ratio = RATIOS[input.upTo(RATIOS.length - 1)];
            WindowSpec windows = (ratio[0] == ratio[1]
                            ? WindowSpec.tumbling(ms(ratio[0]))
                            : WindowSpec.sliding(ms(ratio[0]), ms(ratio[1])))
                    .offset(ms(input.of(-2, 0, ratio[1] == 3 ? 2 : 3)))
                    .allowedLateness(ms(input.of(0, 0, 6, 40)));
            return BatchEquivalence.of(input.sums(input.emitting(windows), input.of(0, 3, 12, 90)))
                    .events(input.events(-30, 61))
                    .disorder(input.disorder(40))
                    .verify();
        });
        assertThat(sum.refired()).isGreaterThan(cases);
        assertThat(sum.late()).isGreaterThan(cases);
        assertThat(sum.count(Counter.PARTIAL)).isGreaterThan(cases / 4);
        assertThat(sum.count(Counter.UNASSIGNED)).isGreaterThan(cases / 4);
        assertThat(sum.count(Counter.FIRES_EARLY)).isGreaterThan(cases);
    }

    @Test
    void s09CalendarWindowsEqualPlainBatchWhereClocksChange() {
        int cases = Tier.cases(200, 2_000);
        List<String> zones = List.of("Europe/Berlin", "Pacific/Apia", "Australia/Lord_Howe", "Africa/Cairo");
        List<String> moments =
                List.of("2025-03-30T00:00:00Z", "2011-12-30T10:00:00Z", "2025-04-05T15:00:00Z", "1969-12-31T12:00:00Z");
        Equivalence sum = RandomInput.verify("calendar equivalence", cases, SEED, seed -> {
            RandomInput input = new RandomInput(seed);
            int which = input.upTo(3);
            ZoneId zone = ZoneId.of(zones.get(which));
            WindowSpec windows =
                    switch (input.upTo(3)) {
                        case 0 -> WindowSpec.weeks(zone, DayOfWeek.of(1 + input.upTo(6)));
                        case 1 -> WindowSpec.months(zone);
                        default -> WindowSpec.days(zone).offset(ms(input.of(0, 0, 6) * HOUR));
                    };
            windows = windows.allowedLateness(ms(input.of(0, 12, 60) * HOUR));
            long moment = Instant.parse(moments.get(input.maybe() ? which : 3)).toEpochMilli();
            return BatchEquivalence.of(input.sums(input.emitting(windows), input.of(0, 5, 30) * HOUR))
                    .events(input.events(moment - 72 * HOUR, moment + 72 * HOUR))
                    .disorder(input.disorder((int) (40 * HOUR)))
                    .verify();
        });
        assertThat(sum.refired()).isGreaterThan(cases);
        assertThat(sum.late()).isGreaterThan(cases);
    }

    @Test
    void s40EarlyResultsByTheClockFoldToPlainBatchWheneverTheyCome() {
        int cases = Tier.cases(150, 2_000);
        Equivalence sum = RandomInput.verify("early by clock", cases, SEED, seed -> {
            RandomInput input = new RandomInput(seed);
            WindowSpec windows = WindowSpec.sliding(ms(10), ms(input.of(5, 10, 4)))
                    .allowedLateness(ms(input.of(0, 6, 40)))
                    .accumulation(List.of(Accumulation.values()).get(input.upTo(2)))
                    .early(Early.every(ms(1 + input.upTo(6))));
            windows = input.maybe() ? windows.emitFinalMarker() : windows;
            VirtualTimeScheduler clock = VirtualTimeScheduler.create();
            clock.advanceTimeTo(Instant.ofEpochMilli(1_000));
            return BatchEquivalence.of(
                            input.sums(windows, input.of(0, 3, 12, 90)).clock(clock))
                    .events(input.events(-30, 61))
                    .disorder(input.disorder(40))
                    .verify();
        });
        assertThat(sum.count(Counter.FIRES_EARLY)).isGreaterThan(5L * cases);
        assertThat(sum.refired()).isGreaterThan(cases);
    }
}
