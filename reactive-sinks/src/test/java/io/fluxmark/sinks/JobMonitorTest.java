package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What can be seen of a job from outside. */
class JobMonitorTest {

    /** As LogSpec has it. */
    private static final long READ_BUFFER = 64 << 10;

    @TempDir
    Path directory;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private TickJob job;
    private JobMonitor monitor;

    @BeforeEach
    void open() {
        job = TickJob.open(directory, 1);
        monitor = JobMonitor.of(job.store, "job", job.topic.topic()).clock(clock);
    }

    @AfterEach
    void close() {
        job.close();
    }

    private CheckpointSpec eachSecond() {
        return CheckpointSpec.every(Duration.ofSeconds(1)).named("job").scheduler(clock);
    }

    private JobObservation look() {
        return monitor.observe().block(TickJob.PATIENCE);
    }

    private void awaitCommitted(long offset) {
        TickJob.until("offset " + offset + " is committed", () -> {
            clock.advanceTimeBy(Duration.ofMillis(100));
            return look().lanes().get(0).committed().nextOffset() == offset
                    && look().checkpoints().completed()
                            == look().lanes().get(0).committed().transaction();
        });
    }

    @Test
    void aJobThatHasNotBeenRunSaysSo() {
        job.append("k@1");
        assertThat(look().text())
                .isEqualTo(
                        """
                        job job: has not been run since its store was opened
                          no checkpoint yet
                          lane 0: nothing committed up to offset 0 of 1; a restart reads 1 record""");
        assertThat(look().unread()).isEqualTo(-1);
        assertThat(look().watermark()).isEmpty();
        assertThat(look().checkpointAge()).isEmpty();
    }

    @Test
    void aRunningJobShowsItsCheckpointsItsLagsAndWhyItsWindowsHaveNotFired() {
        Disposable running = job.run(job.table("counts"), eachSecond()).subscribe();
        job.append("k@1", "k@8");
        awaitCommitted(2);
        JobObservation seen = look();
        assertThat(seen.state()).isEqualTo(JobState.RUNNING);
        assertThat(seen.since()).isZero();
        assertThat(seen.lag()).isZero();
        assertThat(seen.unread()).isZero();
        assertThat(seen.watermark()).hasValue(7);
        assertThat(seen.watermarkLag()).hasValue(seen.at() - 7);
        assertThat(seen.checkpoints().completed()).isPositive();
        assertThat(seen.checkpoints().lastAt()).isBetween(1_000L, seen.at());
        assertThat(seen.checkpoints().lastBytes()).isPositive();
        assertThat(seen.checkpointAge()).hasValue(seen.at() - seen.checkpoints().lastAt());
        assertThat(seen.checkpoints().rows()).isZero();
        assertThat(seen.interval()).isEqualTo(Duration.ofSeconds(1));
        LaneObservation lane = seen.lanes().get(0);
        assertThat(lane.openWindows()).isOne();
        assertThat(lane.stateEntries()).isOne();
        assertThat(lane.stateBytes()).isPositive();
        assertThat(lane.counts().get(Counter.INGESTED)).isEqualTo(2);
        assertThat(seen.health().status()).isEqualTo(JobHealth.Status.UP);
        assertThat(seen.text().lines().filter(line -> !line.contains("checkpoint") && !line.contains("nothing since")))
                .containsExactly(
                        "job job: running since 1970-01-01T00:00:00Z",
                        "  lane 0: transaction " + lane.committed().transaction()
                                + " committed up to offset 2 of 2; a restart reads 0 records, of which 0 are read"
                                + " already",
                        "    window-2 (tumbling PT0.01S): the watermark is 1970-01-01T00:00:00.007Z, held by partition"
                                + " 0",
                        "      1 open window with 1 entry; next to fire is [1970-01-01T00:00:00Z,"
                                + " 1970-01-01T00:00:00.010Z), when the watermark reaches 1970-01-01T00:00:00.009Z");

        job.append("k@25");
        awaitCommitted(3);
        assertThat(look().checkpoints().rows()).isOne();
        running.dispose();
        assertThat(look().state()).isEqualTo(JobState.CANCELLED);
        assertThat(look().lanes().get(0).windows()).isEmpty();
        assertThat(look().health()).isEqualTo(new JobHealth(JobHealth.Status.DOWN, List.of("it was cancelled")));
    }

