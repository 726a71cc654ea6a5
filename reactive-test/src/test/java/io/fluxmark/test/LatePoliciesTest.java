package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import io.fluxmark.windows.WindowedFlux;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** What is late has one outcome, which the policy names; how many there are follows from the delay (S10, S12). */
class LatePoliciesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long SEED = 40_001;
    private static final long HUGE = 1_000;

    private enum Policy {
        DROP(Counter.DROPPED),
        SIDE(Counter.SIDE),
        REFIRE(Counter.REFIRED);

        final Counter own;

        Policy(Counter own) {
            this.own = own;
        }
    }

    private static Counters run(List<Event> events, long delay, WindowSpec windows, Policy policy) {
        AtomicReference<LiveCounters> counters = new AtomicReference<>();
        WindowedFlux<String, Event> windowed = EventFlux.from(Flux.fromIterable(events), 7)
                .watermarksMillis(Event::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(delay)))
                .keyBy(Event::key)
                .window(policy == Policy.REFIRE ? windows.allowedLateness(Duration.ofMillis(HUGE)) : windows)
                .countersTo(counters::set);
        List<Event> side = new ArrayList<>();
        (policy == Policy.SIDE ? windowed.lateTo(late -> side.add(late.value())) : windowed)
                .aggregate(Aggregations.counting())
                .toFlux()
                .blockLast(PATIENCE);
        Counters counted = counters.get().snapshot();
        assertThat(side).hasSize((int) counted.get(Counter.SIDE));
        return counted;
    }

    /** How far behind the largest timestamp before it an event comes, at most. */
    private static long disorder(List<Event> events) {
        long largest = Long.MIN_VALUE;
        long disorder = 0;
        for (Event event : events) {
            largest = Math.max(largest, event.time());
            disorder = Math.max(disorder, largest - event.time());
        }
        return disorder;
    }

    private static WindowSpec windows(RandomInput input) {
        Duration size = Duration.ofMillis(input.of(3, 5, 10));
        return switch (input.upTo(2)) {
            case 0 -> WindowSpec.tumbling(size);
            case 1 -> WindowSpec.sliding(size, Duration.ofMillis(input.of(2, 3)));
            default -> WindowSpec.session(size);
        };
    }

    @Test
    void s10s12AtEveryDelayTheSumHoldsAndOnlyThePolicysOwnCounterGrows() {
        int cases = Tier.cases(150, 2_000);
        long[] late = new long[4];
        for (long seed = SEED; seed < SEED + cases; seed++) {
            RandomInput input = new RandomInput(seed);
            WindowSpec windows = windows(input);
            List<Event> events = input.disorder(40).apply(input.events(-30, 61), Event::time);
            long exact = disorder(events);
            long[] delays = {0, Math.min(3, exact), exact, HUGE};
            for (int i = 0; i < delays.length; i++) {
                long delay = delays[i];
                for (Policy policy : Policy.values()) {
                    Counters counters = run(events, delay, windows, policy);
                    String what = windows + ", delay " + delay + ", " + policy + ", seed " + seed + ": " + counters;
                    assertThat(counters.sumHolds()).as(what).isTrue();
                    assertThat(counters.get(Counter.INGESTED)).as(what).isEqualTo(events.size());
                    for (Policy other : Policy.values()) {
                        if (other != policy || delay >= exact) {
                            assertThat(counters.get(other.own)).as(what).isZero();
                        }
                    }
                    assertThat(counters.get(Counter.ON_TIME) + counters.get(policy.own))
                            .as(what)
                            .isEqualTo(events.size());
                    late[i] += counters.get(policy.own);
                }
            }
        }
        System.out.printf(
                "late policies: %d cases x 4 delays x 3 policies, seeds from %d; late at no delay %d, at a small one %d,"
                        + " at the exact one %d, at a huge one %d%n",
                cases, SEED, late[0], late[1], late[2], late[3]);
        assertThat(late[0]).isGreaterThan(late[1]);
        assertThat(late[1]).isGreaterThan(cases);
    }

    @Test
    void s10LatenessBeginsExactlyWhereTheDisorderExceedsTheDelay() {
        int cases = Tier.cases(200, 2_000);
        int compared = 0;
        for (long seed = SEED; seed < SEED + cases; seed++) {
            RandomInput input = new RandomInput(seed);
            List<Event> events = input.disorder(40).apply(input.events(-30, 61), Event::time);
            long exact = disorder(events);
            if (exact > 0) {
                // The event itself is judged: sessions, and windows of one instant.
                for (WindowSpec windows :
                        List.of(WindowSpec.session(Duration.ofMillis(5)), WindowSpec.tumbling(Duration.ofMillis(1)))) {
                    assertThat(run(events, exact, windows, Policy.DROP).get(Counter.DROPPED))
                            .as("%s, seed %d", windows, seed)
                            .isZero();
                    assertThat(run(events, exact - 1, windows, Policy.DROP).get(Counter.DROPPED))
                            .as("%s, seed %d", windows, seed)
                            .isPositive();
                    compared++;
                }
            }
        }
        System.out.printf("exact disorder: %d comparisons, seeds from %d%n", compared, SEED);
        assertThat(compared).isGreaterThan(cases);
    }

    @Test
    void s10TheNumbersOfTheDocument() {
        List<Event> shuffled = events(7, 3, 9, 4, 12, 8, 15);
        List<Event> sorted = events(3, 4, 7, 8, 9, 12, 15);
        WindowSpec ten = WindowSpec.tumbling(Duration.ofMillis(10));
        for (List<Event> events : List.of(shuffled, sorted)) {
            Counters counters = run(events, 5, ten, Policy.DROP);
            assertThat(counters.get(Counter.DROPPED)).isZero();
            assertThat(counters.get(Counter.FIRES_ON_TIME)).isEqualTo(2);
        }
        // After 15 the watermark is 9: 10 is fine, 9 is late.
        assertThat(run(events(15, 10), 5, ten, Policy.DROP).get(Counter.DROPPED))
                .isZero();
        assertThat(run(events(15, 9), 5, ten, Policy.DROP).get(Counter.DROPPED)).isEqualTo(1);
    }

    private static List<Event> events(long... times) {
        List<Event> events = new ArrayList<>();
        for (long time : times) {
            events.add(new Event("k", time, 1));
        }
        return events;
    }
}
