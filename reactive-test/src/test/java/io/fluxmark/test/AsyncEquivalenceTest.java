package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Windows behind calls that answer late, behind functions of several results and behind a look equal plain batch like windows
 * without them: nothing passes a call, neither a watermark nor a barrier.
 */
class AsyncEquivalenceTest {

    private static final int CASES = Tier.cases(60, 2_000);
    private static final long SEED = 20_351;

    private static Mono<Event> ask(Event event) {
        return switch (Math.floorMod(event.time(), 4)) {
            case 0 -> Mono.just(event).subscribeOn(Schedulers.parallel());
            case 1 -> Mono.delay(Duration.ofNanos(event.time() % 7 * 10_000)).thenReturn(event);
            default -> Mono.just(event);
        };
    }

    private static EventFlux<Event> asked(EventFlux<Event> events, int concurrency) {
        return events.mapAsync(concurrency, AsyncEquivalenceTest::ask)
                .peek(event -> {})
                .mapMany(List::of);
    }

    @Test
    void anyDisorderDemandAndRunSizeEqualsPlainBatch() {
        Equivalence sum = Equivalence.none();
        for (int i = 0; i < CASES; i++) {
            RandomInput random = new RandomInput(SEED + i);
            int concurrency = random.of(1, 3, 16, 256);
            WindowSpec windows =
                    WindowSpec.tumbling(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(random.of(0, 10)));
            WindowedPipeline<Event, String, long[], Long> pipeline =
                    TumblingEquivalenceTest.sums(random.upTo(20), windows);
            sum = sum.plus(BatchEquivalence.of(pipeline)
                    .running(trial -> pipeline.apply(asked(trial.events(), concurrency), trial.late())
                            .elements(trial::lane))
                    .events(random.events(-30, 100))
                    .disorder(random.disorder(40))
                    .verify());
        }
        System.out.printf("mapAsync equivalence: %d cases of 12 runs, seeds from %d: %s%n", CASES, SEED, sum);
        assertThat(sum.onTime()).isGreaterThan(5L * CASES);
        assertThat(sum.late()).isPositive();
    }
}
