package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreReopenedException;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** A commit is held back at each stage of its way while its job ends; the next run loses nothing and doubles nothing. */
class HeldCommitTest {

    /** Where the commit is held. */
    enum Stage {
        BEFORE_FORCE,
        IN_FORCE,
        IN_THE_STORE_QUEUE,
        IN_COMMIT,
        BEFORE_ACKNOWLEDGEMENT
    }

    /** How the job ends meanwhile, and when the next one begins. */
    enum End {
        CANCEL_THEN_RELEASE,
        RESUBSCRIBE_THEN_RELEASE,
        ERROR
    }

    private static final List<Tick> TICKS = Tick.stream(1_600, 47);
    private static final int HALF = 800;
    private static final CheckpointSpec SPEC = CheckpointSpec.everyEvents(25);

    @TempDir
    Path directory;

    private final Machine machine = new Machine();

    @AfterEach
    void unmount() {
        MachineFilePath.unmount(directory);
    }

    private static boolean isStore(Path file) {
        return file.getFileName().toString().startsWith("state.mv");
    }

    private ProofJob open(LogSpec logSpec, StoreSpec storeSpec) {
        return ProofJob.of(
                EventLog.open(directory.resolve("log"), logSpec.storage(machine))
                        .block(ProofJob.PATIENCE),
                StateStore.open(directory, MachineFilePath.mount(storeSpec, directory, machine))
                        .block(ProofJob.PATIENCE));
    }

    private ProofJob open(Stage stage, Gate gate) {
        LogSpec log = LogSpec.defaults().durability(Durability.OS);
        StoreSpec store = StoreSpec.defaults();
        switch (stage) {
            case BEFORE_FORCE -> log = log.writerExecutor(gate.executor());
            case IN_FORCE ->
                machine.watch((act, file) -> {
                    if (act == Machine.Act.FORCE && !isStore(file)) {
                        gate.pass();
                    }
                });
            case IN_THE_STORE_QUEUE -> store = store.executor(gate.executor());
            case IN_COMMIT ->
                machine.watch((act, file) -> {
                    if (act == Machine.Act.FORCE && isStore(file)) {
                        gate.pass();
                    }
                });
            case BEFORE_ACKNOWLEDGEMENT -> store = store.scheduler(Schedulers.fromExecutor(gate.executor()));
        }
        return open(log, store);
    }

    @ParameterizedTest
    @CsvSource({
        "BEFORE_FORCE, CANCEL_THEN_RELEASE",
        "BEFORE_FORCE, RESUBSCRIBE_THEN_RELEASE",
        "BEFORE_FORCE, ERROR",
        "IN_FORCE, CANCEL_THEN_RELEASE",
        "IN_FORCE, RESUBSCRIBE_THEN_RELEASE",
        "IN_FORCE, ERROR",
        "IN_THE_STORE_QUEUE, CANCEL_THEN_RELEASE",
        "IN_THE_STORE_QUEUE, RESUBSCRIBE_THEN_RELEASE",
        "IN_THE_STORE_QUEUE, ERROR",
        "IN_COMMIT, CANCEL_THEN_RELEASE",
        "IN_COMMIT, RESUBSCRIBE_THEN_RELEASE",
        "IN_COMMIT, ERROR",
        "BEFORE_ACKNOWLEDGEMENT, CANCEL_THEN_RELEASE",
        "BEFORE_ACKNOWLEDGEMENT, RESUBSCRIBE_THEN_RELEASE",
        "BEFORE_ACKNOWLEDGEMENT, ERROR",
    })
    void nothingIsLostAndNothingIsDoubled(Stage stage, End end) {
        try (Gate gate = new Gate();
                ProofJob job = open(stage, gate)) {
            job.append(TICKS.subList(0, HALF));
            // Everything so far is committed or not, but the job has a past.
            job.run(SPEC).take(5).blockLast(ProofJob.PATIENCE);
            job.append(TICKS.subList(HALF, TICKS.size()));
            job.onEvent = tick -> gate.hold();
            Sinks.Empty<Void> stop = Sinks.empty();
            Sinks.Empty<Void> ended = Sinks.empty();
            Disposable running = job.run(SPEC.stopWhen(stop.asMono()))
                    .subscribe(checkpoint -> {}, ended::tryEmitError, ended::tryEmitEmpty);
            gate.awaitSomebody();

            Flux<Checkpoint> next = job.run(SPEC.drainWhen(Mono.empty()));
            switch (end) {
                case CANCEL_THEN_RELEASE -> {
                    running.dispose();
                    gate.release();
                    next.blockLast(ProofJob.PATIENCE);
                }
                case RESUBSCRIBE_THEN_RELEASE -> {
                    running.dispose();
                    Mono<Void> through = next.then().cache();
                    through.subscribe();
                    gate.release();
                    through.block(ProofJob.PATIENCE);
                }
                case ERROR -> {
                    stop.tryEmitError(new IllegalStateException("the job fails"));
                    gate.release();
                    assertThatThrownBy(() -> ended.asMono().block(ProofJob.PATIENCE))
                            .hasMessageContaining("the job fails");
                    next.blockLast(ProofJob.PATIENCE);
                }
            }
            assertAllIsThereOnce(job);
        }
    }

    private static void assertAllIsThereOnce(ProofJob job) {
        CrashCheck.Report report = CrashCheck.verify(job, job.store());
        assertThat(report.finished()).isTrue();
        assertThat(report.committed()).isEqualTo(TICKS.size());
        CrashCheck.assertEachOnce(job.topic(), TICKS.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 9, 14})
    void aStoreThatFailsInACommitEndsTheJobAndARetryRecovers(int goodForces) {
        AtomicInteger failures = new AtomicInteger();
        try (ProofJob job = open(LogSpec.defaults(), StoreSpec.defaults())) {
            job.append(TICKS);
            AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
            AtomicInteger armed = new AtomicInteger();
            machine.watch((act, file) -> {
                if (act == Machine.Act.FORCE && isStore(file) && left.getAndDecrement() == 0) {
                    machine.failForce(file);
                }
            });
            job.onEvent = tick -> {
                if (armed.getAndIncrement() == 0) {
                    left.set(goodForces);
                }
            };
            job.run(SPEC.drainWhen(Mono.empty()))
                    .retryWhen(Retry.max(3)
                            .filter(StoreReopenedException.class::isInstance)
                            .doBeforeRetry(signal -> failures.incrementAndGet()))
                    .blockLast(ProofJob.PATIENCE);
            // A retry that comes before the store is open again ends with the same reopening; there is no second one.
            assertThat(failures).hasPositiveValue();
            assertThat(job.store().info().block(ProofJob.PATIENCE).reopenings()).isEqualTo(1);
            assertAllIsThereOnce(job);
        }
    }

    @Test
    void aKeyFunctionThatThrowsEndsTheJobAndARetryRecovers() {
        AtomicInteger events = new AtomicInteger();
        try (ProofJob job = open(LogSpec.defaults(), StoreSpec.defaults())) {
            job.append(TICKS);
            job.onEvent = tick -> {
                if (events.incrementAndGet() % 500 == 0) {
                    throw new IllegalArgumentException("tick " + tick.number());
                }
            };
            job.run(SPEC.drainWhen(Mono.empty())).retry(100).blockLast(ProofJob.PATIENCE);
            assertThat(events.get()).as("events with those seen again").isGreaterThan(TICKS.size());
            assertAllIsThereOnce(job);
        }
    }
}
