package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Sessions, in every mode of emitting, equal plain batch (S51, S53.2, S53.3). */
class SessionEquivalenceTest {

    private static final long SEED = 80_001;

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static WindowSpec sessions(RandomInput input) {
        return WindowSpec.session(ms(input.of(3, 5, 10))).allowedLateness(ms(input.of(0, 4, 30)));
    }

    private static Equivalence verify(RandomInput input, WindowedPipeline<Event, String, long[], Long> pipeline) {
        return BatchEquivalence.of(pipeline)
                .events(input.events(-20, input.of(10, 25, 61)))
                .disorder(input.disorder(40))
                .verify();
    }

    @Test
    void s53SessionsEqualPlainBatchOverTheAcceptedEvents() {
        int cases = Tier.cases(300, 4_000);
        Equivalence sum = RandomInput.verify("session equivalence", cases, SEED, seed -> {
            RandomInput input = new RandomInput(seed);
            WindowSpec windows =
                    sessions(input).accumulation(List.of(Accumulation.values()).get(input.upTo(2)));
            WindowedPipeline<Event, String, long[], Long> pipeline = input.sums(windows, input.of(0, 3, 12, 90));
            return verify(input, input.maybe() ? pipeline : pipeline.gap(event -> 1 + event.amount()));
        });
        assertThat(sum.refired()).isGreaterThan(cases);
        assertThat(sum.late()).isGreaterThan(cases);
        assertThat(sum.count(Counter.MERGES)).isGreaterThan(cases / 10);
        assertThat(sum.count(Counter.RETRACTIONS)).isGreaterThan(cases / 10);
    }

    @Test
    void s23EarlyResultsOfGrowingSessionsAreTakenBackInTheBoundsTheyHad() {
        int cases = Tier.cases(300, 4_000);
        Equivalence sum = RandomInput.verify("early sessions", cases, SEED, seed -> {
            RandomInput input = new RandomInput(seed);
            WindowSpec windows = sessions(input).early(Early.everyCount(1 + input.upTo(3)));
            windows = input.maybe() ? windows : windows.emitFinalMarker();
            return verify(input, input.sums(windows, input.of(0, 3, 12, 90)));
        });
        assertThat(sum.count(Counter.FIRES_EARLY)).isGreaterThan(cases);
        assertThat(sum.count(Counter.RETRACTIONS)).isGreaterThan(cases);
    }

    @Test
    void s40EarlySessionsByTheClockFoldToPlainBatchWheneverTheyCome() {
        int cases = Tier.cases(150, 2_000);
        Equivalence sum = RandomInput.verify("early sessions by clock", cases, SEED, seed -> {
            RandomInput input = new RandomInput(seed);
            WindowSpec windows = sessions(input).early(Early.every(ms(1 + input.upTo(6))));
            VirtualTimeScheduler clock = VirtualTimeScheduler.create();
            clock.advanceTimeTo(Instant.ofEpochMilli(1_000));
            return verify(input, input.sums(windows, input.of(0, 3, 12, 90)).clock(clock));
        });
        assertThat(sum.count(Counter.FIRES_EARLY)).isGreaterThan(cases);
    }
}
