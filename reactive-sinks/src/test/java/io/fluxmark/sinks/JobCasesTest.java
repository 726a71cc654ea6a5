package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What has gone wrong elsewhere when a job was killed and started again. */
class JobCasesTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");

    /** From one offset at which a job is killed to the next. */
    private static final int STEP = THOROUGH ? 1 : 11;

    private static final CheckpointSpec EACH = CheckpointSpec.everyEvents(1).named("job");

    @TempDir
    Path directory;

    /** Runs until so many records of partition 0 are committed, then is gone, with the process it was in. */
    private void runUntil(long offset, WatermarkSpec watermarks, String... ticks) {
        try (TickJob job = TickJob.open(directory, 1)) {
            job.watermarks = watermarks;
            job.append(ticks);
            job.run(job.table("counts").and(job.changelog("changes")), EACH)
                    .takeUntil(checkpoint ->
                            checkpoint.lanes().get(0).positions().get(0).nextOffset() == offset)
                    .blockLast(TickJob.PATIENCE);
        }
    }

    private List<String> changes() {
        try (TickJob job = TickJob.open(directory, 1)) {
            return TickJob.changes(job.changelog("changes"));
        }
    }

    @Test
    void c58WindowsThatWereOpenAtAKillFireOnceAfterARestartAndNothingOfThemStays() {
        WatermarkSpec second = WatermarkSpec.boundedOutOfOrderness(Duration.ofSeconds(1));
        runUntil(3, second, "a@1", "a@11", "a@21");
        assertThat(changes()).isEmpty();
        Explanation after;
        try (TickJob job = TickJob.open(directory, 1)) {
            job.watermarks = second;
            job.append("a@5000");
            after = job.run(job.table("counts").and(job.changelog("changes")), EACH)
                    .concatMap(checkpoint -> job.explanations.get(0).explain())
                    .blockFirst(TickJob.PATIENCE);
            assertThat(job.status("job").lanes().get(0).counts().get(Counter.FIRES_ON_TIME))
                    .isEqualTo(3);
        }
        assertThat(changes()).containsExactly("ON_TIME a[0,10)=1", "ON_TIME a[10,20)=1", "ON_TIME a[20,30)=1");
        assertThat(after.openWindows()).isOne();
        assertThat(after.entries()).isOne();
        assertThat(after.next()).isEqualTo(new TimeWindow(5000, 5010));
        runUntil(5, second, "a@9000");
        assertThat(changes()).as("after one more restart").hasSize(4).endsWith("ON_TIME a[5000,5010)=1");
    }

    @Test
    void c59AWindowFiresByItsPartitionsWatermarkAlthoughItsKeyNeverComesAgain() {
        runUntil(2, WatermarkSpec.ascending(), "A@0", "B@0");
        assertThat(changes()).isEmpty();
        runUntil(3, WatermarkSpec.ascending(), "A@100");
        assertThat(changes()).containsExactly("ON_TIME A[0,10)=1", "ON_TIME B[0,10)=1");
    }

    @Test
    void c61WhereverAJobIsKilledItsCountersAndRowsAreThoseOfTheRunThatWasNot() {
        int records = 200;
        long seed = 61;
        Random random = new Random(seed);
        List<String> input = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            input.add("k" + random.nextInt(4) + "@" + (i - (random.nextInt(5) == 0 ? random.nextInt(60) : 0)));
        }
        try (TickJob job = TickJob.open(directory, 1)) {
            job.windows = WindowSpec.tumbling(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(15));
            job.watermarks = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(3));
            job.append(0, input);
            TableSink<String, Long> undisturbed = job.table("undisturbed");
            Counters expected = TickJob.counts(job.run(
                            undisturbed,
                            CheckpointSpec.everyEvents(7).named("undisturbed").drainWhen(Mono.empty()))
                    .collectList()
                    .block(TickJob.PATIENCE));
            assertThat(expected.get(Counter.SIDE)).isPositive();
            assertThat(expected.get(Counter.REFIRED)).isPositive();
            Map<String, Long> rows = TickJob.rows(undisturbed);
            for (int at = 1; at <= records; at += STEP) {
                AtomicInteger left = new AtomicInteger(at);
                job.before = events -> events.filter(tick -> {
                    if (left.decrementAndGet() == 0) {
                        throw new IllegalStateException("killed");
                    }
                    return true;
                });
                TableSink<String, Long> table = job.table("killed-" + at);
                List<Checkpoint> run = job.run(
                                table,
                                CheckpointSpec.everyEvents(7)
                                        .named("killed-" + at)
                                        .drainWhen(Mono.empty()))
                        .retry(1)
                        .collectList()
                        .block(TickJob.PATIENCE);
                assertThat(TickJob.counts(run))
                        .as("counters after a kill at %d", at)
                        .isEqualTo(expected);
                assertThat(TickJob.rows(table))
                        .as("rows after a kill at %d", at)
                        .isEqualTo(rows);
            }
        }
        System.out.printf("C61: kills at %d of %d offsets, seed %d%n", (records - 1) / STEP + 1, records, seed);
    }

    @Test
    void c62AnIntervalWithoutInputCommitsNothingOneWithoutOutputDoesNoHarmAndAnOutageIsNoMatter() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        CheckpointSpec spec =
                CheckpointSpec.every(Duration.ofSeconds(1)).named("job").scheduler(clock);
        try (TickJob job = TickJob.open(directory, 1)) {
            TableSink<String, Long> table = job.table("counts");
            Disposable running = job.run(table, spec).subscribe();
            job.append("k@1");
            awaitCommitted(job, clock, 1);
            assertThat(TickJob.rows(table)).isEmpty();
            long commit = job.store.info().block(TickJob.PATIENCE).commit();
            clock.advanceTimeBy(Duration.ofMinutes(20));
            assertThat(job.store.info().block(TickJob.PATIENCE).commit()).isEqualTo(commit);
            running.dispose();
            clock.advanceTimeBy(Duration.ofMinutes(20));

            Disposable again = job.run(table, spec).subscribe();
            job.append("k@11");
            awaitCommitted(job, clock, 2);
            assertThat(TickJob.rows(table)).isEqualTo(Map.of("k[0,10)", 1L));
            again.dispose();
        }
    }

    private static void awaitCommitted(TickJob job, VirtualTimeScheduler clock, long offset) {
        TickJob.until("offset " + offset + " is committed", () -> {
            clock.advanceTimeBy(Duration.ofSeconds(1));
            return job.status("job").lanes().get(0).nextOffset() == offset;
        });
    }

    @Test
    void c50AndC52WhatIsBeforeAFailureIsCommittedAndARetryBeginsWithTheRecordThatFailed() {
        List<Long> seen = Collections.synchronizedList(new ArrayList<>());
        try (TickJob job = TickJob.open(directory, 1)) {
            job.before = events -> events.filter(tick -> {
                seen.add(tick.time());
                if (seen.size() == 3) {
                    TickJob.until(
                            "the first two are committed",
                            () -> job.status("job").lanes().get(0).nextOffset() == 2);
                    throw new IllegalStateException("on the third of five");
                }
                return true;
            });
            job.append("k@1", "k@2", "k@3", "k@4", "k@5");
            job.run(job.table("counts"), EACH.drainWhen(Mono.empty()).scheduler(Schedulers.boundedElastic()))
                    .retry(2)
                    .blockLast(TickJob.PATIENCE);
            assertThat(seen).containsExactly(1L, 2L, 3L, 3L, 4L, 5L);
            assertThat(TickJob.rows(job.table("counts"))).isEqualTo(Map.of("k[0,10)", 5L));
        }
    }
}