    @Test
    void aJobThatFailsAndIsRetriedCountsItsRestartsAndIsDegradedUntilItHasCommitted() {
        AtomicBoolean bad = new AtomicBoolean(true);
        job.before = events -> events.filter(tick -> {
            if (bad.get()) {
                throw new IllegalStateException("on purpose");
            }
            return true;
        });
        job.append("k@1");
        assertThatThrownBy(() -> job.run(job.table("counts"), eachSecond()).blockLast(TickJob.PATIENCE))
                .hasMessage("on purpose");
        assertThat(look().state()).isEqualTo(JobState.FAILED);
        assertThat(look().restarts()).isZero();
        assertThat(look().health().status()).isEqualTo(JobHealth.Status.DOWN);
        assertThat(look().text())
                .startsWith(
                        "job job: failed at 1970-01-01T00:00:00Z with java.lang.IllegalStateException: on purpose\n");
        bad.set(false);
        Disposable running = job.run(job.table("counts"), eachSecond()).subscribe();
        JobObservation again = look();
        assertThat(again.restarts()).isOne();
        assertThat(again.failure()).hasMessage("on purpose");
        assertThat(again.health())
                .isEqualTo(new JobHealth(
                        JobHealth.Status.DEGRADED,
                        List.of("it has failed with java.lang.IllegalStateException: on purpose and come to no"
                                + " checkpoint since it began again")));
        awaitCommitted(1);
        assertThat(look().health().status()).isEqualTo(JobHealth.Status.UP);
        running.dispose();
    }

    @Test
    void aDrainedJobIsUpForEver() {
        job.append("k@1");
        job.run(job.table("counts"), eachSecond().drainWhen(Mono.empty())).blockLast(TickJob.PATIENCE);
        JobObservation drained = look();
        assertThat(drained.state()).isEqualTo(JobState.COMPLETED);
        assertThat(drained.finished()).isTrue();
        assertThat(drained.health().status()).isEqualTo(JobHealth.Status.UP);
        assertThat(drained.text())
                .startsWith("job job: drained at 1970-01-01T00:00:00Z\n  1 checkpoint, the last 0s ago, in ")
                .endsWith("\n  lane 0: drained up to offset 1 of 1; a restart reads 0 records");
    }

    /** C71: what a job has in flight is bounded, whatever waits in the log, and can be seen while it is stuck. */
    @Test
    void c71WhatIsReadAndNotWorkedThroughIsBoundedAndShows() {
        int records = 20_000;
        int worked = 1_000;
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger seen = new AtomicInteger();
        job.before = events -> events.filter(tick -> {
            if (seen.incrementAndGet() == worked) {
                stuck.countDown();
                await(released);
            }
            return true;
        });
        job.append(0, IntStream.range(0, records).mapToObj(i -> "k@" + i).toList());
        JobMonitor real = JobMonitor.of(job.store, "job", job.topic.topic());
        Disposable running = job.run(
                        job.table("counts"),
                        CheckpointSpec.everyEvents(1_000_000).named("job").scheduler(Schedulers.boundedElastic()))
                .subscribe();
        try {
            await(stuck);
            JobObservation observed = real.observe().block(TickJob.PATIENCE);
            long inFlight = records - observed.unread() - worked;
            assertThat(inFlight).isBetween(0L, 256L);
            assertThat(job.partition(0).bufferedBytes()).isLessThanOrEqualTo(READ_BUFFER);
            assertThat(observed.lanes().get(0).windows())
                    .as("the windows answer, since it is a function before them that is stuck")
                    .hasSize(1);
        } finally {
            released.countDown();
            running.dispose();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
