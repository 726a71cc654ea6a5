package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.state.StaleGenerationException;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.LaneCheckpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.retry.Retry;

/** What a job's lanes and its observer share: store commits, generations, checkpoints. */
class GroupCommitTest {

    private static final List<Tick> TICKS = Tick.stream(1_000, 11);
    private static final CheckpointSpec SPEC = CheckpointSpec.everyEvents(25).drainWhen(Mono.empty());

    @TempDir
    Path directory;

    private ProofJob open(StoreSpec spec) {
        return ProofJob.of(
                EventLog.open(directory.resolve("log")).block(ProofJob.PATIENCE),
                StateStore.open(directory.resolve("state"), spec).block(ProofJob.PATIENCE));
    }

    private static void until(Mono<Boolean> condition) {
        Flux.interval(Duration.ofMillis(5))
                .onBackpressureDrop()
                .concatMap(tick -> condition)
                .filter(holds -> holds)
                .blockFirst(ProofJob.PATIENCE);
    }

    @Test
    void lanesThatWaitTogetherShareOneStoreCommitAndOneCheckpoint() {
        try (Gate gate = new Gate();
                ProofJob job = open(StoreSpec.defaults().executor(gate.executor()))) {
            job.append(TICKS);
            job.onEvent = tick -> gate.hold();
            Flux<Checkpoint> running = job.run(SPEC).replay().autoConnect(0);
            until(job.store().info().map(info -> info.queuedTransactions() == ProofJob.PARTITIONS));
            gate.release();
            List<Checkpoint> checkpoints = running.collectList().block(ProofJob.PATIENCE);
            assertThat(checkpoints.get(0).lanes())
                    .extracting(LaneCheckpoint::lane)
                    .containsExactly(0, 1, 2, 3);
            assertThat(checkpoints).extracting(Checkpoint::commit).isSorted().doesNotHaveDuplicates();
            assertThat(checkpoints).extracting(Checkpoint::conflated).containsOnly(0L);
            for (int lane = 0; lane < ProofJob.PARTITIONS; lane++) {
                int id = lane;
                List<Long> transactions = checkpoints.stream()
                        .flatMap(checkpoint -> checkpoint.lanes().stream())
                        .filter(of -> of.lane() == id)
                        .map(LaneCheckpoint::transaction)
                        .toList();
                assertThat(transactions)
                        .as("transactions of lane %d, each told of once", lane)
                        .isSorted();
                assertThat(transactions).first().isEqualTo(1L);
                assertThat(transactions).last().isEqualTo((long) transactions.size());
            }
        }
    }

    @Test
    void aNewerSessionOfALaneEndsTheJobAndARetryTakesTheLaneBack() {
        AtomicInteger retries = new AtomicInteger();
        AtomicBoolean intruded = new AtomicBoolean();
        try (ProofJob job = open(StoreSpec.defaults())) {
            job.append(TICKS);
            job.run(SPEC)
                    .doOnNext(checkpoint -> {
                        if (intruded.compareAndSet(false, true)) {
                            job.store().openLane(ProofJob.NAME, 1).subscribe();
                        }
                    })
                    .retryWhen(Retry.max(1)
                            .filter(StaleGenerationException.class::isInstance)
                            .doBeforeRetry(signal -> retries.incrementAndGet()))
                    .blockLast(ProofJob.PATIENCE);
            assertThat(retries).hasValue(1);
            CrashCheck.Report report = CrashCheck.verify(job, job.store());
            assertThat(report.finished()).isTrue();
            assertThat(report.committed()).isEqualTo(TICKS.size());
        }
    }

    @Test
    void anObserverWithoutDemandHoldsNothingUpAndIsToldTheNewestAndHowManyItMissed() {
        try (ProofJob job = open(StoreSpec.defaults())) {
            job.append(TICKS);
            AtomicReference<Checkpoint> last = new AtomicReference<>();
            StepVerifier.create(job.run(SPEC), 1)
                    .assertNext(first -> assertThat(first.conflated()).isZero())
                    .then(() -> until(JobStatus.read(job.store(), ProofJob.NAME, job.topic())
                            .map(JobStatus::finished)))
                    .thenRequest(1)
                    .assertNext(newest -> {
                        assertThat(newest.conflated()).isPositive();
                        last.set(newest);
                    })
                    // What is durable may not have been told of yet when the one above was asked for.
                    .thenRequest(Long.MAX_VALUE)
                    .thenConsumeWhile(checkpoint -> true, last::set)
                    .expectComplete()
                    .verify(ProofJob.PATIENCE);
            assertThat(last.get().lanes()).anyMatch(LaneCheckpoint::finished);
        }
    }

    @Test
    void theStatusOfAJobCanBeReadBeforeItHasEverRunAndWhileItRuns() {
        try (ProofJob job = open(StoreSpec.defaults())) {
            job.append(TICKS);
            Mono<JobStatus> status = JobStatus.read(job.store(), ProofJob.NAME, job.topic());
            JobStatus before = status.block(ProofJob.PATIENCE);
            assertThat(before.lag()).isEqualTo(TICKS.size());
            assertThat(before.lanes()).allSatisfy(lane -> {
                assertThat(lane.transaction()).isZero();
                assertThat(lane.nextOffset()).isZero();
                assertThat(lane.counters()).isEmpty();
            });
            List<JobStatus> seen =
                    job.run(SPEC).concatMap(checkpoint -> status).collectList().block(ProofJob.PATIENCE);
            assertThat(seen).extracting(JobStatus::lag).isSortedAccordingTo((a, b) -> Long.compare(b, a));
            JobStatus after = seen.get(seen.size() - 1);
            assertThat(after.finished()).isTrue();
            assertThat(after.lag()).isZero();
            long[] position = job.store()
                    .longs(ProofJob.NAME, 0, ProofJob.EVENT_TIME, "maximum")
                    .block(ProofJob.PATIENCE);
            assertThat(position[0]).isEqualTo(after.lanes().get(0).maxima().get(ProofJob.EVENT_TIME));
            assertThat(job.store().longs(ProofJob.NAME, 0, "nobody", "nothing").blockOptional(ProofJob.PATIENCE))
                    .isEmpty();
        }
    }
}
