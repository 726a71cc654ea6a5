package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.sinks.JobRetry;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreReopenedException;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The recommended retry of a job over a store that fails: when it comes, how often, and what is left in the end. */
class StoreFailureRetryTest {

    private static final List<Tick> TICKS = Tick.stream(1_600, 13);
    private static final CheckpointSpec SPEC = CheckpointSpec.everyEvents(5).drainWhen(Mono.empty());
    private static final int MOST_IN_A_ROW = 10;

    @TempDir
    Path directory;

    private final Machine machine = new Machine();
    private final AtomicInteger goodForces = new AtomicInteger(Integer.MAX_VALUE);

    @AfterEach
    void unmount() {
        MachineFilePath.unmount(directory);
    }

    private ProofJob open() {
        machine.watch((act, file) -> {
            if (act == Machine.Act.FORCE
                    && file.getFileName().toString().startsWith("state.mv")
                    && goodForces.getAndDecrement() == 0) {
                machine.failForce(file);
            }
        });
        return ProofJob.of(
                EventLog.open(directory.resolve("log"), LogSpec.defaults().storage(machine))
                        .block(ProofJob.PATIENCE),
                StateStore.open(directory, MachineFilePath.mount(StoreSpec.defaults(), directory, machine))
                        .block(ProofJob.PATIENCE));
    }

    @Test
    void aJobThatGetsSomewhereBetweenFailuresIsRetriedForAsLongAsItTakes() {
        AtomicInteger failures = new AtomicInteger();
        try (ProofJob job = open()) {
            job.append(TICKS);
            AtomicBoolean armed = new AtomicBoolean();
            job.onEvent = tick -> {
                // Not near the end, so that no failure is left for what comes after the job.
                if (tick.number() < 1_000 && armed.compareAndSet(false, true)) {
                    goodForces.set(12);
                }
            };
            VirtualTimeScheduler clock = VirtualTimeScheduler.create();
            AtomicBoolean over = new AtomicBoolean();
            job.run(SPEC)
                    .doOnError(failure -> failures.incrementAndGet())
                    .retryWhen(JobRetry.backoff(clock).doBeforeRetry(signal -> armed.set(false)))
                    .doFinally(signal -> over.set(true))
                    .subscribe();
            await(() -> {
                clock.advanceTimeBy(Duration.ofMinutes(1));
                return over.get();
            });
            CrashCheck.Report report = CrashCheck.verify(job, job.store());
            assertThat(report.finished()).isTrue();
            assertThat(report.committed()).isEqualTo(TICKS.size());
            CrashCheck.assertEachOnce(job.topic(), TICKS.size());
        }
        System.out.printf("retries: %d failures of the store, seed 13%n", failures.get());
        assertThat(failures).hasValueGreaterThan(MOST_IN_A_ROW);
    }

    @Test
    void aRetryWaitsOnTheGivenSchedulerLongerEachTimeAndAtLastGivesUp() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        AtomicReference<Throwable> end = new AtomicReference<>();
        try (ProofJob job = open()) {
            job.append(TICKS);
            AtomicBoolean armed = new AtomicBoolean();
            job.onEvent = tick -> {
                if (armed.compareAndSet(false, true)) {
                    goodForces.set(0);
                }
            };
            Flux.defer(() -> job.run(SPEC))
                    .doOnError(failures::add)
                    .retryWhen(JobRetry.backoff(clock).doBeforeRetry(signal -> armed.set(false)))
                    .subscribe(checkpoint -> {}, end::set);
            long wait = 100;
            for (int failed = 1; failed <= MOST_IN_A_ROW; failed++) {
                int now = failed;
                await(() -> failures.size() == now && clock.getScheduledTaskCount() == now);
                // Each wait is shorter or longer by half at most.
                clock.advanceTimeBy(Duration.ofMillis(wait / 2 - 1));
                assertThat(failures).as("failures before the shortest wait").hasSize(failed);
                assertThat(end).hasNullValue();
                clock.advanceTimeBy(Duration.ofMillis(wait + 1));
                wait = Math.min(2 * wait, 30_000);
            }
            await(() -> end.get() != null);
        }
        assertThat(failures).hasSize(MOST_IN_A_ROW + 1).allSatisfy(failure -> assertThat(failure)
                .isInstanceOf(StoreReopenedException.class)
                .matches(JobRetry::isRetryable));
        assertThat(JobRetry.isRetryable(new IllegalStateException("wrapped", failures.get(0))))
                .isTrue();
        assertThat(end.get()).matches(Exceptions::isRetryExhausted).hasCauseInstanceOf(StoreReopenedException.class);
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        Flux.interval(Duration.ofMillis(2))
                .onBackpressureDrop()
                .filter(tick -> condition.getAsBoolean())
                .blockFirst(ProofJob.PATIENCE);
    }
}
