package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.WatermarkSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A lane over several partitions that is kept together in event time (S35). */
class MergedAlignmentTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final WatermarkSpec ALIGNED = WatermarkSpec.ascending().alignedWithin(Duration.ofMillis(30));

    @TempDir
    Path directory;

    private final Sinks.Many<Object> asked = Sinks.many().unicast().onBackpressureBuffer();
    private final List<Checkpoint> checkpoints = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger read = new AtomicInteger();

    private static List<Long> offsets(Checkpoint checkpoint) {
        return checkpoint.lanes().get(0).positions().stream()
                .map(SourcePosition::nextOffset)
                .toList();
    }

    /** What is committed by a barrier that is asked for now. */
    private List<Long> ask() {
        int before = checkpoints.size();
        asked.tryEmitNext("now").orThrow();
        JobPlace.await("a checkpoint", () -> checkpoints.size() > before);
        return offsets(checkpoints.get(before));
    }

    private void awaitRead(int events) {
        JobPlace.await(events + " events", () -> read.get() >= events);
    }

    @Test
    void s35TheLaneStandsStillBeforeItIsTooFarAheadOfAPartitionThatIsReadToItsEndAndCommitsMeanwhile() {
        try (MergedFixture job = new MergedFixture(directory, 2)) {
            job.watermarks = ALIGNED.idleAfter(HOUR);
            job.onEvent = tick -> read.incrementAndGet();
            job.append(1, "k", 1_001);
            job.append(0, "k", 990, 1_000, 1_031, 1_043, 1_044, 1_045);
            Disposable running =
                    job.job(CheckpointSpec.every(HOUR).orWhen(asked.asFlux())).subscribe(checkpoints::add);
            awaitRead(5);
            assertThat(ask()).as("1042 is 42 ahead of 1000").containsExactly(4L, 1L);
            job.append(1, "k", 1_012);
            awaitRead(6);
            assertThat(ask()).as("31 ahead of 1011").containsExactly(4L, 2L);
            job.append(1, "k", 1_013);
            awaitRead(8);
            assertThat(ask()).as("30 ahead of 1012, and then 31").containsExactly(5L, 3L);
            running.dispose();
        }
    }

    @Test
    void aRestartWaitsWhereTheRunBeforeDidAndADrainForNobody() {
        try (MergedFixture job = new MergedFixture(directory, 2)) {
            job.watermarks = ALIGNED.idleAfter(HOUR);
            job.append(1, "k", 0);
            job.append(0, "k", LongStream.range(0, 500).toArray());
            CheckpointSpec spec = CheckpointSpec.everyEvents(33).orEvery(HOUR);
            assertThat(offsets(job.job(spec).blockFirst(MergedFixture.PATIENCE)))
                    .containsExactly(32L, 1L);
            job.reopenStore();
            job.onEvent = tick -> read.incrementAndGet();
            job.append(1, "k", 10);
            Disposable running =
                    job.job(CheckpointSpec.every(HOUR).orWhen(asked.asFlux())).subscribe(checkpoints::add);
            awaitRead(11);
            assertThat(ask()).containsExactly(42L, 2L);
            running.dispose();
            job.job(spec.drainWhen(Mono.empty())).blockLast(MergedFixture.PATIENCE);
            assertThat(job.rows().values().stream().mapToLong(n -> n).sum()).isEqualTo(502);
        }
    }

    @Test
    void c11OnceThePartitionIsIdleTheLaneGoesOnAtOnce() {
        try (MergedFixture job = new MergedFixture(directory, 3)) {
            job.watermarks = ALIGNED.idleAfter(Duration.ofMillis(50));
            job.onEvent = tick -> read.incrementAndGet();
            job.append(1, "k", 0);
            job.append(0, "k", LongStream.range(0, 1_000).toArray());
            Disposable running = job.job(CheckpointSpec.every(HOUR)).subscribe();
            awaitRead(1_001);
            running.dispose();
        }
    }
}
