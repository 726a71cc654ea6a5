package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tumbling windows equal plain batch, whatever the order, the demand and the runs (S51, S53.1, S53.3). */
class TumblingEquivalenceTest {

    private static final int CASES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 20_000 : 1_200;
    private static final long SEED = 20_251;
    private static final int[] SIZES = {10, 1, 7, 1_000};

    record Event(String key, long time, int amount) {

        @Override
        public String toString() {
            return key + "@" + time + (amount == 1 ? "" : "x" + amount);
        }
    }

    static WindowedPipeline<Event, String, long[], Long> sums(long bound, WindowSpec windows) {
        return WindowedPipeline.of(
                Event::time,
                WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(bound)),
                Event::key,
                windows,
                Aggregations.summingLong(Event::amount));
    }

    @Test
    void anyDisorderDemandAndRunSizeEqualsPlainBatchOverTheAcceptedEvents() {
        Equivalence sum = Equivalence.none();
        for (int i = 0; i < CASES; i++) {
            sum = sum.plus(verify(SEED + i));
        }
        System.out.printf("tumbling equivalence: %d cases of 12 runs, seeds from %d: %s%n", CASES, SEED, sum);
        assertThat(sum.onTime()).isGreaterThan(10L * CASES);
        assertThat(sum.refired()).isGreaterThan(CASES);
        assertThat(sum.late()).isGreaterThan(CASES);
    }

    private static Equivalence verify(long seed) {
        Random random = new Random(seed);
        int size = SIZES[random.nextInt(SIZES.length)];
        WindowSpec windows = WindowSpec.tumbling(Duration.ofMillis(size))
                .offset(Duration.ofMillis(List.of(0, -2, 3, 0).get(random.nextInt(4)) % size))
                .allowedLateness(Duration.ofMillis((long) random.nextInt(3) * random.nextInt(2 * size + 1)));
        WindowedPipeline<Event, String, long[], Long> pipeline = sums(random.nextInt(2 * size + 1), windows);
        if (random.nextBoolean()) {
            pipeline = pipeline.withLateOutput();
        }
        return BatchEquivalence.of(pipeline)
                .events(events(random, size))
                .disorder(disorder(random, size, seed))
                .verify();
    }

    private static Disorder disorder(Random random, int size, long seed) {
        return switch (random.nextInt(5)) {
            case 0 -> Disorder.none();
            case 1 -> Disorder.reversed();
            case 2 -> Disorder.random(seed);
            default -> Disorder.shuffledWithin(Duration.ofMillis(random.nextInt(4 * size + 1)), seed);
        };
    }

    private static List<Event> events(Random random, int size) {
        int count = random.nextInt(50);
        int spread = 1 + random.nextInt(12 * size);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long time = random.nextInt(spread) - 3L * size;
            events.add(new Event("k" + random.nextInt(3), time, random.nextInt(3)));
        }
        return events;
    }
}
