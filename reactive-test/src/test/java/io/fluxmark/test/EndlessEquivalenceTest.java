package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Count and global windows, in every mode of emitting, equal plain batch in the order of arrival (S51, S53.3). */
class EndlessEquivalenceTest {

    private static final long SEED = 90_001;

    private static WindowSpec windows(RandomInput input) {
        return input.maybe() ? WindowSpec.global() : WindowSpec.count(1 + input.upTo(6));
    }

    private static Equivalence verify(RandomInput input, WindowSpec windows) {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        clock.advanceTimeTo(Instant.ofEpochMilli(1_000));
        return BatchEquivalence.of(input.sums(windows, input.of(0, 3, 12, 90)).clock(clock))
                .events(input.events(-30, 61))
                .disorder(input.disorder(40))
                .verify();
    }

    @Test
    void countAndGlobalWindowsEqualPlainBatchInTheOrderOfArrival() {
        int cases = Tier.cases(200, 2_000);
        Equivalence sum = RandomInput.verify("count and global equivalence", cases, SEED, seed -> {
            RandomInput input = new RandomInput(seed);
            return verify(input, input.emitting(windows(input)));
        });
        assertThat(sum.late()).isZero();
        assertThat(sum.onTime()).isEqualTo(sum.events());
        assertThat(sum.count(Counter.FIRES_EARLY)).isGreaterThan(cases);
    }

    @Test
    void s40EarlyResultsByTheClockFoldToPlainBatchWheneverTheyCome() {
        int cases = Tier.cases(100, 2_000);
        Equivalence sum = RandomInput.verify("count and global early by clock", cases, SEED, seed -> {
            RandomInput input = new RandomInput(seed);
            Early early = Early.every(Duration.ofMillis(1 + input.upTo(6)));
            return verify(input, input.emitting(windows(input)).early(early));
        });
        assertThat(sum.count(Counter.FIRES_EARLY)).isGreaterThan(cases);
    }
}
