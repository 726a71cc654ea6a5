package io.fluxmark.sinks;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.WindowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import reactor.core.publisher.Flux;

/** A log of ticks and a store, and the job that counts them. */
record JobPlace(EventLog log, StateStore store) implements AutoCloseable {

    static JobPlace open(Path directory) {
        return open(directory, StoreSpec.defaults());
    }

    static JobPlace open(Path directory, StoreSpec spec) {
        return new JobPlace(
                EventLog.open(directory.resolve("log")).block(Ticks.PATIENCE),
                StateStore.open(directory.resolve("state"), spec).block(Ticks.PATIENCE));
    }

    TypedTopic<Ticks.Tick> topic() {
        return Ticks.topic(log);
    }

    Flux<Checkpoint> job(TransactionalSink<WindowResult<String, Long>> sink, CheckpointSpec spec) {
        return Ticks.counts(topic()).writeTo(sink, spec.named("job"));
    }

    /** Waits until something has come about. */
    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Ticks.PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(what + " did not happen within " + Ticks.PATIENCE);
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }

    @Override
    public void close() {
        store.close();
        log.close();
    }
}
