package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.sinks.MergedOracle.Tick;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.WindowResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/**
 * Jobs whose keys are divided among lanes, whose number is another one at each start: cancelled, thrown out and started again
 * at random, they end with what one lane makes of the log without a break, byte for byte.
 */
class ParallelJobTest {

    private static final int CASES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 300 : 8;
    private static final long SEED = 40_100;

    @TempDir
    Path directory;

    private long records;
    private long restarts;
    private long thrown;

    @Test
    void whateverTheNumberOfLanesWasADigestIsThatOfOneLaneWithoutABreak() {
        for (int i = 0; i < CASES; i++) {
            check(i, new Random(SEED + i));
        }
        System.out.printf(
                "parallel jobs: %d cases, %d records, %d restarts with another number of lanes, %d of them after a failure,"
                        + " seed %d%n",
                CASES, records, restarts, thrown, SEED);
        assertThat(thrown).isPositive();
        assertThat(restarts).isGreaterThan(thrown);
    }

    private void check(int number, Random random) {
        int partitions = 1 + random.nextInt(4);
        List<List<@Nullable Tick>> input = input(random, partitions);
        records += input.stream().mapToLong(List::size).sum();
        Outcome whole = undivided(directory.resolve(number + "-whole"), input);
        try (MergedFixture job = new MergedFixture(directory.resolve(number + "-broken"), partitions)) {
            append(job, input);
            CheckpointSpec spec = CheckpointSpec.everyEvents(1 + random.nextInt(60));
            spec = random.nextInt(3) == 0 ? spec.stopTheWorld() : spec;
            for (int restart = random.nextInt(5); restart > 0; restart--) {
                job.lanes = 1 + random.nextInt(4);
                interrupt(job, spec, random);
                job.reopenStore();
                assertThat(job.status().counts().sumHolds()).isTrue();
            }
            job.onEvent = tick -> {};
            job.lanes = 1 + random.nextInt(4);
            job.job(spec.drainWhen(Mono.empty())).blockLast(MergedFixture.PATIENCE);
            Outcome broken = Outcome.of(job);
            assertThat(broken.emissions).as("case %d, emitted in order", number).isEqualTo(whole.emissions);
            assertThat(broken).as("case %d", number).isEqualTo(whole);
        }
    }

    /** All that is in the store in the end. */
    private record Outcome(List<WindowResult<String, Long>> emissions, List<String> letters, StoreDigest digest) {

        static Outcome of(MergedFixture job) {
            return new Outcome(
                    job.emissions(),
                    job.rejected
                            .letters()
                            .map(letter -> letter.record().partition() + "/"
                                    + letter.record().offset())
                            .collectList()
                            .block(MergedFixture.PATIENCE),
                    StoreDigest.of(job.store).block(MergedFixture.PATIENCE));
        }
    }

    private void interrupt(MergedFixture job, CheckpointSpec spec, Random random) {
        long left = job.topic.topic().partitions().stream()
                        .mapToLong(partition -> partition.endOffset())
                        .sum()
                - job.status().positions().stream()
                        .mapToLong(JobStatus.Position::nextOffset)
                        .sum();
        restarts++;
        if (random.nextInt(3) == 0 && left > 40) {
            AtomicInteger events = new AtomicInteger(random.nextInt((int) left / 2));
            job.onEvent = tick -> {
                if (events.getAndDecrement() == 0) {
                    throw new IllegalStateException("broken");
                }
            };
            assertThatThrownBy(() -> job.job(spec).blockLast(MergedFixture.PATIENCE))
                    .hasMessage("broken");
            thrown++;
        } else if (left >= spec.events()) {
            job.onEvent = tick -> {};
            job.job(spec).take(1 + random.nextInt((int) (left / spec.events()))).blockLast(MergedFixture.PATIENCE);
        }
    }

    private static Outcome undivided(Path directory, List<List<@Nullable Tick>> input) {
        try (MergedFixture job = new MergedFixture(directory, input.size())) {
            append(job, input);
            job.job(CheckpointSpec.everyEvents(25).drainWhen(Mono.empty())).blockLast(MergedFixture.PATIENCE);
            return Outcome.of(job);
        }
    }

    private static void append(MergedFixture job, List<List<@Nullable Tick>> input) {
        for (int p = 0; p < input.size(); p++) {
            job.append(p, input.get(p));
        }
    }

    private static List<List<@Nullable Tick>> input(Random random, int partitions) {
        List<List<@Nullable Tick>> input = new ArrayList<>();
        int keys = 1 + random.nextInt(40);
        for (int p = 0; p < partitions; p++) {
            List<@Nullable Tick> ticks = new ArrayList<>();
            long time = random.nextInt(200);
            int count = 50 + random.nextInt(250);
            for (int i = 0; i < count; i++) {
                time += random.nextInt(8);
                long late = random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(20);
                ticks.add(
                        random.nextInt(40) == 0
                                ? null
                                : new Tick(p, "k" + random.nextInt(keys), Math.max(0, time - late)));
            }
            input.add(ticks);
        }
        return input;
    }

    @Test
    void aJobThatWasNotDividedKeepsItsStateOtherwiseAndNeedsANewName() {
        try (MergedFixture job = new MergedFixture(directory, 2)) {
            job.append(0, "k", 1, 2, 3);
            job.append(1, "k", 1, 2, 3);
            job.job(CheckpointSpec.everyEvents(6)).blockFirst(MergedFixture.PATIENCE);
            job.lanes = 2;
            assertThatThrownBy(() -> job.job(CheckpointSpec.everyEvents(6)).blockFirst(MergedFixture.PATIENCE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("parallel window-2")
                    .hasMessageContaining("new name");
        }
    }
}
