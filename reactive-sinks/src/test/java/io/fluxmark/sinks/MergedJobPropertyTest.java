package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.sinks.MergedOracle.Tick;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.PlainBatch;
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
 * Jobs over several partitions, cancelled, thrown out and started again at random: what is stored before each restart is what
 * the first so many records of the one order of reading make, and in the end everything is as in a run without a break.
 */
class MergedJobPropertyTest {

    private static final int CASES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 1_000 : 12;
    private static final long SEED = 2547;

    @TempDir
    Path directory;

    private long records;
    private long restarts;
    private long thrown;

    @Test
    void everyRunEqualsBatchAndTheRunWithoutABreakByteForByte() {
        for (int i = 0; i < CASES; i++) {
            check(i, new Random(SEED + i));
        }
        System.out.printf(
                "merged jobs: %d cases, %d records, %d restarts, %d of them after a failure, seed %d%n",
                CASES, records, restarts, thrown, SEED);
        assertThat(thrown).isPositive();
        assertThat(restarts).isGreaterThan(thrown);
    }

    private void check(int number, Random random) {
        int partitions = 2 + random.nextInt(4);
        List<List<@Nullable Tick>> input = input(random, partitions);
        MergedOracle oracle = new MergedOracle(MergedFixture.DELAY, MergedFixture.SIZE, MergedFixture.LATENESS);
        oracle.run(input);
        records += oracle.records();
        int every = 1 + random.nextInt(60);
        List<WindowResult<String, Long>> undisturbed =
                undisturbed(directory.resolve(number + "-whole"), input, 1 + random.nextInt(60), random.nextLong());
        try (MergedFixture job = new MergedFixture(directory.resolve(number + "-broken"), partitions)) {
            append(job, input, random);
            CheckpointSpec spec = spec(every, random);
            for (int restart = random.nextInt(5); restart > 0; restart--) {
                interrupt(job, spec, random, oracle);
                job.reopenStore();
                checkStored(job, oracle, false);
            }
            job.onEvent = tick -> {};
            job.job(spec.drainWhen(Mono.empty())).blockLast(MergedFixture.PATIENCE);
            checkStored(job, oracle, true);
            assertThat(job.rows()).as("case %d", number).isEqualTo(MergedFixture.batch(oracle.accepted()));
            assertThat(PlainBatch.fold(job.emissions())).isEqualTo(job.rows());
            assertThat(job.emissions())
                    .as("case %d: everything ever emitted, in order", number)
                    .isEqualTo(undisturbed);
        }
    }

    private static CheckpointSpec spec(int every, Random random) {
        CheckpointSpec spec = CheckpointSpec.everyEvents(every);
        spec = random.nextInt(3) == 0 ? spec.orEveryBytes(1 + random.nextInt(300)) : spec;
        return random.nextInt(3) == 0 ? spec.stopTheWorld() : spec;
    }

    private void interrupt(MergedFixture job, CheckpointSpec spec, Random random, MergedOracle oracle) {
        long left = oracle.records()
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

    /** State, watermark, counters and positions are of one prefix of the order of reading. */
    private static void checkStored(MergedFixture job, MergedOracle oracle, boolean drained) {
        JobStatus.Lane lane = job.status();
        if (lane.transaction() == 0) {
            return;
        }
        List<Long> offsets =
                lane.positions().stream().map(JobStatus.Position::nextOffset).toList();
        MergedOracle.State expected =
                oracle.after((int) offsets.stream().mapToLong(offset -> offset).sum());
        Counters counts = lane.counts();
        assertThat(offsets).as("positions of one prefix").isEqualTo(expected.offsets());
        assertThat(new MergedOracle.State(
                        offsets,
                        lane.watermarks().get("event-time-1"),
                        counts.get(Counter.ON_TIME),
                        counts.get(Counter.REFIRED),
                        counts.get(Counter.DROPPED),
                        counts.get(Counter.REJECTED)))
                .isEqualTo(
                        drained
                                ? new MergedOracle.State(
                                        expected.offsets(),
                                        Long.MAX_VALUE,
                                        expected.onTime(),
                                        expected.refired(),
                                        expected.dropped(),
                                        expected.rejected())
                                : expected);
        assertThat(counts.sumHolds()).isTrue();
        assertThat(job.rejected.letters().count().block(MergedFixture.PATIENCE)).isEqualTo(expected.rejected());
        assertThat(lane.finished()).isEqualTo(drained);
    }

    private static List<WindowResult<String, Long>> undisturbed(
            Path directory, List<List<@Nullable Tick>> input, int every, long seed) {
        try (MergedFixture job = new MergedFixture(directory, input.size())) {
            append(job, input, new Random(seed));
            job.job(CheckpointSpec.everyEvents(every).drainWhen(Mono.empty())).blockLast(MergedFixture.PATIENCE);
            return job.emissions();
        }
    }

    /** In batches of random sizes, which are the runs that are read, of the partitions in random turns. */
    private static void append(MergedFixture job, List<List<@Nullable Tick>> input, Random random) {
        int[] next = new int[input.size()];
        for (int left = input.stream().mapToInt(List::size).sum(); left > 0; ) {
            int p = random.nextInt(next.length);
            int end = Math.min(input.get(p).size(), next[p] + 1 + random.nextInt(40));
            job.append(p, input.get(p).subList(next[p], end));
            left -= end - next[p];
            next[p] = end;
        }
    }

    /** Of different lengths, also empty; times that go on, with disorder within the delay and beyond the lateness. */
    private static List<List<@Nullable Tick>> input(Random random, int partitions) {
        List<List<@Nullable Tick>> input = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            List<@Nullable Tick> ticks = new ArrayList<>();
            int size = random.nextInt(8) == 0 ? 0 : 20 + random.nextInt(180);
            long time = random.nextInt(300);
            for (int i = 0; i < size; i++) {
                time += random.nextInt(12);
                long late = random.nextInt(8) == 0 ? random.nextInt(500) : random.nextInt(25);
                ticks.add(
                        random.nextInt(30) == 0
                                ? null
                                : new Tick(p, "k" + random.nextInt(6), Math.max(0, time - late)));
            }
            input.add(ticks);
        }
        if (input.stream().allMatch(List::isEmpty)) {
            input.get(0).add(new Tick(0, "k", 1));
        }
        return input;
    }
}
