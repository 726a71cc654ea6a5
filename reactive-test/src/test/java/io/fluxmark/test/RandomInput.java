package io.fluxmark.test;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;

/** Random events, orders and options for equivalence tests, each from the seed of its case. */
final class RandomInput {

    private static final int MOST_EVENTS = 40;

    private final Random random;
    private final long seed;

    RandomInput(long seed) {
        this.random = new Random(seed);
        this.seed = seed;
    }

    /** One of them. */
    int of(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** 0 to {@code bound}, inclusive. */
    int upTo(int bound) {
        return random.nextInt(bound + 1);
    }

    boolean maybe() {
        return random.nextBoolean();
    }

    /** Up to 40 events of three keys at {@code from} up to {@code to}, exclusive, many of them without an amount. */
    List<Event> events(long from, long to) {
        List<Event> events = new ArrayList<>();
        int count = random.nextInt(MOST_EVENTS);
        for (int i = 0; i < count; i++) {
            events.add(new Event("k" + random.nextInt(3), random.nextLong(from, to), random.nextInt(3)));
        }
        return events;
    }

    /** Sorted, reversed, anyhow, or shuffled within up to {@code most} ms. */
    Disorder disorder(int most) {
        return switch (random.nextInt(6)) {
            case 0 -> Disorder.none();
            case 1 -> Disorder.reversed();
            case 2 -> Disorder.random(seed);
            default -> Disorder.shuffledWithin(Duration.ofMillis(random.nextInt(most + 1)), seed);
        };
    }

    /** Any accumulation, with early results by count and final markers now and then. */
    WindowSpec emitting(WindowSpec windows) {
        WindowSpec some = windows.accumulation(List.of(Accumulation.values()).get(random.nextInt(3)));
        if (random.nextInt(3) == 0) {
            some = some.early(Early.everyCount(1 + random.nextInt(4)));
        }
        return random.nextInt(4) == 0 ? some.emitFinalMarker() : some;
    }

    /** Sums by key, with a late output now and then. */
    WindowedPipeline<Event, String, long[], Long> sums(WindowSpec windows, long bound) {
        WindowedPipeline<Event, String, long[], Long> pipeline = WindowedPipeline.of(
                        Event::time,
                        WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(bound)),
                        Event::key,
                        windows,
                        Aggregations.<Event>summingLong(Event::amount))
                .addingUp(Long::sum);
        return random.nextBoolean() ? pipeline.withLateOutput() : pipeline;
    }

    /** Verifies {@code cases} of {@code test} with seeds from {@code seed}, and prints what came of them. */
    static Equivalence verify(String what, int cases, long seed, LongFunction<Equivalence> test) {
        Equivalence sum = Equivalence.none();
        for (int i = 0; i < cases; i++) {
            sum = sum.plus(test.apply(seed + i));
        }
        System.out.printf("%s: %d cases of 12 runs, seeds from %d: %s%n", what, cases, seed, sum);
        return sum;
    }
}
