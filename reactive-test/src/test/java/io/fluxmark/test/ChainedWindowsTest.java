package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.PlainBatch.BatchResult;
import io.fluxmark.windows.PlainBatch.Slot;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Windows over the results of windows: what is taken back is subtracted, and nothing gets lost between them (S46). */
class ChainedWindowsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long SEED = 50_001;

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static WindowSpec first(RandomInput input) {
        WindowSpec windows =
                switch (input.upTo(3)) {
                    case 0 -> WindowSpec.session(ms(input.of(3, 5)));
                    case 1 -> WindowSpec.sliding(ms(10), ms(input.of(4, 5)));
                    default -> WindowSpec.tumbling(ms(10)).offset(ms(input.of(0, 0, 3, -2)));
                };
        return input.upTo(2) == 0 ? windows.early(Early.everyCount(1 + input.upTo(2))) : windows;
    }

    private static WindowSpec second(RandomInput input) {
        return input.maybe() ? WindowSpec.tumbling(ms(20)) : WindowSpec.sliding(ms(20), ms(input.of(10, 7)));
    }

    private static Map<Slot<String>, Long> fold(List<WindowResult<String, Long>> results) {
        return PlainBatch.fold(results);
    }

    /** Plain batch of the first stage's fold, at the last instant of each of its windows. */
    private static Map<Slot<String>, Long> batch(Map<Slot<String>, Long> first, WindowSpec windows) {
        Map<Slot<String>, Long> sums = new HashMap<>();
        for (BatchResult<String, Long> result : PlainBatch.evaluate(
                first.entrySet(),
                entry -> entry.getKey().window().end() - 1,
                entry -> entry.getKey().key(),
                windows,
                Aggregations.<Map.Entry<Slot<String>, Long>>summingLong(Map.Entry::getValue))) {
            sums.put(new Slot<>(result.key(), result.window()), result.value());
        }
        return sums;
    }

    @Test
    void s46TheSecondStageEqualsPlainBatchOfTheFirstWhateverIsTakenBack() {
        int cases = Tier.cases(300, 3_000);
        long retractions = 0;
        long refired = 0;
        for (long seed = SEED; seed < SEED + cases; seed++) {
            RandomInput input = new RandomInput(seed);
            long lateness = input.of(0, 4, 30);
            WindowSpec first = first(input).allowedLateness(ms(lateness));
            WindowSpec second = second(input).allowedLateness(ms(lateness + input.of(0, 0, 10)));
            WatermarkSpec watermarks = WatermarkSpec.boundedOutOfOrderness(ms(input.of(0, 3, 12)));
            List<Event> events = input.disorder(40).apply(input.events(-30, 61), Event::time);
            int run = input.of(1, 7, 256);
            AtomicReference<LiveCounters> ofFirst = new AtomicReference<>();
            AtomicReference<LiveCounters> ofSecond = new AtomicReference<>();
            EventFlux<WindowResult<String, Long>> results = EventFlux.from(Flux.fromIterable(events), run)
                    .watermarksMillis(Event::time, watermarks)
                    .keyBy(Event::key)
                    .window(first)
                    .countersTo(ofFirst::set)
                    .aggregate(Aggregations.summingLong(Event::amount));
            List<WindowResult<String, Long>> chained = results.keyBy(WindowResult::key)
                    .window(second)
                    .countersTo(ofSecond::set)
                    .aggregate(Aggregations.summingLong(WindowResult::value))
                    .toFlux()
                    .collectList()
                    .block(PATIENCE);
            Map<Slot<String>, Long> folded = fold(results.toFlux().collectList().block(PATIENCE));
            String what = first + ", then " + second + ", runs of " + run + ", seed " + seed;
            assertThat(fold(chained)).as(what).isEqualTo(batch(folded, second));
            Counters counters = ofSecond.get().snapshot();
            assertThat(counters.get(Counter.DROPPED)).as(what).isZero();
            assertThat(counters.sumHolds()).as(what).isTrue();
            retractions += ofFirst.get().snapshot().get(Counter.RETRACTIONS);
            refired += counters.get(Counter.REFIRED);
        }
        System.out.printf(
                "chained windows: %d cases, seeds from %d; %d retractions went through, %d results corrected fired"
                        + " windows%n",
                cases, SEED, retractions, refired);
        assertThat(retractions).isGreaterThan(cases);
        assertThat(refired).isGreaterThan(cases);
    }

    @Test
    void s46SizeTenThenSizeTwentyWithTheNumbersOfTheDocument() {
        List<Event> events = List.of(
                new Event("a", 1, 1),
                new Event("a", 12, 1),
                new Event("a", 21, 1),
                new Event("a", 5, 1), //
                new Event("a", 41, 1));
        WindowSpec ten = WindowSpec.tumbling(ms(10)).allowedLateness(ms(20));
        WindowSpec twenty = WindowSpec.tumbling(ms(20)).allowedLateness(ms(20));
        List<String> out = EventFlux.from(Flux.fromIterable(events), 1)
                .watermarksMillis(Event::time, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyBy(Event::key)
                .window(ten)
                .aggregate(Aggregations.counting())
                .keyBy(WindowResult::key)
                .window(twenty)
                .aggregate(Aggregations.summingLong(WindowResult::value))
                .toFlux()
                .map(result -> result.kind() + " " + result.window().start() + ":" + result.value())
                .collectList()
                .block(PATIENCE);
        // W19 fires [10,20), then [0,20); at 20 the late 5 makes 2 of 1 in [0,10), by a retraction and a value.
        assertThat(out)
                .containsExactly(
                        "ON_TIME 0:2",
                        "RETRACT 0:2",
                        "LATE 0:1",
                        "RETRACT 0:1",
                        "LATE 0:3",
                        "ON_TIME 20:1",
                        "ON_TIME 40:1");
    }
}
