package io.fluxmark.test;

import io.fluxmark.log.EventLog;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import reactor.core.publisher.Flux;

/** A job as its service assembles it, over the log and the store that a test hands it. */
@FunctionalInterface
public interface JobUnderTest {

    /**
     * Assembles the job. Called once for each start, on opened log and store; the topics are there.
     *
     * @param spec to be handed to {@code writeTo} as it is: the job's name, when it commits and when it is drained
     */
    Flux<Checkpoint> run(EventLog log, StateStore store, CheckpointSpec spec);
}
