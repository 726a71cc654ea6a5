package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** S51 for jobs: however their partitions interleave and wherever they crash, they do what plain loops do. */
class JobEquivalenceTest {

    private static final int CASES = Tier.cases(2, 40);
    private static final int EVENTS = 150;
    private static final long SEED = 5_510;

    @TempDir
    Path directory;

    private static WindowSpec windows(RandomInput input) {
        Duration ten = Duration.ofMillis(10);
        WindowSpec windows =
                switch (input.upTo(2)) {
                    case 0 -> WindowSpec.tumbling(ten);
                    case 1 -> WindowSpec.sliding(ten, Duration.ofMillis(input.of(4, 5)));
                    default -> WindowSpec.session(Duration.ofMillis(input.of(4, 6)));
                };
        return windows.allowedLateness(Duration.ofMillis(input.of(0, 10, 30)));
    }

    private static List<CrashEvent> events(long seed) {
        Random random = new Random(seed);
        List<CrashEvent> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            events.add(new CrashEvent("k" + random.nextInt(8), i, random.nextInt(4)));
        }
        return events;
    }

    @Test
    void s51JobsEqualPlainBatchHoweverTheyInterleaveAndWhereverTheyCrash() {
        Equivalence sum = Equivalence.none();
        for (long seed = SEED; seed < SEED + CASES; seed++) {
            RandomInput input = new RandomInput(seed);
            WindowedPipeline<CrashEvent, String, long[], Long> pipeline = WindowedPipeline.of(
                    CrashEvent::time,
                    WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(input.of(0, 5, 12))),
                    CrashEvent::key,
                    windows(input),
                    Aggregations.<CrashEvent>summingLong(CrashEvent::amount));
            sum = sum.plus(JobEquivalence.of(pipeline, CrashEvent.EVENTS)
                    .events(events(seed), Disorder.shuffledWithin(Duration.ofMillis(30), seed))
                    .trying(3, 2, 6, seed)
                    .verify(directory.resolve("case" + seed)));
        }
        System.out.printf(
                "job equivalence: %d cases of 2 interleavings and 6 crashes of each, seeds from %d: %s%n",
                CASES, SEED, sum);
        assertThat(sum.events()).isEqualTo(2L * EVENTS * CASES);
        assertThat(sum.refired() + sum.late()).isPositive();
    }
}
